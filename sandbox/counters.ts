/** Counts since the start. */
export interface Counts {
  readonly callbacks: Readonly<Record<string, number>>;
  readonly events: number;
  readonly publishRetries: number;
  readonly parked: number;
  readonly recovered: number;
  readonly recoveryRetries: number;
  readonly deadLetters: number;
  /** Ticks that the schedule sent, that the poller processed, and that are retried. */
  readonly ticks: number;
  readonly ticksProcessed: number;
  readonly ticksRetried: number;
  /** Messages of reconciliation with the call report that the function processed, and that are retried. */
  readonly reconciliationSteps: number;
  readonly reconciliationRetries: number;
}

type Counted = Exclude<keyof Counts, 'callbacks'>;

/** Counts what happens. Callbacks are counted by the HTTP status of their reply. */
export interface Counters {
  countCallback(status: number): void;
  add(what: Counted, count: number): void;
  counts(): Counts;
}

/** Counters that start at 0. */
export const createCounters = (): Counters => {
  const callbacks: Record<string, number> = {};
  const counts = {
    events: 0,
    publishRetries: 0,
    parked: 0,
    recovered: 0,
    recoveryRetries: 0,
    deadLetters: 0,
    ticks: 0,
    ticksProcessed: 0,
    ticksRetried: 0,
    reconciliationSteps: 0,
    reconciliationRetries: 0,
  };

  return {
    countCallback(status) {
      callbacks[status] = (callbacks[status] ?? 0) + 1;
    },
    add(what, count) {
      counts[what] += count;
    },
    counts: () => ({ callbacks: { ...callbacks }, ...counts }),
  };
};
