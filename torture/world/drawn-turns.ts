import { pick, type Random } from '../../sandbox/simulator/random.ts';

/** Those who wait for their turn; which of them is next is drawn. */
export const drawnTurns = (random: Random) => {
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
