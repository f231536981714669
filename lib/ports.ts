import type { AccountBook } from './account/account-book.ts';
import type { Parked } from './callback/parked.ts';
import type { QuarantineEntry } from './callback/quarantine-entry.ts';
import type { BusEvent } from './publish/row-change.ts';
import type { Delivery } from './record/delivery.ts';
import type { RecordKey } from './record/record.ts';

/** The present instant. */
export type Clock = () => Date;

/** Gives the signal by which work on the tables has to be done, however much it is; after it the work is parked. */
export type Deadline = () => AbortSignal;

/** Keeps calls and participants: one row for each, whatever is repeated or comes at once. */
export interface CallStore {
  /**
   * Adds a delivery durably. `refused` means that the table can never take it (it is too large, say).
   * Throws when the table cannot be reached, or not before `signal` aborts.
   */
  record(key: RecordKey, delivery: Delivery, signal: AbortSignal): Promise<'stored' | 'duplicate' | 'refused'>;
}

/** Keeps what was not understood, with the reason. */
export interface Quarantine {
  /** `dropped` means that the bound on what strangers may leave is reached. Throws as above. */
  keep(entry: QuarantineEntry, signal: AbortSignal): Promise<'kept' | 'dropped'>;
}

/** Takes what the tables cannot take now. */
export interface ParkingLot {
  /** Resolves once all of it is durably in the queue; throws otherwise. */
  park(parked: readonly Parked[]): Promise<void>;
}

/** The accounts that this deployment serves. Throws when they cannot be read or are malformed. */
export interface Accounts {
  current(): Promise<AccountBook>;
  /** Reads them again, at most once in a while: a key may have been rotated a moment ago. */
  refreshed(): Promise<AccountBook>;
}

/** Takes events to the subscribers. */
export interface EventBus {
  /** Says for each event, in order, whether the bus took it. Throws when the bus cannot be reached. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}

/** What happened, as numbers and words: no payload, no key, nothing of a person can be said through it. */
export interface Telemetry {
  /** Adds to a metric. */
  count(metric: Metric, by?: number): void;
  /** Tells that a part of the outside world failed: where, and the error's name; its message may hold data. */
  fault(where: Place, error: unknown): void;
}

/** The names of the metrics. */
export const metrics = [
  'CallbackRecordsStored',
  'CallbackRecordsDuplicate',
  'CallbackRecordsQuarantined',
  'CallbackRecordsParked',
  'CallbacksRefused',
  'QuarantineDropped',
  'EventsPublished',
  'EventsFailed',
  'ParkedRecovered',
] as const;
export type Metric = (typeof metrics)[number];

/** What can fail outside of us. */
export type Place = 'accounts' | 'call-store' | 'quarantine' | 'parking' | 'bus' | 'parked-message' | 'row';
