import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '../../../lib/record/delivery.ts';
import { withDerived } from '../../../lib/record/derived.ts';
import { admit, type CallRecord, type RecordKey } from '../../../lib/record/record.ts';
import { seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';
import { must } from '../breach.ts';
import { factsBy } from './oracle.ts';
import type { CallRow } from './row-of-call.ts';

const shown = (value: unknown): string => JSON.stringify(value);

/** The row is what guarantee 3 makes of its deliveries, and says when it heard of them. */
export const mustFollowFromDeliveries = (row: CallRow, seed: number): void => {
  const { name, kind, facts, deliveries } = row;
  const expected = factsBy(kind, deliveries);
  must(
    isDeepStrictEqual(facts, expected),
    () => `Guarantee 3: ${name} says ${shown(facts)} instead of ${shown(expected)}`,
  );

  const again = replayed(row, seed);
  must(
    isDeepStrictEqual(again, facts),
    () => `Guarantee 3: ${name}: in another order its deliveries make ${shown(again)} instead of ${shown(facts)}`,
  );

  const instants = deliveries.map(({ receivedAt }) => receivedAt).sort();
  must(
    row.row['firstReceivedAt'] === instants[0],
    () => `${name} was first received at ${instants[0]}, not ${row.row['firstReceivedAt']}`,
  );
  must(
    row.row['lastReceivedAt'] === instants.at(-1),
    () => `${name} was last received at ${instants.at(-1)}, not ${row.row['lastReceivedAt']}`,
  );
};

/** The facts that the same deliveries make in another order, with repeats of a later receipt among them. */
const replayed = ({ kind, account, callId, part, deliveries }: CallRow, seed: number): Facts => {
  const key: RecordKey = { kind, account, callId, part };
  const late = '2027-01-01T00:00:00.000Z';
  const [one] = deliveries;
  const repeats = one === undefined ? [] : [{ ...one, receivedAt: late }];
  let record: CallRecord | undefined;
  for (const delivery of shuffled(seededRandom(seed), [...deliveries, ...repeats]))
    record = admit(key, record, delivery, late).record;
  return withDerived(record?.facts ?? {});
};
