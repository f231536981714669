import * as z from 'zod/mini';
import { once, truncate, withoutUndefined } from '../core/collections.ts';
import { canonicalJson } from '../core/json.ts';
import { expiresAt } from '../core/time.ts';
import { type KeyedRow, type Row, readRow, storedWord, type VersionedRow } from '../storage/rows.ts';
import { callsTable } from '../storage/tables.ts';
import { numberFacts } from '../telephony/call-fields.ts';
import { e164, validE164 } from '../telephony/e164.ts';
import { countryOfZone } from '../telephony/zone-countries.ts';
import { agentEntryKey, erased, firstRecording, furtherAgents, indexKeys, rowKey } from './call-keys.ts';
import { type CallRecord, changeByLatestDelivery, withDerived, withoutDerived } from './call-record.ts';
import { differenceFrom, isOnlyReported, type RecordFacts, withDifference } from './merge-deliveries.ts';
import { fromStored, storedShape, toStored } from './stored-delivery.ts';

/** The attributes besides the facts that are read again. A newer version may write others, which this one does not know. */
const metadata = once(() => {
  const counter = z.int().check(z.positive());
  return z.object({
    kind: z.enum(['call', 'participant']),
    account: z.string(),
    callId: z.string(),
    participantId: z.optional(z.string()),
    revision: counter,
    version: counter,
    recordedAt: z.string(),
    lastChange: z.optional(
      z.object({
        revision: counter,
        occurredAt: z.string(),
        changedFields: z.optional(z.readonly(z.array(z.string()).check(z.minLength(1)))),
      }),
    ),
    deliveries: z.array(
      z.object({
        ...storedShape(),
        source: z.optional(storedWord<'report'>()),
        day: z.optional(z.string()),
        erasedAt: z.optional(z.string()),
        differences: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
  });
});

const metadataAttributes = once(
  () =>
    new Set<string>([
      ...Object.keys(metadata().shape),
      ...['pk', 'sk', 'source', 'firstReceivedAt', 'lastReceivedAt', 'expiresAt', 'replayedAt'],
      ...callsTable.indexes.flatMap(({ key }) => [key.partition, key.sort]),
    ]),
);

/** Of each delivery it has only the difference from the facts. `retentionDays` count from the first receipt. */
export const rowOf = (record: CallRecord, retentionDays: number): VersionedRow => {
  const { key, facts, deliveries, revision, version, recordedAt, lastChange } = record;
  const isDerivable = canonicalJson(lastChange ?? null) === canonicalJson(changeByLatestDelivery(record) ?? null);
  const firstReceivedAt = deliveries[0]?.receivedAt ?? recordedAt;

  return withoutUndefined({
    ...withE164(withDerived(facts), deliveries.findLast(({ country }) => country !== undefined)?.country),
    ...rowKey(key),
    ...(key.kind === 'call' && indexKeys(record)),
    ...key,
    ...(isOnlyReported(deliveries) && { source: 'report' }),
    revision,
    version,
    recordedAt,
    ...(!isDerivable && { lastChange }),
    firstReceivedAt,
    lastReceivedAt: deliveries.at(-1)?.receivedAt,
    expiresAt: expiresAt(firstReceivedAt, retentionDays),
    deliveries: deliveries.map(({ facts: delivered, ...delivery }) => {
      const differences = differenceFrom(facts, delivered);
      return { ...toStored(delivery), ...(Object.keys(differences).length > 0 && { differences }) };
    }),
  });
};

/** The record in a row: the inverse of `rowOf`. Throws if Callfeed did not write the row. */
export const recordOf = (row: Row): CallRecord => {
  const read = readRow(metadata(), row);
  const { account, callId, participantId, revision, version, recordedAt, lastChange, deliveries } = read;
  const facts = factsOf(row);

  const record: CallRecord = {
    key:
      participantId === undefined
        ? { kind: 'call', account, callId }
        : { kind: 'participant', account, callId, participantId },
    facts,
    deliveries: deliveries.map(({ differences = {}, ...delivery }) => ({
      ...fromStored(delivery),
      facts: withDifference(facts, differences),
    })),
    revision,
    version,
    recordedAt,
    firstRecordedAt: participantId === undefined ? firstRecording(row) : undefined,
  };
  // An older version of Callfeed does not know `lastChange`, and may have kept that of an earlier revision.
  return { ...record, lastChange: lastChange?.revision === revision ? lastChange : changeByLatestDelivery(record) };
};

export const factsOf = (row: Row): RecordFacts =>
  withoutE164(
    withoutDerived(
      Object.fromEntries(Object.entries(row).filter(([attribute]) => !metadataAttributes().has(attribute))),
    ),
  );

/** Fifty such entries and the row fit into a transaction of 4 MB, even if every character takes three bytes in UTF-8. */
const entryLimit = { characters: 150, entries: 50 };

const listedAttributes = new Set<string>([
  ...callsTable.indexes.flatMap(({ projection }) => projection),
  'listedAt',
  'expiresAt',
]);

export const agentEntriesOf = (record: CallRecord, row: Row): readonly KeyedRow[] => {
  const agents = furtherAgents(record);
  if (agents.length === 0) return [];
  const attributes = Object.entries(row).filter(([attribute]) => listedAttributes.has(attribute));
  const listed = Object.fromEntries(attributes.map(([attribute, value]) => [attribute, truncate(entryLimit, value)]));
  return agents.map(({ agentId, agentCalls }) => ({
    ...listed,
    ...agentEntryKey(record.key, agentId),
    kind: 'agent-entry',
    agentCalls,
  }));
};

export const staleEntryKeys = (record: CallRecord, successor: CallRecord) => {
  const current = new Set(furtherAgents(successor).map(({ agentId }) => agentId));
  return furtherAgents(record)
    .filter(({ agentId }) => !current.has(agentId))
    .map(({ agentId }) => agentEntryKey(record.key, agentId));
};

/**
 * The E.164 forms of a record's numbers, which rows and events have beside the numbers as sent. They follow from the merged
 * facts and the country of the account, and are no facts: a better library or another country makes no revision.
 */
export const e164Names: ReadonlySet<string> = new Set(numberFacts.map((fact) => `${fact}E164`));

const partsThat = (part: object, isKept: (name: string) => boolean): RecordFacts =>
  Object.fromEntries(Object.entries(part).filter(([name]) => isKept(name)));

const inEachPart = (facts: RecordFacts, change: (part: RecordFacts, leg?: number) => RecordFacts): RecordFacts => {
  const changed = change(facts);
  const { legs } = facts;
  return Array.isArray(legs) ? { ...changed, legs: legs.map((leg, index) => change(leg, index)) } : changed;
};

/** `country` is the account's own; without one it is the country of the call's time zone. */
const withE164 = (facts: RecordFacts, country = countryOfZone(String(facts['timeZone']))): RecordFacts =>
  inEachPart(facts, (part) => ({ ...part, ...e164Of(part, country) }));

const e164Of = (part: RecordFacts, country: string | undefined): RecordFacts =>
  Object.fromEntries(
    numberFacts.flatMap((fact) => {
      const sent = part[fact];
      if (typeof sent !== 'string' || sent === erased) return [];
      const number = (fact === 'customerNumber' ? reportedE164(part) : undefined) ?? e164(sent, country);
      return number === undefined ? [] : [[`${fact}E164`, number]];
    }),
  );

/** The call report has a column of its own for it, which is among the fields that are not documented. */
const reportedE164 = ({ extra }: RecordFacts): string | undefined => {
  const [, sent] = Object.entries(extra ?? {}).find(([name]) => name.toLowerCase() === 'e164') ?? [];
  return typeof sent === 'string' ? validE164(sent) : undefined;
};

const withoutE164 = (facts: RecordFacts): RecordFacts =>
  inEachPart(facts, (part) => partsThat(part, (name) => !e164Names.has(name)));

const e164In = (row: RecordFacts): RecordFacts =>
  inEachPart(row, (part) => partsThat(part, (name) => e164Names.has(name)));

/** The facts with the E.164 forms that their row has, as nobody but its writer knows the country. */
export const withE164OfRow = (facts: RecordFacts, row: RecordFacts): RecordFacts => {
  const { legs, ...numbers } = e164In(row);
  return inEachPart(facts, (part, leg) => ({ ...part, ...(leg === undefined ? numbers : Object(legs)[leg]) }));
};
