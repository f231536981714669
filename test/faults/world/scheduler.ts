import { setImmediate as nextTurn } from 'node:timers/promises';
import { chance, pick, type Random } from '../../../sandbox/simulator/random.ts';

/** An activity that waits for something else than its turn would hang the run; this many rounds tell. */
const mostIdleRounds = 100_000;

/**
 * Does all of it at once, and has `letOneGo` let one of those that wait go on whenever all have come to rest: whatever
 * is not waiting runs on promises alone. It answers whether anybody waited.
 */
const runInterleaved = async <Result>(
  activities: readonly (() => Promise<Result>)[],
  letOneGo: () => boolean,
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
    idle = letOneGo() ? 0 : idle + 1;
    if (idle > mostIdleRounds) throw new Error('An activity waits for something that never comes');
  }
  return results;
};

/** Those who wait for their turn; which of them is next is drawn. */
const randomQueue = (random: Random) => {
  const waiting = new Set<() => void>();

  return {
    isEmpty: (): boolean => waiting.size === 0,
    /** Resolves when it is the caller's turn. */
    take: (): Promise<void> => new Promise((resolve) => waiting.add(resolve)),
    /** Lets one go on. Answers whether anybody waited. */
    letOneGo(): boolean {
      if (waiting.size === 0) return false;
      const go = pick(random, [...waiting]);
      waiting.delete(go);
      go();
      return true;
    },
  };
};

/** Lets calls have their effect one at a time, in an order that is drawn: concurrency that can be repeated. */
export interface Scheduler {
  /** Resolves when it is the caller's turn. */
  readonly take: () => Promise<void>;
  /** Does all of it side by side, and resolves once all of it is done. */
  readonly together: <Result>(activities: readonly (() => Promise<Result>)[]) => Promise<readonly Result[]>;
}

/** Turns in an order by the random numbers given. */
export const createScheduler = (random: Random): Scheduler => {
  const { take, letOneGo } = randomQueue(random);
  return { take, together: (activities) => runInterleaved(activities, letOneGo) };
};

/** Turns in which time goes by as well: whoever sleeps wakes when nobody else has anything to do, or in between. */
export interface TimedScheduler {
  readonly take: () => Promise<void>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly together: (activities: readonly (() => Promise<void>)[]) => Promise<void>;
}

interface Clock {
  readonly now: () => Date;
  readonly advance: (milliseconds: number) => void;
}

/** How often a call takes so long that somebody wakes before it has its effect. */
const slowShare = 0.15;

/** Turns by the random numbers given, over a clock that only they move. `clock` is asked once there is something to do. */
export const createTimedScheduler = (random: Random, clock: () => Clock): TimedScheduler => {
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
  const letOneGo = (): boolean => {
    if (sleeping.size > 0 && (turns.isEmpty() || chance(random, slowShare))) {
      wakeFirst();
      return true;
    }
    return turns.letOneGo();
  };

  return {
    take: turns.take,
    sleep: (milliseconds) =>
      new Promise((resolve) => sleeping.set(resolve, clock().now().getTime() + Math.max(0, milliseconds))),
    async together(activities) {
      await runInterleaved(activities, letOneGo);
    },
  };
};
