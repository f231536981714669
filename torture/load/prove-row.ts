import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { Delivery, Facts } from '../../lib/record/delivery.ts';
import { admit, type CallRecord } from '../../lib/record/record.ts';
import { recordOf } from '../../lib/record/row.ts';
import { nameOf, type PostedRecord } from './ledger.ts';

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** What lib makes of the deliveries if they come in the order in which they were received. */
const mergedFacts = ({ key, deliveries }: CallRecord): Facts | undefined => {
  const merged = deliveries.reduce<CallRecord | undefined>(
    (known, delivery) => admit(key, known, delivery, delivery.receivedAt).record,
    undefined,
  );
  return merged?.facts;
};

const wrongWith = ({ id, receivedAt, facts }: Delivery, posted: PostedRecord): readonly string[] => {
  const delivery = posted.deliveries.get(id);
  if (delivery === undefined) return [`holds the delivery ${id}, which was never posted`];

  const at = Date.parse(receivedAt);
  return [
    ...(isSame(facts, delivery.facts) ? [] : [`holds the delivery ${id} otherwise than it was posted`]),
    ...(at < delivery.firstSentAt ? [`says that the delivery ${id} was received before it was sent`] : []),
    ...(at > (delivery.acknowledgedAt ?? at)
      ? [
          `says that the delivery ${id} was received ${at - (delivery.acknowledgedAt ?? at)} ms after it was acknowledged`,
        ]
      : []),
  ];
};

/** What is wrong with the row of a record, of which this was posted. */
export const proveRow = (posted: PostedRecord, row: Facts): readonly string[] => {
  const record = recordOf(row);
  const found = new Set(record.deliveries.map(({ id }) => id));
  const missing = [...posted.deliveries].filter(
    ([id, { acknowledgedAt }]) => acknowledgedAt !== undefined && !found.has(id),
  );
  const wrongs = [
    ...missing.map(([id]) => `lacks the delivery ${id}, which was acknowledged`),
    ...(found.size === record.deliveries.length ? [] : ['holds a delivery twice']),
    ...record.deliveries.flatMap((delivery) => wrongWith(delivery, posted)),
    ...(isSame(record.facts, mergedFacts(record)) ? [] : ['is not what its deliveries make']),
  ];
  return wrongs.map((wrong) => `The row of ${nameOf(posted.key)} ${wrong}.`);
};
