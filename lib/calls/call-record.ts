import { canonicalJson } from '../core/canonical-json.ts';
import type { Facts } from '../core/objects.ts';
import { byReceipt, type Delivery } from './delivery.ts';
import { callMergeRules, mergeDeliveries, participantMergeRules } from './merge-deliveries.ts';

/** What a record tells of, unique within an account: `part` is a call's leg or a participant's id. */
export interface RecordKey {
  readonly kind: 'call' | 'participant';
  readonly account: string;
  readonly callId: string;
  readonly part: string;
}

/** Everything received about one leg of a call or one participant, and the one account of it that stands. */
export interface CallRecord {
  readonly key: RecordKey;
  /** Every distinct delivery, the first received first. */
  readonly deliveries: readonly Delivery[];
  readonly facts: Facts;
  /** Counts the states that subscribers are told of: 1 for the first, one more whenever the facts change. */
  readonly revision: number;
  /** Counts the writes, for optimistic locking. */
  readonly version: number;
  /** When the facts last changed in the table (ISO instant). */
  readonly recordedAt: string;
}

/** What a delivery did: a repeat of a known one does nothing. */
export interface DeliveryResult {
  readonly outcome: 'stored' | 'duplicate';
  readonly record: CallRecord;
}

const mergeRules = { call: callMergeRules, participant: participantMergeRules };

/** What a set of deliveries says of a call or participant. */
export const mergedFacts = (kind: RecordKey['kind'], deliveries: readonly Delivery[]): Facts =>
  mergeDeliveries(deliveries, mergeRules[kind]);

/**
 * Adds a delivery to what is known. The facts depend on the set of deliveries and on when each was first received; so a
 * repeat that turns out to have been received earlier (it had been parked) is no new delivery, but moves its place.
 */
export const applyDelivery = (
  key: RecordKey,
  known: CallRecord | undefined,
  delivery: Delivery,
  recordedAt: string,
): DeliveryResult => {
  const before = known?.deliveries.find(({ id }) => id === delivery.id);
  if (known !== undefined && before !== undefined && before.receivedAt <= delivery.receivedAt)
    return { outcome: 'duplicate', record: known };

  const others = known?.deliveries.filter(({ id }) => id !== delivery.id) ?? [];
  const deliveries = [...others, delivery].sort(byReceipt);
  const facts = mergedFacts(key.kind, deliveries);
  const changed = known === undefined || canonicalJson(facts) !== canonicalJson(known.facts);

  return {
    outcome: before === undefined ? 'stored' : 'duplicate',
    record: {
      key,
      deliveries,
      facts,
      revision: (known?.revision ?? 0) + Number(changed),
      version: (known?.version ?? 0) + 1,
      recordedAt: changed ? recordedAt : known.recordedAt,
    },
  };
};
