const none = {
  events: 0,
  publishRetries: 0,
  parked: 0,
  recovered: 0,
  recoveryRetries: 0,
  deadLetters: 0,
  ticks: 0,
  ticksProcessed: 0,
  ticksRetried: 0,
};

export type Counters = ReturnType<typeof createCounters>;

/** Counts since the start; features add their own. Callbacks are counted by the HTTP status of their reply. */
export const createCounters = () => {
  const callbacks: Record<string, number> = {};
  const counts: typeof none & Record<string, number> = { ...none };

  return {
    countCallback(status: number) {
      callbacks[status] = (callbacks[status] ?? 0) + 1;
    },
    add(what: string, count: number) {
      counts[what] = (counts[what] ?? 0) + count;
    },
    counts: () => ({ callbacks: { ...callbacks }, ...counts }),
  };
};
