import { QuarantineEntry } from '../../../lib/callback/parked.ts';
import { partitionKey, rowKey } from '../../../lib/calls/call-keys.ts';
import { applyDelivery, type CallRecord } from '../../../lib/calls/call-record.ts';
import { agentEntriesOf, recordOf } from '../../../lib/calls/call-row.ts';
import type { Delivery } from '../../../lib/calls/delivery.ts';
import { canonicalJson } from '../../../lib/core/canonical-json.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { entryName, type Ledger, nameOf, type PostedRecord } from './ledger.ts';

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** What lib makes of the deliveries if they come in the order in which they were received. */
const mergedFacts = ({ key, deliveries }: CallRecord): Facts | undefined => {
  const merged = deliveries.reduce<CallRecord | undefined>(
    (known, delivery) => applyDelivery(key, known, delivery, delivery.receivedAt).record,
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
const verifyRow = (posted: PostedRecord, row: Facts): readonly string[] => {
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

const placeOf = ({ pk, sk }: Facts): string => `${pk} / ${sk}`;

/** Entries of the indexes must be there for every further agent of every call, and for nobody else. */
const verifyEntries = (records: readonly Facts[], entries: readonly Facts[]): readonly string[] => {
  const due = new Map(
    records.flatMap((row) => agentEntriesOf(recordOf(row), row)).map((entry) => [placeOf(entry), canonicalJson(entry)]),
  );
  const found = new Map(entries.map((entry) => [placeOf(entry), canonicalJson(entry)]));

  return [
    ...[...due].flatMap(([place, entry]) =>
      found.get(place) === entry
        ? []
        : [`The entry of a further agent, ${place}, is missing or not what the row says.`],
    ),
    ...[...found.keys()].flatMap((place) =>
      due.has(place) ? [] : [`There is an entry of a further agent, ${place}, whom no call names.`],
    ),
  ];
};

/** Compares the calls' table with what was posted: what was acknowledged is there, and nothing that never was posted. */
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
    return isAcknowledged ? [`There is no row of ${nameOf(record.key)}, which was acknowledged.`] : [];
  });
  return [
    ...missing,
    ...[...rowAt.keys()].flatMap((place) =>
      posted.has(place) ? [] : [`There is a row, ${place}, of what was never posted.`],
    ),
    ...[...callIds].flatMap((callId) =>
      partitions.has(partitionKey('demo', callId))
        ? []
        : [`The call ${callId} was posted and acknowledged, and is not in the table.`],
    ),
    ...verifyEntries(found, entries),
  ];
};

/** A minute's row counts strangers' posts, and is no entry. */
const isCounter = ({ kept }: Facts): boolean => kept !== undefined;

/**
 * Compares quarantine with what was said to be in it. An account's is one row however often it came, a stranger's one
 * for each time; what was sent and not answered may be there too.
 */
export const verifyQuarantine = ({ entries }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const found = Map.groupBy(
    rows.filter((row) => !isCounter(row)),
    (row) => entryName(QuarantineEntry.parse(row)),
  );
  const about = (name: string): string => `The quarantined ${name.slice(0, 60)}`;

  return [
    ...[...entries].flatMap(([name, { isStrangers, sent, told }]) => {
      const count = found.get(name)?.length ?? 0;
      const [least, most] = isStrangers ? [told, sent] : [Math.min(told, 1), Math.min(sent, 1)];
      return count >= least && count <= most
        ? []
        : [`${about(name)} is there ${count} times, where ${least} to ${most} were due.`];
    }),
    ...[...found.keys()].flatMap((name) => (entries.has(name) ? [] : [`${about(name)} was never posted.`])),
  ];
};
