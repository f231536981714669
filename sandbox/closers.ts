import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; returns early when the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/** Ends one thing that was started. */
export type Close = () => void | Promise<void>;

/** Remembers what was started, and ends it in the opposite order. */
export interface Closers {
  add(close: Close): void;
  /** Ends everything, even where something fails to end; then throws the first failure. */
  closeAll(): Promise<void>;
}

const withinMilliseconds = async (patience: number, close: Close): Promise<void> => {
  const ended = new AbortController();
  const late = pause(patience, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new Error(`Not stopped within ${patience} ms`);
  });
  try {
    await Promise.race([close(), late]);
  } finally {
    ended.abort();
  }
};

/** Nothing to end yet. What does not end in time counts as failed, so that it does not hold up the rest. */
export const createClosers = (patienceMilliseconds = 5_000): Closers => {
  const closers: Close[] = [];

  return {
    add(close) {
      closers.push(close);
    },
    async closeAll() {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await withinMilliseconds(patienceMilliseconds, close);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new Error('Not everything could be stopped', { cause: failures[0] });
    },
  };
};
