import type { Facts } from '../core/collections.ts';
import { canonicalJson } from '../core/json.ts';
import { compare } from '../core/text.ts';
import {
  byReceipt,
  callMergeRules,
  changedFields,
  type Delivery,
  mergeDeliveries,
  participantMergeRules,
  unionOf,
} from './merge-deliveries.ts';

/** The identity of a record: the ids of a call, and for a participant its id within the call. */
export type RecordKey =
  | { readonly kind: 'call'; readonly account: string; readonly callId: string }
  | { readonly kind: 'participant'; readonly account: string; readonly callId: string; readonly participantId: string };

/** Every delivery about one call or one participant, and the facts that they merge into. */
export interface CallRecord {
  readonly key: RecordKey;
  /** Every distinct delivery, the first received first. */
  readonly deliveries: readonly Delivery[];
  readonly facts: Facts;
  /** Counts the published states: 1 for the first, and 1 more whenever the facts change. */
  readonly revision: number;
  /** Counts the writes, for optimistic locking. */
  readonly version: number;
  /** When the facts last changed in the table (ISO instant). */
  readonly recordedAt: string;
}

/** The record after a delivery, and whether the delivery was new. */
export interface DeliveryResult {
  readonly outcome: 'stored' | 'duplicate';
  readonly record: CallRecord;
}

/** Lists of a call's agents: those of every leg are agents of the call. */
const agentLists = ['agentIds', 'agentNames', 'agentUniqueIds'] as const;

/**
 * The facts of a call, merged over its legs. Practice: the ids of a call are the same in all its summaries, but UCID names
 * one leg of it; an inbound call that rang at two agents has an unanswered leg and an answered one.
 *
 * Where several UCIDs were named, `legs` has the facts of each, and the agents of all legs add up. In every other respect
 * all deliveries are merged as if they were about one leg: answered on any leg is answered. A delivery without a UCID is
 * about the call as a whole.
 */
export const mergeLegs = (deliveries: readonly Delivery[]): Facts => {
  const merged = mergeDeliveries(deliveries, callMergeRules);
  const byLeg = Map.groupBy(deliveries, ({ facts }) => facts['ucid']);
  if (byLeg.size - Number(byLeg.has(undefined)) < 2) return merged;

  const parts = [...byLeg.values()].map((some) => mergeDeliveries(some, callMergeRules)).sort(inOrder);
  const agents = agentLists.flatMap((list) => unionOf(list, parts));
  return { ...merged, ...Object.fromEntries(agents), legs: parts.filter(({ ucid }) => ucid !== undefined) };
};

/** The whole call first, then its legs by their start; a leg without a start comes last. */
const inOrder = (a: Facts, b: Facts): number =>
  Number(a['ucid'] !== undefined) - Number(b['ucid'] !== undefined) || compare(position(a), position(b));

const position = ({ startedAt, ucid }: Facts): string => `${startedAt ?? '~'} ${ucid}`;

/** The facts of a call or participant, merged from a set of deliveries. */
export const mergedFacts = (kind: RecordKey['kind'], deliveries: readonly Delivery[]): Facts =>
  kind === 'call' ? mergeLegs(deliveries) : mergeDeliveries(deliveries, participantMergeRules);

/**
 * The record with the same deliveries read differently: a new revision if its facts change, and the stored record itself
 * if nothing does.
 */
export const withDeliveries = (stored: CallRecord, deliveries: readonly Delivery[], now: string): CallRecord => {
  const facts = mergedFacts(stored.key.kind, deliveries);
  const hasChanged = changedFields(stored.facts, facts).length > 0;
  const isSame = ({ id, erasedAt }: Delivery, index: number) =>
    id === stored.deliveries[index]?.id && erasedAt === stored.deliveries[index]?.erasedAt;
  if (!hasChanged && deliveries.length === stored.deliveries.length && deliveries.every(isSame)) return stored;

  return {
    ...stored,
    deliveries,
    facts,
    revision: stored.revision + Number(hasChanged),
    version: stored.version + 1,
    recordedAt: hasChanged ? now : stored.recordedAt,
  };
};

/**
 * Adds a delivery to a record. The facts depend on the set of deliveries and on when each was first received. So a repeat
 * that was received earlier than the stored delivery, because it had been parked, is a duplicate but replaces it, unless
 * a person was erased from the stored one.
 */
export const applyDelivery = (
  key: RecordKey,
  stored: CallRecord | undefined,
  delivery: Delivery,
  recordedAt: string,
): DeliveryResult => {
  const same = stored?.deliveries.find(({ id }) => id === delivery.id);
  if (
    stored !== undefined &&
    same !== undefined &&
    (same.erasedAt !== undefined || same.receivedAt <= delivery.receivedAt)
  )
    return { outcome: 'duplicate', record: stored };

  const others = stored?.deliveries.filter(({ id }) => id !== delivery.id) ?? [];
  const deliveries = [...others, delivery].sort(byReceipt);
  const facts = mergedFacts(key.kind, deliveries);
  const changed = stored === undefined || canonicalJson(facts) !== canonicalJson(stored.facts);

  return {
    outcome: same === undefined ? 'stored' : 'duplicate',
    record: {
      key,
      deliveries,
      facts,
      revision: (stored?.revision ?? 0) + Number(changed),
      version: (stored?.version ?? 0) + 1,
      recordedAt: changed ? recordedAt : stored.recordedAt,
    },
  };
};
