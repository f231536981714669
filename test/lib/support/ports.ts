import type { Account } from '../../../lib/account/account.ts';
import { type AccountBook, accountBook } from '../../../lib/account/account-book.ts';
import type { Parked } from '../../../lib/callback/parked.ts';
import type { QuarantineEntry } from '../../../lib/callback/quarantine-entry.ts';
import type { Counter, Gauge } from '../../../lib/metrics.ts';
import type { Accounts, CallStore, EventBus, ParkingLot, Place, Quarantine, Telemetry } from '../../../lib/ports.ts';
import type { BusEvent } from '../../../lib/publish/row-change.ts';
import { admit, type CallRecord, type RecordKey } from '../../../lib/record/record.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';
import { recordedAt } from './record-of.ts';

const nameOf = ({ kind, account, callId, part }: RecordKey) => [kind, account, callId, part].join(' ');

/** Something outside of us that is down. Its message holds what must not be told. */
export const down = async (): Promise<never> => {
  throw Object.assign(new Error('SENTINEL data of a row'), { name: 'TimeoutError' });
};

/** A calls' table in memory. */
export const memoryCallStore = () => {
  const records = new Map<string, CallRecord>();
  const store: CallStore = {
    async record(key, delivery) {
      const { outcome, record } = admit(key, records.get(nameOf(key)), delivery, recordedAt);
      records.set(nameOf(key), record);
      return outcome;
    },
  };
  return { ...store, records: () => [...records.values()] };
};

/** A quarantine in memory. */
export const memoryQuarantine = () => {
  const entries: QuarantineEntry[] = [];
  const quarantine: Quarantine = {
    async keep(entry) {
      entries.push(entry);
      return 'kept';
    },
  };
  return { ...quarantine, entries };
};

/** A parking queue that remembers what was parked, as the queue would: as JSON. */
export const memoryParking = () => {
  const bodies: string[] = [];
  const parking: ParkingLot = {
    async park(parked: readonly Parked[]) {
      bodies.push(...parked.map((item) => JSON.stringify(item)));
    },
  };
  return { ...parking, bodies };
};

/** Accounts that are `live`, or `rotated` once they have been read again. */
export const fixedAccounts = (
  live: readonly Account[] = [demoAccount, otherAccount] as never,
  rotated: readonly Account[] = live,
) => {
  const counts = { current: 0, refreshed: 0 };
  const book = (list: readonly Account[]): AccountBook => accountBook(list);
  const accounts: Accounts = {
    async current() {
      counts.current += 1;
      return book(live);
    },
    async refreshed() {
      counts.refreshed += 1;
      return book(rotated);
    },
  };
  return { ...accounts, counts };
};

/** Telemetry that remembers what it was told. */
export const recordingTelemetry = () => {
  const counts: Partial<Record<Counter, number>> = {};
  const measured: Partial<Record<Gauge, number[]>> = {};
  const faults: (readonly [Place, unknown])[] = [];
  const telemetry: Telemetry = {
    count(metric, by = 1) {
      counts[metric] = (counts[metric] ?? 0) + by;
    },
    measure(metric, value) {
      measured[metric] = [...(measured[metric] ?? []), value];
    },
    fault(where, error) {
      faults.push([where, error]);
    },
  };
  return { ...telemetry, counts, measured, faults, places: () => faults.map(([where]) => where) };
};

/** A bus that remembers each call, and takes what `takes` lets pass. */
export const recordingBus = (takes: (event: BusEvent) => boolean = () => true) => {
  const calls: (readonly BusEvent[])[] = [];
  const bus: EventBus = {
    async publish(events) {
      calls.push(events);
      return events.map(takes);
    },
  };
  return { ...bus, calls, sent: () => calls.flat().filter(takes) };
};
