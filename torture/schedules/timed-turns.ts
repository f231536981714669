import { chance, type Random } from '../../sandbox/simulator/random.ts';
import { byTurns } from '../world/by-turns.ts';
import { drawnTurns } from '../world/drawn-turns.ts';

/** Turns in which time goes by as well: whoever sleeps wakes when nobody else has anything to do, or in between. */
export interface TimedTurns {
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
export const createTimedTurns = (random: Random, clock: () => Clock): TimedTurns => {
  const turns = drawnTurns(random);
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
      await byTurns(activities, letOneGo);
    },
  };
};
