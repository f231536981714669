import type { ConsoleLog } from './console-log.ts';

const none = {
  events: 0,
  publishRetries: 0,
  parked: 0,
  recovered: 0,
  recoveryRetries: 0,
  deadLetters: 0,
  /** Ticks that the schedule sent, that the poller processed, and that are retried. */
  ticks: 0,
  ticksProcessed: 0,
  ticksRetried: 0,
  /** Messages of reconciliation with the call report that the function processed, and that are retried. */
  reconciliationSteps: 0,
  reconciliationRetries: 0,
  /** Deliveries that were forwarded or given up, and failed attempts. */
  forwarded: 0,
  forwardRetries: 0,
  /** Calls of which no recording waits any more, and those that are looked at again. */
  recordingMessages: 0,
  recordingRetries: 0,
};
export type Counted = keyof typeof none;

/** Counts since the start. Callbacks are counted by the HTTP status of their reply. */
export type Counts = Readonly<Record<Counted, number>> & { readonly callbacks: Readonly<Record<string, number>> };

export type Counters = ReturnType<typeof createCounters>;

export interface Monitors {
  readonly consoleLog: ConsoleLog;
  readonly counters: Counters;
}

export const createCounters = () => {
  const callbacks: Record<string, number> = {};
  const counts = { ...none };

  return {
    countCallback(status: number) {
      callbacks[status] = (callbacks[status] ?? 0) + 1;
    },
    add(what: Counted, count: number) {
      counts[what] += count;
    },
    counts: (): Counts => ({ callbacks: { ...callbacks }, ...counts }),
  };
};
