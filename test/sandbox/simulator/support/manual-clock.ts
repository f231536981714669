import type { Clock } from '../../../../sandbox/simulator/clock.ts';

interface Sleeper {
  readonly dueAt: number;
  readonly wake: () => void;
}

/** A clock that a test moves; whoever sleeps wakes when it has moved far enough. */
export const manualClock = (startsAt: number) => {
  let now = startsAt;
  const sleepers = new Set<Sleeper>();
  const slept: number[] = [];

  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        slept.push(milliseconds);
        const sleeper = { dueAt: now + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener('abort', resolve as () => void, { once: true });
        if (signal.aborted) resolve();
      }),
  };

  return {
    clock,
    /** Every wait that was asked for, in milliseconds. */
    slept,
    sleeping: () => sleepers.size,
    /** Moves on to the moment the next sleeper wakes, or oversleeps it. */
    toNext(oversleptMilliseconds = 0) {
      const [next] = [...sleepers].sort((one, other) => one.dueAt - other.dueAt);
      if (next === undefined) return;
      now = Math.max(now, next.dueAt + oversleptMilliseconds);
      sleepers.delete(next);
      next.wake();
    },
  };
};

/** A clock on which every wait is over at once, keeping how long it would have been. */
export const impatientClock = (startsAt: number) => {
  let now = startsAt;
  const slept: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
  return { clock, slept };
};
