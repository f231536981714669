import type { AccountBook } from './account/account-book.ts';
import type { ServiceAnswer } from './agent-login/answer.ts';
import type { ServiceRequest } from './agent-login/request.ts';
import type { Parked } from './callback/parked.ts';
import type { QuarantineEntry } from './callback/quarantine-entry.ts';
import type { PollFailure } from './feed/problem.ts';
import type { RowKey } from './floor/keys.ts';
import type { AgentsRow } from './floor/rows.ts';
import type { Counter, Gauge } from './metrics.ts';
import type { BusEvent } from './publish/row-change.ts';
import type { Delivery, Facts } from './record/delivery.ts';
import type { RecordKey } from './record/record.ts';
import type { Result } from './result.ts';

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

/** A row of which every write counts one `version` on, so that nobody writes over what they have not read. */
export type VersionedRow = AgentsRow & { readonly version: number };

/** What is written together with a versioned row, or not at all. */
export interface Together {
  readonly puts: readonly AgentsRow[];
  readonly removes: readonly RowKey[];
}

/** The agents' table, row by row. Every method throws when the table cannot be reached. */
export interface AgentTable {
  /** All rows of a partition in the order of their sort keys, or those between two of them, read consistently. */
  rows(pk: string, between?: { readonly from: string; readonly to: string }): Promise<readonly Facts[]>;
  /**
   * Writes the next version of a row, and up to 99 other rows with it, all or nothing. `overtaken` means that the row's
   * version is no longer the one before (none, for version 1): somebody else wrote it, or this very write did, and the
   * answer to its first try got lost.
   */
  write(guard: VersionedRow, together?: Together): Promise<'written' | 'overtaken'>;
  /** Puts rows, each on its own and in no order; no key may occur twice. */
  put(rows: readonly AgentsRow[]): Promise<void>;
  /** Removes rows likewise. */
  remove(keys: readonly RowKey[]): Promise<void>;
}

/** The telephony service. It never throws: whatever prevents an answer is one of the known failures. */
export interface TelephonyService {
  /** Posts JSON, follows no redirect, and gives up after `requestTimeoutMs`. */
  post(request: ServiceRequest): Promise<Result<ServiceAnswer, PollFailure>>;
}

/** Takes events to the subscribers. */
export interface EventBus {
  /** Says for each event, in order, whether the bus took it. Throws when the bus cannot be reached. */
  publish(events: readonly BusEvent[]): Promise<readonly boolean[]>;
}

/** What happened, as numbers and words: no payload, no key, nothing of a person can be said through it. */
export interface Telemetry {
  /** Adds to what is counted. Zero is a count too: it tells an alarm that compares that there was none. */
  count(metric: Counter, by?: number): void;
  /** Notes one value of what is measured, in the metric's unit. Zero is a value. */
  measure(metric: Gauge, value: number): void;
  /** Tells that a part of the outside world failed: where, and the error's name; its message may hold data. */
  fault(where: Place, error: unknown): void;
}

/** What can fail outside of us. */
export type Place =
  | 'accounts'
  | 'call-store'
  | 'quarantine'
  | 'parking'
  | 'bus'
  | 'parked-message'
  | 'row'
  | 'agent-store'
  | 'telephony-service';
