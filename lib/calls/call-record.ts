import { compare } from '../core/text.ts';
import { withDerived } from './derived-facts.ts';
import {
  byReceipt,
  callMergeRules,
  changedFields,
  type Delivery,
  isOnlyReported,
  mergeDeliveries,
  participantMergeRules,
  type RecordFacts,
  unionOf,
} from './merge-deliveries.ts';

/** The identity of a record: the ids of a call, and for a participant its id within the call. */
export type RecordKey =
  | { readonly kind: 'call'; readonly account: string; readonly callId: string }
  | { readonly kind: 'participant'; readonly account: string; readonly callId: string; readonly participantId: string };

/** What the event of a revision says of its change. The row has it where the deliveries do not show the same. */
export interface LastChange {
  /** The revision that it led to. An older version, which does not know this, may have written a later one. */
  readonly revision: number;
  /** When it happened (ISO instant): the receipt of the latest delivery by then. */
  readonly occurredAt: string;
  /** The names of the published fields that changed, in alphabetical order; absent in revision 1. */
  readonly changedFields?: readonly string[] | undefined;
}

/** Every delivery about one call or one participant, and the facts that they merge into. */
export interface CallRecord {
  readonly key: RecordKey;
  /** Every distinct delivery, the first received first. */
  readonly deliveries: readonly Delivery[];
  readonly facts: RecordFacts;
  /** Counts the published states: 1 for the first, and 1 more whenever the facts change. */
  readonly revision: number;
  /** Counts the writes, for optimistic locking. */
  readonly version: number;
  /** When the facts last changed in the table (ISO instant). */
  readonly recordedAt: string;
  /** When the first revision was written to the table (ISO instant). Only a call has it: participants are in no list. */
  readonly firstRecordedAt?: string | undefined;
  /** Absent in revision 1 of a record with a start or an end, which say when it happened. */
  readonly lastChange?: LastChange | undefined;
}

/** The record after deliveries, and whether one of them was new. */
export interface DeliveryResult {
  readonly outcome: 'stored' | 'duplicate';
  readonly record: CallRecord;
}

/** Lists of a call's agents: those of every leg are agents of the call. */
const agentLists = ['agentIds', 'agentNames', 'agentUniqueIds'] as const;

/**
 * The facts of a call, merged over its legs. The service sends the same ids in all summaries of a call, but UCID names
 * one leg of it. An inbound call that rang at two agents has an unanswered leg and an answered one.
 *
 * Where several UCIDs were named, `legs` has the facts of each, and the agents of all legs add up. In every other respect
 * all deliveries are merged as if they were about one leg: answered on any leg is answered. A delivery without a UCID is
 * about the call as a whole. So is, beside the legs of the call report, a callback whose UCID is the call's id, as the service sends them.
 */
export const mergeLegs = (deliveries: readonly Delivery[], callId?: string): RecordFacts => {
  const merged = mergeDeliveries(deliveries, callMergeRules);
  const isReported = !deliveries.every(isCallback);
  const legOf = ({ facts: { ucid }, source }: Delivery) =>
    isReported && source === undefined && ucid === callId ? undefined : ucid;
  const byLeg = Map.groupBy(deliveries, legOf);
  if (byLeg.size - Number(byLeg.has(undefined)) < 2) return merged;

  const parts = [...byLeg].map(([ucid, some]) => ({ ...mergeDeliveries(some, callMergeRules), ucid })).sort(inOrder);
  const agents = agentLists.flatMap((list) => unionOf(list, parts));
  return { ...merged, ...Object.fromEntries(agents), legs: parts.filter(({ ucid }) => ucid !== undefined) };
};

/** The whole call first, then its legs by their start; a leg without a start comes last. */
const inOrder = (a: RecordFacts, b: RecordFacts): number =>
  Number(a['ucid'] !== undefined) - Number(b['ucid'] !== undefined) || compare(position(a), position(b));

const position = ({ startedAt, ucid }: RecordFacts): string => `${startedAt ?? '~'} ${ucid}`;

/** The facts of a call or participant, merged from a set of deliveries. */
export const mergedFacts = ({ kind, callId }: RecordKey, deliveries: readonly Delivery[]): RecordFacts =>
  kind === 'call' ? mergeLegs(deliveries, callId) : mergeDeliveries(deliveries, participantMergeRules);

/** What subscribers see of a record: its facts, and `source` while only the call report has it. */
export const published = ({ facts, deliveries }: Pick<CallRecord, 'facts' | 'deliveries'>): RecordFacts => ({
  ...withDerived(facts),
  ...(isOnlyReported(deliveries) && { source: 'report' }),
});

/**
 * The record with other deliveries: a new revision if what is published of it changes, and the stored record itself if
 * nothing does.
 */
export const withDeliveries = (stored: CallRecord, deliveries: readonly Delivery[], now: string): CallRecord => {
  const facts = mergedFacts(stored.key, deliveries);
  const changed = changedFields(published(stored), published({ facts, deliveries }));
  const hasChanged = changed.length > 0;
  const revision = stored.revision + Number(hasChanged);
  const isSame = ({ id, receivedAt, erasedAt }: Delivery, index: number) => {
    const before = stored.deliveries[index];
    return id === before?.id && receivedAt === before.receivedAt && erasedAt === before.erasedAt;
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

/**
 * Adds deliveries to a record. The facts depend on the set of deliveries and on when each was first received. So a repeat
 * that was received earlier than the stored delivery, because it had been parked, is a duplicate but replaces it, unless
 * a person was erased from the stored one. If nothing is to be written, the record is the stored one.
 */
export const applyDeliveries = (
  key: RecordKey,
  stored: CallRecord | undefined,
  added: readonly Delivery[],
  recordedAt: string,
): DeliveryResult => {
  const before = stored?.deliveries ?? [];
  // The report tells of a person again and again, even after somebody has erased that person.
  const accepted = before.some(({ erasedAt }) => erasedAt !== undefined) ? added.filter(isCallback) : added;
  const deliveries = withoutIdleReports(key, accepted.reduce(withDelivery, before));
  const isNew = added.some(({ id }) => !before.some((other) => other.id === id) && deliveries.some((d) => d.id === id));
  const outcome = isNew ? 'stored' : 'duplicate';
  if (stored !== undefined) {
    const isSame = isSameList(before, deliveries);
    return { outcome, record: isSame ? stored : withDeliveries(stored, deliveries, recordedAt) };
  }
  const facts = mergedFacts(key, deliveries);
  const firstRecordedAt = key.kind === 'call' ? recordedAt : undefined;
  const first = { key, deliveries, facts, revision: 1, version: 1, recordedAt, firstRecordedAt };
  return { outcome, record: { ...first, lastChange: shownChange(first) } };
};

/**
 * The last change as the deliveries show it: the one that was received last led to it. That is nearly always so. It is not
 * where an earlier one was parked, several came together, a person was erased, or a record was derived again.
 */
export const shownChange = ({ key, facts, deliveries, revision, recordedAt }: CallRecord): LastChange | undefined => {
  const occurredAt = latestReceipt(deliveries, recordedAt);
  if (revision === 1)
    return (facts['endedAt'] ?? facts['startedAt']) === undefined ? { revision, occurredAt } : undefined;

  const others = deliveries.slice(0, -1);
  const before = published({ facts: mergedFacts(key, others), deliveries: others });
  return { revision, occurredAt, changedFields: changedFields(before, published({ facts, deliveries })) };
};

const latestReceipt = (deliveries: readonly Delivery[], now: string): string => deliveries.at(-1)?.receivedAt ?? now;

const withDelivery = (deliveries: readonly Delivery[], delivery: Delivery): readonly Delivery[] => {
  const same = deliveries.find(({ id }) => id === delivery.id);
  if (same !== undefined && (same.erasedAt !== undefined || same.receivedAt <= delivery.receivedAt)) return deliveries;
  return [...deliveries.filter(({ id }) => id !== delivery.id), delivery].sort(byReceipt);
};

const isSameList = (some: readonly Delivery[], others: readonly Delivery[]): boolean =>
  some.length === others.length && some.every((delivery, index) => delivery === others[index]);

/**
 * Whether a fact alone is no reason to store a record of the call report, as many callbacks lack it in every call: ids of
 * legs and messages, durations, which are zero where they mean nothing, and what only the report has.
 */
const isIncidental = (field: string): boolean =>
  /AsSent$|Seconds$/.test(field) ||
  ['ucid', 'sourceCallId', 'dataUniqueId', 'extra', 'notes', 'timeZone'].includes(field);

/**
 * The deliveries without those of the call report that add nothing to what was received before them. The report is read
 * again and again, and most of its calls are complete already: those cost no write. All records of a call in one reading
 * count together, because a single leg has less than all of them.
 */
const withoutIdleReports = (key: RecordKey, deliveries: readonly Delivery[]): readonly Delivery[] => {
  if (deliveries.every(isCallback)) return deliveries;

  const counted: Delivery[] = [];
  for (const received of Map.groupBy(deliveries, ({ receivedAt }) => receivedAt).values()) {
    counted.push(...received.filter(isCallback));
    const reported = received.filter((delivery) => !isCallback(delivery));
    if (counted.length === 0 || adds(key, counted, reported)) counted.push(...reported);
  }
  return deliveries.filter((delivery) => counted.includes(delivery));
};

const isCallback = ({ source }: Delivery): boolean => source === undefined;

const adds = (key: RecordKey, before: readonly Delivery[], reported: readonly Delivery[]): boolean =>
  changedFields(significant(mergedFacts(key, before)), significant(mergedFacts(key, [...before, ...reported]))).length >
  0;

/** The facts without what is incidental, in the legs too. */
const significant = (facts: RecordFacts): RecordFacts =>
  Object.fromEntries(
    Object.entries(facts)
      .filter(([field]) => !isIncidental(field))
      .map(([field, value]) => [field, field === 'legs' && Array.isArray(value) ? value.map(significant) : value]),
  );
