import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for the given time, or until the signal aborts. Callers must check the signal. */
export const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);

/** A source of time. Tests pass their own, so that they need not wait. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), sleep: pause };

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
