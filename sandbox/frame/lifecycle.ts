import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the given time, or until the signal aborts. Callers must check the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);

export interface SandboxClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: SandboxClock = { now: () => Date.now(), sleep: pause };

export const late = Symbol('late');

/** The result of a task, or `late` after the given time. The task is not stopped then. */
export const within = async <Result>(
  milliseconds: number,
  task: Result | Promise<Result>,
): Promise<Result | typeof late> => {
  const deadline = Promise.withResolvers<typeof late>();
  const timer = setTimeout(deadline.resolve, milliseconds, late);
  return await Promise.race([task, deadline.promise]).finally(() => clearTimeout(timer));
};

type Close = () => void | Promise<void>;

export type Closers = ReturnType<typeof createClosers>;

/** Stops parts in reverse order. One that does not stop in time counts as failed, and delays no other. */
export const createClosers = (timeoutMilliseconds = 5_000) => {
  const closers: Close[] = [];

  const closeInTime = async (close: Close): Promise<void> => {
    if ((await within(timeoutMilliseconds, close())) === late)
      throw new Error(`Not stopped within ${timeoutMilliseconds} ms`);
  };
  return {
    add(close: Close): void {
      closers.push(close);
    },
    async closeAll(): Promise<void> {
      const failures: unknown[] = [];
      for (let close = closers.pop(); close !== undefined; close = closers.pop())
        await closeInTime(close).catch((error) => failures.push(error));
      if (failures.length > 0) throw new Error('Not everything could be stopped', { cause: failures[0] });
    },
  };
};

/** After the machine slept, the missed times are not made up for. */
export const startSchedule = (
  task: () => void,
  { firstAfterMs, everyMs }: { readonly firstAfterMs: number; readonly everyMs: number },
  closers: Closers,
): void => {
  let timer = setTimeout(() => {
    timer = setInterval(task, everyMs);
    task();
  }, firstAfterMs);
  closers.add(() => clearTimeout(timer));
};
