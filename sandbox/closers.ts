import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the given time, or until the signal aborts. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

/** Stops one started part. */
export type Close = () => void | Promise<void>;

/** The parts that were started. They are stopped in reverse order. */
export interface Closers {
  add(close: Close): void;
  /** Stops all parts, even if one fails to stop; then throws the first failure. */
  closeAll(): Promise<void>;
}

/** An empty list of parts. A part that does not stop in time counts as failed, so that it does not delay the others. */
export const createClosers = (timeoutMilliseconds = 5_000): Closers => {
  const closers: Close[] = [];

  return {
    add(close) {
      closers.push(close);
    },
    async closeAll() {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
        try {
          await withinMilliseconds(timeoutMilliseconds, close);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new Error('Not everything could be stopped', { cause: failures[0] });
    },
  };
};

const withinMilliseconds = async (milliseconds: number, close: Close): Promise<void> => {
  const ended = new AbortController();
  const late = pause(milliseconds, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new Error(`Not stopped within ${milliseconds} ms`);
  });
  try {
    await Promise.race([close(), late]);
  } finally {
    ended.abort();
  }
};
