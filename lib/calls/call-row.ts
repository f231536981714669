import * as z from 'zod/mini';
import { expiresAt } from '../core/instant.ts';
import { type Facts, once, withoutUndefined } from '../core/objects.ts';
import { truncate } from '../core/text.ts';
import { callsTable } from '../schema/tables.ts';
import type { Note } from '../schema/field.ts';
import { notesOf, sortedNotes } from '../telephony/field-reader.ts';
import { agentEntryKey, furtherAgents, indexKeys, rowKey } from './call-keys.ts';
import type { CallRecord, RecordKey } from './call-record.ts';
import { differenceFrom, withDifference } from './delivery.ts';

const endBeforeStart: Note = { field: 'endedAt', reason: 'end-before-start' };

/**
 * The facts with what follows from several of them: the time from start to end in seconds. Practice: the end may equal
 * and even precede the start; then there is a note instead. Derived after the merge, which may join the start of one
 * delivery with the end of another.
 */
export const withDerived = (facts: Facts): Facts => {
  const { startedAt, endedAt } = facts;
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string') return facts;

  const elapsedSeconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return elapsedSeconds < 0
    ? { ...facts, notes: sortedNotes([...notesOf(facts), endBeforeStart]) }
    : { ...facts, elapsedSeconds };
};

/** The facts alone: the inverse of `withDerived`. */
export const withoutDerived = ({ elapsedSeconds: _elapsed, ...facts }: Facts): Facts => {
  const notes = notesOf(facts).filter(({ reason }) => reason !== endBeforeStart.reason);
  const { notes: _all, ...others } = facts;
  return notes.length > 0 ? { ...others, notes } : others;
};

/** What a row holds beside the facts. Loose: a row written by a newer version keeps what this one does not know. */
const rowMetadata = once(() =>
  z.looseObject({
    kind: z.enum(['call', 'participant']),
    account: z.string(),
    callId: z.string(),
    leg: z.optional(z.string()),
    participantId: z.optional(z.string()),
    revision: z.int().check(z.positive()),
    version: z.int().check(z.positive()),
    recordedAt: z.string(),
    deliveries: z.array(
      z.object({ id: z.string(), receivedAt: z.string(), differs: z._default(z.record(z.string(), z.unknown()), {}) }),
    ),
  }),
);

/** Every attribute of a row that is not a fact of the call or participant. */
const metadataAttributes = once(
  () =>
    new Set<string>([
      ...Object.keys(rowMetadata().shape),
      ...['pk', 'sk', 'firstReceivedAt', 'lastReceivedAt', 'expiresAt', 'replayedAt'],
      ...callsTable.indexes.flatMap(({ key }) => [key.partition, key.sort]),
    ]),
);

const partAttribute = ({ kind, part: name }: RecordKey) => (kind === 'call' ? { leg: name } : { participantId: name });

/**
 * The row of a record: its facts as attributes, and of each delivery only how it differs from them. Calls are listed in
 * the indexes, participants are found through their call. `retentionDays` counts from the first receipt.
 */
export const rowOf = (record: CallRecord, retentionDays: number): Facts => {
  const { key, facts, deliveries, revision, version, recordedAt } = record;
  const firstReceivedAt = deliveries[0]?.receivedAt ?? recordedAt;

  return withoutUndefined({
    ...withDerived(facts),
    ...rowKey(key),
    ...(key.kind === 'call' && indexKeys(record)),
    kind: key.kind,
    account: key.account,
    callId: key.callId,
    ...partAttribute(key),
    revision,
    version,
    recordedAt,
    firstReceivedAt,
    lastReceivedAt: deliveries.at(-1)?.receivedAt,
    expiresAt: expiresAt(firstReceivedAt, retentionDays),
    deliveries: deliveries.map(({ id, receivedAt, facts: said }) => {
      const differs = differenceFrom(facts, said);
      return { id, receivedAt, ...(Object.keys(differs).length > 0 && { differs }) };
    }),
  });
};

/** The record that a row holds. Throws if the row was written by something else. */
export const recordOf = (row: Facts): CallRecord => {
  const { kind, account, callId, leg, participantId, revision, version, recordedAt, deliveries } =
    rowMetadata().parse(row);
  const facts = factsOf(row);

  return {
    key: { kind, account, callId, part: leg ?? participantId ?? 'main' },
    facts,
    deliveries: deliveries.map(({ id, receivedAt, differs }) => ({
      id,
      receivedAt,
      facts: withDifference(facts, differs),
    })),
    revision,
    version,
    recordedAt,
  };
};

/** What a row says of its call or participant, without the bookkeeping. */
export const factsOf = (row: Facts): Facts =>
  withoutDerived(Object.fromEntries(Object.entries(row).filter(([attribute]) => !metadataAttributes().has(attribute))));

/** Fifty of these and the row itself fit into a transaction, whatever was sent. */
const entryLimit = { characters: 255, entries: 50 };

/** What an entry copies from its call's row. */
const listedAttributes = new Set<string>([
  ...callsTable.indexes.flatMap(({ projection }) => projection),
  'listedAt',
  'expiresAt',
]);

/** The rows by which the further agents of a call find it: copies of what a list shows of the call's row. */
export const agentEntriesOf = (record: CallRecord, row: Facts): readonly Facts[] => {
  const agents = furtherAgents(record);
  if (agents.length === 0) return [];

  const attributes = Object.entries(row).filter(([attribute]) => listedAttributes.has(attribute));
  const shown = Object.fromEntries(attributes.map(([attribute, value]) => [attribute, truncate(entryLimit, value)]));
  return agents.map(({ agentId, agentCalls }) => ({
    ...shown,
    ...agentEntryKey(record.key, agentId),
    kind: 'agent-entry',
    agentCalls,
  }));
};

/** Where the entries lie that a record had and its successor has no more. */
export const staleEntryKeys = (record: CallRecord, successor: CallRecord) => {
  const kept = new Set(furtherAgents(successor).map(({ agentId }) => agentId));
  return furtherAgents(record)
    .filter(({ agentId }) => !kept.has(agentId))
    .map(({ agentId }) => agentEntryKey(record.key, agentId));
};
