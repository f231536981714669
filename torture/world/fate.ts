/** What happens to one call that a function makes to AWS or to the telephony service. */
export const fates = [
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
export type Fate = (typeof fates)[number];

/** The services that functions call. */
export type ServiceName = 'dynamodb' | 'sqs' | 'eventbridge' | 'telephony';

/** A call as it is about to be made: the how-manieth of its process, counted from 0. */
export interface Call {
  readonly service: ServiceName;
  readonly operation: string;
  readonly index: number;
}

/** Decides what becomes of a call. */
export type FateOf = (call: Call) => Fate;

/** All is well. */
export const allPass: FateOf = () => 'pass';
