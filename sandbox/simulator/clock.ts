import { setTimeout } from 'node:timers/promises';

/** Time as the simulator sees it; tests pass their own, so that nothing has to wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after the milliseconds, or at once when the signal is aborted: the caller looks at the signal. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => setTimeout(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined),
};
