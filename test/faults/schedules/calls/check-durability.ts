import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { must } from '../model.ts';
import { type CallRow, nameOf } from './call-rows.ts';
import { deliveriesIn } from './ledger.ts';
import type { PlayedCalls } from './play-calls.ts';

/** Everything that was tried to be delivered of one distinct delivery. */
interface Tried {
  readonly record: string;
  readonly id: string;
  readonly facts: unknown;
  readonly at: readonly string[];
  readonly acknowledgedAt: readonly string[];
}

const Dead = z.object({
  key: z.object({ kind: z.string(), account: z.string(), callId: z.string(), part: z.string() }),
  delivery: z.object({ id: z.string() }),
});

const idOf = (record: string, id: string): string => `${record} ${id}`;

const triedIn = ({ ledger }: PlayedCalls): readonly Tried[] => {
  const all = ledger.tries.flatMap(({ post, at, isAcknowledged }) =>
    deliveriesIn(post).map(({ key, delivery: { id, facts } }) => ({
      ...{ record: nameOf(key.kind, key.account, key.callId, key.part), id, facts, at, isAcknowledged },
    })),
  );
  return [...Map.groupBy(all, ({ record, id }) => idOf(record, id)).values()].flatMap((tries) =>
    tries.slice(0, 1).map(({ record, id, facts }) => ({
      ...{ record, id, facts },
      at: tries.map(({ at }) => at),
      acknowledgedAt: tries.filter(({ isAcknowledged }) => isAcknowledged).map(({ at }) => at),
    })),
  );
};

/**
 * Guarantee 1: what was acknowledged is in its row as it was said, with the time of the first receipt; and nothing is in
 * a row that was not posted. What recovery could not store five times lies among the dead letters.
 */
export const mustKeepWhatWasAcknowledged = (played: PlayedCalls, rows: readonly CallRow[]): void => {
  const { world, processes } = played;
  const dead = new Set(
    world.deadLetters.messages().map(({ body, receiveCount }) => {
      const { key, delivery } = Dead.parse(JSON.parse(body));
      const failures = processes.struck().filter(({ slot }) => slot === 'recovery').length;
      must(receiveCount >= 5 && failures >= 5, () => `${delivery.id} is a dead letter without five failures`);
      return idOf(nameOf(key.kind, key.account, key.callId, key.part), delivery.id);
    }),
  );
  const isDisturbed = processes.struck().length > 0;
  must(
    isDisturbed || played.ledger.outstanding().length === 0,
    () => 'A post was not acknowledged, though nothing went wrong',
  );
  must(world.parking.messages().length === 0, () => 'Something is parked for ever');
  must(world.rows('quarantine').length === 0, () => 'Something that was understood lies in quarantine');

  const kept = new Map(
    rows.flatMap(({ name, deliveries }) => deliveries.map((said) => [idOf(name, said.id), said] as const)),
  );
  const tried = new Map(triedIn(played).map((each) => [idOf(each.record, each.id), each]));
  for (const [id, { record, facts, at, acknowledgedAt }] of tried) {
    const said = kept.get(id);
    const isAcknowledged = acknowledgedAt.length > 0;
    if (said === undefined) {
      must(
        !isAcknowledged || dead.has(id),
        () => `Guarantee 1: of ${record} was lost what was acknowledged at ${acknowledgedAt}: ${JSON.stringify(facts)}`,
      );
      continue;
    }
    must(
      isDeepStrictEqual(said.facts, facts),
      () => `Guarantee 1: of ${record} was kept ${JSON.stringify(said.facts)} instead of ${JSON.stringify(facts)}`,
    );
    must(
      at.includes(said.receivedAt),
      () => `Guarantee 3: ${record} says ${said.receivedAt} for what was received at ${at}`,
    );
    const [first = said.receivedAt] = acknowledgedAt.toSorted();
    must(
      said.receivedAt <= first || dead.has(id),
      () => `Guarantee 3: ${record} says ${said.receivedAt} for what was acknowledged at ${first}`,
    );
  }
  for (const [id, said] of kept) must(tried.has(id), () => `Nobody said ${JSON.stringify(said)}, of which ${id} tells`);
};
