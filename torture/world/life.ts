import type { Fate, FateOf, ServiceName } from './fate.ts';

/** The death of a process: whatever it still asks for does not happen. */
export class Death extends Error {
  override readonly name = 'Death';
}

const lostAnswer = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });

/** The life of a process, in which every call meets its fate. */
export interface Life {
  /** Makes a call: its effect is had, unless the process is dead or dies before. */
  readonly live: <Of>(service: ServiceName, operation: string, effect: (fate: Fate) => Promise<Of>) => Promise<Of>;
  readonly isDead: () => boolean;
  /** How many calls were made, or would have been made, had the process not died. */
  readonly calls: () => number;
}

/** A process whose calls meet the fates that `fateOf` says, each when it is its turn. */
export const createLife = (fateOf: FateOf, turn: () => Promise<void>): Life => {
  let index = 0;
  let dead = false;

  return {
    async live(service, operation, effect) {
      const fate = fateOf({ service, operation, index: index++ });
      await turn();
      if (dead) throw new Death();
      if (fate === 'die-before') dead = true;
      if (dead) throw new Death();
      const answer = await effect(fate);
      if (fate === 'die-after') dead = true;
      if (dead) throw new Death();
      if (fate === 'lose') throw lostAnswer();
      return answer;
    },
    isDead: () => dead,
    calls: () => index,
  };
};
