import { setImmediate as nextTurn } from 'node:timers/promises';
import { pick, type Random } from '../../sandbox/simulator/random.ts';

/** Lets calls have their effect one at a time, in an order that is drawn: concurrency that can be repeated. */
export interface Turns {
  /** Resolves when it is the caller's turn. */
  readonly take: () => Promise<void>;
  /** Does all of it side by side, and resolves once all of it is done. */
  readonly together: <Result>(activities: readonly (() => Promise<Result>)[]) => Promise<readonly Result[]>;
}

/** An activity that waits for something else than its turn would hang the run; this many rounds tell. */
const mostIdleRounds = 100_000;

/** Whatever is not waiting for its turn runs on promises alone, so that it has come to rest when the loop goes round. */
export const createTurns = (random: Random): Turns => {
  const waiting = new Set<() => void>();

  const letOneGo = (): boolean => {
    if (waiting.size === 0) return false;
    const go = pick(random, [...waiting]);
    waiting.delete(go);
    go();
    return true;
  };

  return {
    take: () => new Promise((resolve) => waiting.add(resolve)),
    async together(activities) {
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
    },
  };
};
