import { setTimeout } from 'node:timers/promises';

/** The simulator's source of time. Tests pass their own clock, so that they need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after the time, or at once when the signal aborts. Callers must check the signal. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
};
