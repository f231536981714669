import { late, within } from './clock.ts';

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

  const closeInTime = async (close: Close): Promise<void> => {
    if ((await within(timeoutMilliseconds, close())) === late)
      throw new Error(`Not stopped within ${timeoutMilliseconds} ms`);
  };
  return {
    add(close) {
      closers.push(close);
    },
    async closeAll() {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop())
        await closeInTime(close).catch((error) => failures.push(error));
      if (failures.length > 0) throw new Error('Not everything could be stopped', { cause: failures[0] });
    },
  };
};
