import { type Verdict, verdictOn } from '../checks/breaches.ts';
import type { Receiver, Trial } from '../receiver.ts';
import { drawn, type HostileRequest, hostileRequest } from './hostile-request.ts';
import { eventOf } from './posted.ts';

/** The receivers of a deployment without a callback secret and of one with it. */
export type Receivers = Readonly<Record<HostileRequest['deployment'], Receiver>>;

/** A request that was tried, and what came of it. */
export interface Tried extends Verdict {
  readonly request: HostileRequest;
  readonly trial: Trial;
}

/** One in so many is posted twice: a repeat may change nothing. */
const repeatedOneIn = 20;

/** Tries a request that is given. */
export const tryGiven = async (receivers: Receivers, request: HostileRequest, isRepeated = false): Promise<Tried> => {
  const events = [eventOf(request.posted), ...(isRepeated ? [eventOf(request.posted)] : [])];
  const trial = await receivers[request.deployment].receive(...events);
  const { replies, breaches } = verdictOn(request, trial);
  const storedAgain = isRepeated && (replies[1]?.stored ?? 0) > 0 ? ['A repeat was stored'] : [];
  return { request, trial, replies, breaches: [...breaches, ...storedAgain] };
};

/** Tries the request of a number. */
export const tryRequest = (receivers: Receivers, seed: number, number: number): Promise<Tried> =>
  tryGiven(receivers, hostileRequest(seed, number), drawn(seed, number, repeatedOneIn - 1) === 0);
