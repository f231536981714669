import { setImmediate as nextTurn } from 'node:timers/promises';
import { chance, pick, type Random } from '../../../sandbox/simulator/random.ts';

/** An activity that waits for something else than its turn would hang; it is detected after so many rounds. */
const maxIdleRounds = 100_000;

/**
 * Runs activities concurrently. Whenever all of them wait, `continueOne` lets one continue: whatever does not wait runs on
 * promises alone. `continueOne` returns whether any was waiting.
 */
const runInterleaved = async <Result>(
  activities: readonly (() => Promise<Result>)[],
  continueOne: () => boolean,
): Promise<readonly Result[]> => {
  let left = activities.length;
  const results = Promise.all(
    activities.map((activity) =>
      activity().finally(() => {
        left -= 1;
      }),
    ),
  );
  results.catch(() => undefined);
  for (let idle = 0; left > 0; ) {
    await nextTurn();
    idle = continueOne() ? 0 : idle + 1;
    if (idle > maxIdleRounds) throw new Error('An activity waits for something that never happens');
  }
  return results;
};

/** Activities that wait for their turn. Which of them is next is random. */
const randomQueue = (random: Random) => {
  const waiting = new Set<() => void>();

  return {
    isEmpty: (): boolean => waiting.size === 0,
    /** Resolves when it is the caller's turn. */
    take: (): Promise<void> => new Promise((resolve) => waiting.add(resolve)),
    /** Lets one continue. Returns whether any was waiting. */
    continueOne(): boolean {
      if (waiting.size === 0) return false;
      const go = pick(random, [...waiting]);
      waiting.delete(go);
      go();
      return true;
    },
  };
};

interface Clock {
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
}

/** How often a call takes so long that a sleeper wakes before it takes effect. */
const slowShare = 0.15;

/**
 * Lets calls take effect one at a time in the order of these random numbers: concurrency that can be repeated. The clock
 * may be created later.
 */
export const createScheduler = (random: Random, clock: () => Clock) => {
  const turns = randomQueue(random);
  const sleeping = new Map<() => void, number>();

  const wakeFirst = (): void => {
    const [first] = [...sleeping].sort(([, a], [, b]) => a - b);
    if (first === undefined) return;
    const [wake, atMs] = first;
    sleeping.delete(wake);
    clock().advance(Math.max(0, atMs - clock().now().getTime()));
    wake();
  };
  const continueOne = (): boolean => {
    if (sleeping.size === 0 || (!turns.isEmpty() && !chance(random, slowShare))) return turns.continueOne();
    wakeFirst();
    return true;
  };

  return {
    /** Resolves when it is the caller's turn. */
    take: turns.take,
    /** A sleeper wakes when no call waits, or sometimes earlier: then the clock moves. */
    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => sleeping.set(resolve, clock().now().getTime() + Math.max(0, milliseconds))),
    /** Runs activities concurrently and resolves once all are done. */
    together: <Result>(activities: readonly (() => Promise<Result>)[]) => runInterleaved(activities, continueOne),
  };
};

export type Scheduler = ReturnType<typeof createScheduler>;
