import { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { partitionKey, rowKey } from '../../../lib/calls/call-keys.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import type { Delivery } from '../../../lib/calls/merge-deliveries.ts';
import type { Facts } from '../../../lib/core/collections.ts';
import { canonicalJson } from '../../../lib/core/json.ts';
import { entryName, type Ledger, nameOf, type PostedRecord } from './ledger.ts';

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

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
  ];
  return problems.map((problem) => `The row of ${nameOf(posted.key)} ${problem}.`);
};

const placeOf = ({ pk, sk }: Facts): string => `${pk} / ${sk}`;

/**
 * What was acknowledged is in the calls’ table, and nothing is there that was never posted. What deliveries make, and the
 * entries under further agents, are checked by `schedules`.
 */
export const verifyRows = ({ records, callIds }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const found = rows.filter(({ kind }) => kind !== 'agent-entry');
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
