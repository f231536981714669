import type { RecordKey } from './call-record.ts';
import type { Delivery } from './delivery.ts';

/** Keeps calls and participants: one row for each, whatever is repeated or comes at once. */
export interface CallStore {
  /**
   * Adds a delivery durably. `rejected` means that the table can never take it (it is too large, say).
   * Throws when the table cannot be reached, or not before `signal` aborts.
   */
  record(key: RecordKey, delivery: Delivery, signal: AbortSignal): Promise<'stored' | 'duplicate' | 'rejected'>;
}
