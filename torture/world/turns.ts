import type { Random } from '../../sandbox/simulator/random.ts';
import { byTurns } from './by-turns.ts';
import { drawnTurns } from './drawn-turns.ts';

/** Lets calls have their effect one at a time, in an order that is drawn: concurrency that can be repeated. */
export interface Turns {
  /** Resolves when it is the caller's turn. */
  readonly take: () => Promise<void>;
  /** Does all of it side by side, and resolves once all of it is done. */
  readonly together: <Result>(activities: readonly (() => Promise<Result>)[]) => Promise<readonly Result[]>;
}

/** Turns in an order by the random numbers given. */
export const createTurns = (random: Random): Turns => {
  const { take, letOneGo } = drawnTurns(random);
  return { take, together: (activities) => byTurns(activities, letOneGo) };
};
