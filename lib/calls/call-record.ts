import { compare } from '../core/collections.ts';
import type { Note } from '../storage/field.ts';
import { notesOf, sortedNotes, withNotes } from '../telephony/field-kinds.ts';
import { maxRecordings } from '../telephony/recording-links.ts';
import {
  callMergeRules,
  changedFields,
  type Delivery,
  isCallback,
  isOnlyReported,
  mergeDeliveries,
  participantMergeRules,
  type RecordFacts,
  unionOf,
} from './merge-deliveries.ts';
import { plausible } from './plausible-facts.ts';

export type RecordKey =
  | { readonly kind: 'call'; readonly account: string; readonly callId: string }
  | {
      readonly kind: 'participant';
      readonly account: string;
      readonly callId: string;
      readonly participantId: string;
    };

/** What the event of a revision says of its change. The row stores it only where the deliveries do not show it. */
export interface LastChange {
  /** The revision that the change led to. A later one may come from an older version of Callfeed, which does not know this field. */
  readonly revision: number;
  /** When it happened (ISO instant): the receipt of the latest delivery by then. */
  readonly occurredAt: string;
  /** The names of the published fields that changed, in alphabetical order; absent in revision 1. */
  readonly changedFields?: readonly string[] | undefined;
}

export interface CallRecord {
  readonly key: RecordKey;
  /** Every distinct delivery, the first received first. */
  readonly deliveries: readonly Delivery[];
  readonly facts: RecordFacts;
  /** Counts the published states: 1 for the first, and 1 more whenever the facts change. */
  readonly revision: number;
  readonly version: number;
  /** When the facts last changed in the table (ISO instant). */
  readonly recordedAt: string;
  /** When the first revision was written to the table (ISO instant). Only a call has it: participants are in no list. */
  readonly firstRecordedAt?: string | undefined;
  /** Absent in revision 1 of a record with a start or an end, which say when it happened. */
  readonly lastChange?: LastChange | undefined;
}

/** Lists of a call's agents: those of every leg are agents of the call. */
const agentLists = ['agentIds', 'agentNames', 'agentUniqueIds'] as const;

/**
 * The facts of a call, merged over its legs. The service sends the same ids in all summaries of a call, but UCID names
 * one leg of it. An inbound call that rang at two agents has an unanswered leg and an answered one.
 *
 * Where several UCIDs were named, `legs` has the facts of each, and the agents of all legs add up. In every other respect
 * all deliveries are merged as if they were about one leg: answered on any leg is answered. A delivery without a UCID is
 * about the call as a whole. If the call report has the call too, a callback whose UCID is the call's id
 * is also about the whole call, not about a leg.
 */
export const mergeLegs = (deliveries: readonly Delivery[], callId?: string): RecordFacts => {
  const merged = withoutApproximation(mergeDeliveries(deliveries, callMergeRules));
  const isReported = !deliveries.every(isCallback);
  const legOf = ({ facts: { ucid }, source }: Delivery) =>
    isReported && source === undefined && ucid === callId ? undefined : ucid;
  const byLeg = Map.groupBy(deliveries, legOf);
  if (byLeg.size - Number(byLeg.has(undefined)) < 2) return merged;

  const parts = [...byLeg]
    .map(([ucid, some]) => ({ ...withoutApproximation(mergeDeliveries(some, callMergeRules)), ucid }))
    .sort(inOrder);
  const agents = agentLists.flatMap((list) => unionOf(list, parts));
  return { ...merged, ...Object.fromEntries(agents), legs: parts.filter(({ ucid }) => ucid !== undefined) };
};

/** The whole call first, then its legs by their start; a leg without a start comes last. */
const inOrder = (a: RecordFacts, b: RecordFacts): number =>
  Number(a['ucid'] !== undefined) - Number(b['ucid'] !== undefined) || compare(position(a), position(b));

const position = ({ startedAt, ucid }: RecordFacts): string => `${startedAt ?? '~'} ${ucid}`;

export const mergedFacts = ({ kind, callId }: RecordKey, deliveries: readonly Delivery[]): RecordFacts => {
  const counting = deliveries.map(plausible);
  return kind === 'call' ? mergeLegs(counting, callId) : mergeDeliveries(counting, participantMergeRules);
};

const withoutApproximation = ({ approximateAt, ...facts }: RecordFacts): RecordFacts => {
  if (approximateAt === undefined) return facts;
  if (timesOf(facts).length === 0) return { ...facts, approximateAt };
  const { notes: _all, ...others } = facts;
  return withNotes(
    notesOf(facts).filter(({ field }) => field !== 'approximateAt'),
    others,
  );
};

/** The instants that say when it happened, the best first: its start, its end, and near which it was. */
export const timesOf = ({ startedAt, endedAt, approximateAt }: RecordFacts): readonly string[] =>
  [startedAt, endedAt, approximateAt].filter((at) => typeof at === 'string');

const endBeforeStart: Note = { field: 'endedAt', reason: 'end-before-start' };
const tooManyRecordings: Note = { field: 'recordings', reason: 'too-many' };
const derivedReasons: ReadonlySet<string> = new Set([endBeforeStart.reason, tooManyRecordings.reason]);

/**
 * Adds the time from start to end in seconds: after the merge, as each may come from another delivery. Where the end
 * precedes the start, there is a note instead. Links beyond the limit, from several deliveries, get a note too.
 */
export const withDerived = (merged: RecordFacts): RecordFacts => {
  const facts = hasTooManyRecordings(merged) ? withNote(merged, tooManyRecordings) : merged;
  const { startedAt, endedAt } = facts;
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string') return facts;

  const elapsedSeconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return elapsedSeconds < 0 ? withNote(facts, endBeforeStart) : { ...facts, elapsedSeconds };
};

const withNote = (facts: RecordFacts, note: Note): RecordFacts => ({
  ...facts,
  notes: sortedNotes([...notesOf(facts), note]),
});

const hasTooManyRecordings = ({ recordings = [], conferenceRecordings = [] }: RecordFacts): boolean =>
  [recordings, conferenceRecordings].flat().length > maxRecordings;

export const withoutDerived = ({ elapsedSeconds: _elapsed, ...facts }: RecordFacts): RecordFacts => {
  const notes = notesOf(facts).filter(({ reason }) => !derivedReasons.has(reason));
  const { notes: _all, ...others } = facts;
  return notes.length > 0 ? { ...others, notes } : others;
};

/** What subscribers see of a record: its facts, and `source` while only the call report has it. */
export const published = ({ facts, deliveries }: Pick<CallRecord, 'facts' | 'deliveries'>): RecordFacts => ({
  ...withDerived(facts),
  ...(isOnlyReported(deliveries) && { source: 'report' }),
});

/** A new revision if what is published of it changes; the stored record itself if nothing does. */
export const withDeliveries = (stored: CallRecord, deliveries: readonly Delivery[], now: string): CallRecord => {
  const facts = mergedFacts(stored.key, deliveries);
  const changed = changedFields(published(stored), published({ facts, deliveries }));
  const hasChanged = changed.length > 0;
  const revision = stored.revision + Number(hasChanged);
  const isSame = ({ id, receivedAt, erasedAt, country }: Delivery, index: number) => {
    const before = stored.deliveries[index];
    if (id !== before?.id || country !== before.country) return false;
    return receivedAt === before.receivedAt && erasedAt === before.erasedAt;
  };
  if (!hasChanged && deliveries.length === stored.deliveries.length && deliveries.every(isSame)) return stored;

  return {
    ...stored,
    deliveries,
    facts,
    revision,
    version: stored.version + 1,
    ...(hasChanged && {
      recordedAt: now,
      lastChange: { revision, occurredAt: latestReceipt(deliveries, now), changedFields: changed },
    }),
  };
};

/** The delivery received last led to it, nearly always: not after parking, an erasure, or a record derived again. */
export const changeByLatestDelivery = ({
  key,
  facts,
  deliveries,
  revision,
  recordedAt,
}: CallRecord): LastChange | undefined => {
  const occurredAt = latestReceipt(deliveries, recordedAt);
  if (revision === 1) return timesOf(facts).length === 0 ? { revision, occurredAt } : undefined;

  const others = deliveries.slice(0, -1);
  const before = published({ facts: mergedFacts(key, others), deliveries: others });
  return { revision, occurredAt, changedFields: changedFields(before, published({ facts, deliveries })) };
};

const latestReceipt = (deliveries: readonly Delivery[], now: string): string => deliveries.at(-1)?.receivedAt ?? now;
