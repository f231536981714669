import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; returns early when the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);
