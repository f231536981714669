/** What happens to one call that a function makes to AWS or to the telephony service. */
export const faultKinds = [
  /** It is answered. */
  'pass',
  /** It fails on the other side, without effect. */
  'fail',
  /** It is refused for being too fast, without effect. */
  'throttle',
  /** It has its effect, but the answer is lost. */
  'lose',
  /** Of several entries only some are taken; for a call of one it is `pass`. */
  'partial',
  /** The process dies before the call has an effect. */
  'die-before',
  /** The process dies after the call has had its effect. */
  'die-after',
] as const;
export type Fault = (typeof faultKinds)[number];

/** The services that functions call. */
export type ServiceName = 'dynamodb' | 'sqs' | 'eventbridge' | 'telephony';

/** A call as it is about to be made: the how-manieth of its process, counted from 0. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly index: number;
}

/** Decides what becomes of a call. */
export type FaultInjector = (call: Call) => Fault;

/** All is well. */
export const noFault: FaultInjector = () => 'pass';

/** The death of a process: whatever it still asks for does not happen. */
export class ProcessDeath extends Error {
  override readonly name = 'Death';
}

const lostAnswer = (): Error =>
  Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });

/** The life of a process, in which every call meets its fate. */
export interface FaultyProcess {
  /** Makes a call: its effect is had, unless the process is dead or dies before. */
  readonly live: <Of>(service: ServiceName, operation: string, effect: (fate: Fault) => Promise<Of>) => Promise<Of>;
  readonly isDead: () => boolean;
  /** How many calls were made, or would have been made, had the process not died. */
  readonly calls: () => number;
}

/** A process whose calls meet the fates that `fateOf` says, each when it is its turn. */
export const createFaultyProcess = (fateOf: FaultInjector, turn: () => Promise<void>): FaultyProcess => {
  let index = 0;
  let dead = false;

  return {
    async live(service, operation, effect) {
      const fate = fateOf({ service, operation, index: index++ });
      await turn();
      if (dead) throw new ProcessDeath();
      if (fate === 'die-before') dead = true;
      if (dead) throw new ProcessDeath();
      const answer = await effect(fate);
      if (fate === 'die-after') dead = true;
      if (dead) throw new ProcessDeath();
      if (fate === 'lose') throw lostAnswer();
      return answer;
    },
    isDead: () => dead,
    calls: () => index,
  };
};
