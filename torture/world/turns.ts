import { pick, type Random } from '../../sandbox/simulator/random.ts';
import { byTurns } from './by-turns.ts';

/** Lets calls have their effect one at a time, in an order that is drawn: concurrency that can be repeated. */
export interface Turns {
  /** Resolves when it is the caller's turn. */
  readonly take: () => Promise<void>;
  /** Does all of it side by side, and resolves once all of it is done. */
  readonly together: <Result>(activities: readonly (() => Promise<Result>)[]) => Promise<readonly Result[]>;
}

/** Turns in an order by the random numbers given. */
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
    together: (activities) => byTurns(activities, letOneGo),
  };
};
