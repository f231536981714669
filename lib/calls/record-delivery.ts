import { loggableError } from '../core/result.ts';
import type { Clock } from '../core/time.ts';
import type { PutResult, VersionedRows } from '../storage/rows.ts';
import { withoutSignature } from '../telephony/signed-links.ts';
import { type CallRecord, changeByLatestDelivery, mergedFacts, type RecordKey, withDeliveries } from './call-record.ts';
import { agentEntriesOf, recordOf, rowOf, staleEntryKeys } from './call-row.ts';
import {
  byReceipt,
  callMergeRules,
  changedFields,
  type Delivery,
  isCallback,
  type RecordFacts,
} from './merge-deliveries.ts';

/** Stores calls and participants: one row for each, even if deliveries are repeated or arrive at the same time. */
export interface CallStore {
  /** `rejected`: the table can never store the row. Throws when it does not answer before `signal` aborts. */
  record(key: RecordKey, delivery: Delivery, signal: AbortSignal): Promise<'stored' | 'duplicate' | 'rejected'>;
}

export interface CallStoreSettings {
  readonly rows: VersionedRows;
  readonly retentionDays: number;
  readonly clock: Clock;
}

/** How often a write is tried. Each conflict means that another writer of the call was first; so many are a fault. */
const maxAttempts = 20;

/** The stored record itself if nothing is to be written. */
interface Change {
  readonly record: CallRecord;
}

/**
 * Writes a record's row and the entries of its further agents over exactly the version that the change started from.
 * The first attempt starts from `start`, the record as somebody has read it, or from none. A conflict shows the row as
 * it is now, so no read is needed, and the change is made again. A conflict that shows no row begins again with
 * `start`.
 */
export const changeRecord =
  (settings: Omit<CallStoreSettings, 'clock'>) =>
  async <Result extends Change>(
    change: (stored: CallRecord | undefined) => Result,
    signal: AbortSignal,
    start?: CallRecord,
  ): Promise<Result | 'rejected'> => {
    let stored = start;

    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const result = change(stored);
      const { record } = result;
      if (record === stored) return result;

      const put = await putRecord(settings, record, stored, signal);
      if (put.kind === 'rejected') return 'rejected';
      if (put.kind === 'written') return result;
      stored = put.row === undefined ? start : recordOf(put.row);
    }
    throw loggableError(`Others changed the row ${maxAttempts} times`);
  };

const putRecord = (
  { rows, retentionDays }: Omit<CallStoreSettings, 'clock'>,
  record: CallRecord,
  stored: CallRecord | undefined,
  signal: AbortSignal,
): Promise<PutResult> => {
  const row = rowOf(record, retentionDays);
  const removes = stored === undefined ? [] : staleEntryKeys(stored, record);
  return rows.putNextVersion(row, { puts: agentEntriesOf(record, row), removes }, signal);
};

/** A new call costs one conditional put. If it fails, it returns the row, in which a repeat is found. */
export const recordDelivery =
  (settings: CallStoreSettings): CallStore['record'] =>
  async (key, delivery, signal) => {
    const recordedAt = () => settings.clock().toISOString();
    const result = await changeRecord(settings)(
      (stored) => applyDeliveries(key, stored, [delivery], recordedAt()),
      signal,
    );
    return result === 'rejected' ? result : result.outcome;
  };

export interface DeliveryResult {
  readonly outcome: 'stored' | 'duplicate';
  readonly record: CallRecord;
}

/**
 * Adds deliveries to a record. A repeat received before the stored delivery, because it was parked, replaces it, unless a
 * person was erased from that. If nothing is to be written, the record is the stored one.
 */
export const applyDeliveries = (
  key: RecordKey,
  stored: CallRecord | undefined,
  added: readonly Delivery[],
  recordedAt: string,
): DeliveryResult => {
  const before = stored?.deliveries ?? [];
  // The report names a person again and again, even after somebody has erased that person.
  const accepted = before.some(({ erasedAt }) => erasedAt !== undefined) ? added.filter(isCallback) : added;
  const deliveries = dropIdleReports(key, accepted.reduce(withDelivery, before));
  const isNew = added.some(({ id }) => !before.some((other) => other.id === id) && deliveries.some((d) => d.id === id));
  const outcome = isNew ? 'stored' : 'duplicate';
  if (stored !== undefined) {
    const isSame = isSameList(before, deliveries);
    return { outcome, record: isSame ? stored : withDeliveries(stored, deliveries, recordedAt) };
  }
  const facts = mergedFacts(key, deliveries);
  const firstRecordedAt = key.kind === 'call' ? recordedAt : undefined;
  const first = { key, deliveries, facts, revision: 1, version: 1, recordedAt, firstRecordedAt };
  return { outcome, record: { ...first, lastChange: changeByLatestDelivery(first) } };
};

const withDelivery = (deliveries: readonly Delivery[], delivery: Delivery): readonly Delivery[] => {
  const same = deliveries.find(({ id }) => id === delivery.id);
  if (same !== undefined && (same.erasedAt !== undefined || same.receivedAt <= delivery.receivedAt)) return deliveries;
  return [...deliveries.filter(({ id }) => id !== delivery.id), delivery].sort(byReceipt);
};

const isSameList = (some: readonly Delivery[], others: readonly Delivery[]): boolean =>
  some.length === others.length && some.every((delivery, index) => delivery === others[index]);

/**
 * Whether a fact is too little to store a record of the call report for. Many callbacks lack these facts in every call: ids of
 * legs and messages, what only the report has, and durations, where zero means nothing.
 */
const isIncidental = (field: string): boolean =>
  field.endsWith('AsSent') || field.endsWith('Seconds') || ['ucid', 'dataUniqueId', 'extra', 'notes'].includes(field);

/**
 * Leaves out reports that add nothing: most calls read again are complete, and cost no write. One reading's records of a
 * call count together, because a single leg has less than all of them.
 */
const dropIdleReports = (key: RecordKey, deliveries: readonly Delivery[]): readonly Delivery[] => {
  if (deliveries.every(isCallback)) return deliveries;

  const counted: Delivery[] = [];
  for (const received of Map.groupBy(deliveries, ({ receivedAt }) => receivedAt).values()) {
    counted.push(...received.filter(isCallback));
    const reported = received.filter((delivery) => !isCallback(delivery));
    if (reported.length > 0 && (counted.length === 0 || adds(key, counted, reported))) counted.push(...reported);
  }
  return deliveries.filter((delivery) => counted.includes(delivery));
};

const adds = (key: RecordKey, before: readonly Delivery[], reported: readonly Delivery[]): boolean =>
  changedFields(significant(mergedFacts(key, before)), significant(mergedFacts(key, [...before, ...reported]))).length >
  0;

/** The facts without what is incidental, in the legs too. The signature of a link changes with every reading of the report. */
const significant = (facts: RecordFacts): RecordFacts =>
  Object.fromEntries(
    Object.entries(facts)
      .filter(([field]) => !isIncidental(field))
      .map(([field, value]) => {
        if (!Array.isArray(value)) return [field, value];
        if (field === 'legs') return [field, value.map(significant)];
        return [field, callMergeRules.additive.includes(field) ? value.map(String).map(withoutSignature) : value];
      }),
  );
