import { QuarantineEntry } from '../../../lib/callback/parked.ts';
import { partitionKey, rowKey } from '../../../lib/calls/call-keys.ts';
import { applyDelivery, type CallRecord } from '../../../lib/calls/call-record.ts';
import { agentEntriesOf, recordOf } from '../../../lib/calls/call-row.ts';
import type { Delivery } from '../../../lib/calls/merge-deliveries.ts';
import type { Facts } from '../../../lib/core/collections.ts';
import { canonicalJson } from '../../../lib/core/json.ts';
import { entryName, type Ledger, nameOf, type PostedRecord } from './ledger.ts';

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** The facts that lib derives from the deliveries in the order of their receipt. */
const mergedFacts = ({ key, deliveries }: CallRecord): Facts | undefined => {
  const merged = deliveries.reduce<CallRecord | undefined>(
    (known, delivery) => applyDelivery(key, known, delivery, delivery.receivedAt).record,
    undefined,
  );
  return merged?.facts;
};

const problemsWith = ({ id, receivedAt, facts }: Delivery, posted: PostedRecord): readonly string[] => {
  const delivery = posted.deliveries.get(id);
  if (delivery === undefined) return [`has the delivery ${id}, which was never posted`];

  const at = Date.parse(receivedAt);
  return [
    ...(isSame(facts, delivery.facts) ? [] : [`has the delivery ${id} with other facts than were posted`]),
    ...(at < delivery.firstSentAt ? [`has a time of receipt of the delivery ${id} before it was sent`] : []),
    ...(at > (delivery.acknowledgedAt ?? at)
      ? [`has a time of receipt of the delivery ${id} ${at - (delivery.acknowledgedAt ?? at)} ms after its reply`]
      : []),
  ];
};

/** What is wrong with the row of a record. */
const verifyRow = (posted: PostedRecord, row: Facts): readonly string[] => {
  const record = recordOf(row);
  const found = new Set(record.deliveries.map(({ id }) => id));
  const missing = [...posted.deliveries].filter(
    ([id, { acknowledgedAt }]) => acknowledgedAt !== undefined && !found.has(id),
  );
  const problems = [
    ...missing.map(([id]) => `lacks the delivery ${id}, which was acknowledged`),
    ...(found.size === record.deliveries.length ? [] : ['has a delivery twice']),
    ...record.deliveries.flatMap((delivery) => problemsWith(delivery, posted)),
    ...(isSame(record.facts, mergedFacts(record)) ? [] : ['has other facts than its deliveries make']),
  ];
  return problems.map((problem) => `The row of ${nameOf(posted.key)} ${problem}.`);
};

const placeOf = ({ pk, sk }: Facts): string => `${pk} / ${sk}`;

/** There is an index entry for every further agent of every call, and no other. */
const verifyEntries = (records: readonly Facts[], entries: readonly Facts[]): readonly string[] => {
  const expected = new Map(
    records.flatMap((row) => agentEntriesOf(recordOf(row), row)).map((entry) => [placeOf(entry), canonicalJson(entry)]),
  );
  const found = new Map(entries.map((entry) => [placeOf(entry), canonicalJson(entry)]));

  return [
    ...[...expected].flatMap(([place, entry]) =>
      found.get(place) === entry
        ? []
        : [`The index entry ${place} of a further agent is missing or differs from the row.`],
    ),
    ...[...found.keys()].flatMap((place) =>
      expected.has(place) ? [] : [`There is an index entry ${place} of an agent whom no call names.`],
    ),
  ];
};

/** What was acknowledged is in the calls’ table, and nothing is there that was never posted. */
export const verifyRows = ({ records, callIds }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const [entries = [], found = []] = [true, false].map((isEntry) =>
    rows.filter(({ kind }) => (kind === 'agent-entry') === isEntry),
  );
  const rowAt = new Map(found.map((row) => [placeOf(row), row]));
  const partitions = new Set(found.map(({ pk }) => pk));
  const posted = new Set([...records.values()].map(({ key }) => placeOf(rowKey(key))));

  const missing = [...records.values()].flatMap((record) => {
    const row = rowAt.get(placeOf(rowKey(record.key)));
    if (row !== undefined) return verifyRow(record, row);
    const isAcknowledged = [...record.deliveries.values()].some(({ acknowledgedAt }) => acknowledgedAt !== undefined);
    return isAcknowledged ? [`${nameOf(record.key)} was acknowledged and has no row.`] : [];
  });
  return [
    ...missing,
    ...[...rowAt.keys()].flatMap((place) => (posted.has(place) ? [] : [`The row ${place} was never posted.`])),
    ...[...callIds].flatMap((callId) =>
      partitions.has(partitionKey('demo', callId))
        ? []
        : [`The call ${callId} was posted and acknowledged, and is not in the table.`],
    ),
    ...verifyEntries(found, entries),
  ];
};

/** The row that counts the posts of unknown senders in a minute. */
const isCounter = ({ entryCount }: Facts): boolean => entryCount !== undefined;

/**
 * Compares quarantine with the replies. A body of an account is one row however often it came, a body of an unknown
 * sender one row each time. What was sent and not answered may be stored too.
 */
export const verifyQuarantine = ({ entries }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const found = Map.groupBy(
    rows.filter((row) => !isCounter(row)),
    (row) => entryName(QuarantineEntry.parse(row)),
  );
  const about = (name: string): string => `The quarantined ${name.slice(0, 60)}`;

  return [
    ...[...entries].flatMap(([name, { isOfUnknownSender, sent, acknowledged }]) => {
      const count = found.get(name)?.length ?? 0;
      const [least, most] = isOfUnknownSender ? [acknowledged, sent] : [Math.min(acknowledged, 1), Math.min(sent, 1)];
      return count >= least && count <= most
        ? []
        : [`${about(name)} is there ${count} times, where ${least} to ${most} were expected.`];
    }),
    ...[...found.keys()].flatMap((name) => (entries.has(name) ? [] : [`${about(name)} was never posted.`])),
  ];
};
