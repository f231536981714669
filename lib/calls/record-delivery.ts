import { loggableError } from '../core/result.ts';
import type { Clock } from '../core/time.ts';
import type { PutResult, VersionedRows } from '../storage/rows.ts';
import { applyDeliveries, type CallRecord, type RecordKey } from './call-record.ts';
import { agentEntriesOf, recordOf, rowOf, staleEntryKeys } from './call-row.ts';
import type { Delivery } from './merge-deliveries.ts';

/** Stores calls and participants: one row for each, even if deliveries are repeated or arrive at the same time. */
export interface CallStore {
  /**
   * Adds a delivery durably. `rejected` means that the table can never store the row, for example because it is too
   * large. Throws when the table cannot be reached, or does not answer before `signal` aborts.
   */
  record(key: RecordKey, delivery: Delivery, signal: AbortSignal): Promise<'stored' | 'duplicate' | 'rejected'>;
}

/** The calls' table, and for how many days it retains a row. */
export interface CallStoreSettings {
  readonly rows: VersionedRows;
  readonly retentionDays: number;
  readonly clock: Clock;
}

/** Writers of one call at the same time write one after the other. More conflicts than this are a fault. */
const maxAttempts = 20;

/** A record as it is after a change; the stored one itself if nothing is to be written. */
interface Change {
  readonly record: CallRecord;
}

/**
 * Writes a record's row and the entries of its further agents over exactly the version that the change started from:
 * first over `start`, the record as somebody has read it, or over none. A conflict shows the row as it is now, so no read
 * is needed, and the change is made again. A conflict that shows no row begins again with `start`.
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

/**
 * Stores a delivery. A new call costs one conditional put. If its row exists, the failed put returns that row, in which a
 * repeated delivery is found.
 */
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
