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

/** Lets calls take effect one at a time in a random order: concurrency that can be repeated. */
export interface Scheduler {
  /** Resolves when it is the caller's turn. */
  readonly take: () => Promise<void>;
  /** A sleeper wakes when no call waits, or sometimes earlier: then the clock moves. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Runs activities concurrently and resolves once all are done. */
  readonly together: <Result>(activities: readonly (() => Promise<Result>)[]) => Promise<readonly Result[]>;
}

interface Clock {
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
}

/** How often a call takes so long that a sleeper wakes before it takes effect. */
const slowShare = 0.15;

/** A scheduler with the order of these random numbers. The clock may be created later. */
export const createScheduler = (random: Random, clock: () => Clock): Scheduler => {
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
    take: turns.take,
    sleep: (milliseconds) =>
      new Promise((resolve) => sleeping.set(resolve, clock().now().getTime() + Math.max(0, milliseconds))),
    together: (activities) => runInterleaved(activities, continueOne),
  };
};
