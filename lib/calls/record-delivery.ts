import { loggableError } from '../core/result.ts';
import type { VersionedRows } from '../schema/versioned-rows.ts';
import type { Clock } from '../telemetry/metrics.ts';
import { applyDelivery, type CallRecord, type RecordKey } from './call-record.ts';
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

/** Deliveries of one call that arrive at the same time write one after the other. More conflicts than this are a fault. */
const maxAttempts = 20;

/**
 * Stores a delivery. A new call costs one conditional put. If its row exists, the failed put returns that row, so no
 * read is needed. A repeated delivery is found in it, and a new one is written over exactly that version. A conflict
 * that shows no row starts again as for a new call.
 */
export const recordDelivery =
  ({ rows, retentionDays, clock }: CallStoreSettings): CallStore['record'] =>
  async (key, delivery, signal) => {
    let stored: CallRecord | undefined;

    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { outcome, record } = applyDelivery(key, stored, delivery, clock().toISOString());
      if (record === stored) return outcome;

      const row = rowOf(record, retentionDays);
      const puts = agentEntriesOf(record, row);
      const removes = stored === undefined ? [] : staleEntryKeys(stored, record);
      const put = await rows.putNextVersion(row, { puts, removes }, signal);
      if (put.kind === 'rejected') return 'rejected';
      if (put.kind === 'written') return outcome;
      stored = put.row && recordOf(put.row);
    }
    throw loggableError(`Others changed the row ${maxAttempts} times`);
  };
