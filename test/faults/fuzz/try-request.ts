import { eventOf, form } from './carriers.ts';
import { drawNumber, type FuzzedRequest, fuzzedRequest } from './fuzzed-request.ts';
import type { Receiver, Trial } from './receiver.ts';
import { judgeTrial, type Verdict } from './verdict.ts';

/** The receivers of a deployment without a callback secret and of one with it. */
export type Receivers = Readonly<Record<FuzzedRequest['deployment'], Receiver>>;

/** A request that was tried, and what came of it. */
export interface Tried extends Verdict {
  readonly request: FuzzedRequest;
  readonly trial: Trial;
}

/** One in so many is posted twice: a repeat may change nothing. */
const repeatedOneIn = 20;

/** Tries a request that is given. */
export const tryGiven = async (receivers: Receivers, request: FuzzedRequest, isRepeated = false): Promise<Tried> => {
  const events = [eventOf(request.posted), ...(isRepeated ? [eventOf(request.posted)] : [])];
  const trial = await receivers[request.deployment].receive(...events);
  const { replies, breaches } = judgeTrial(request, trial);
  const storedAgain = isRepeated && (replies[1]?.stored ?? 0) > 0 ? ['A repeat was stored'] : [];
  return { request, trial, replies, breaches: [...breaches, ...storedAgain] };
};

/** Tries the request of a number. */
export const tryRequest = (receivers: Receivers, seed: number, number: number): Promise<Tried> =>
  tryGiven(receivers, fuzzedRequest(seed, number), drawNumber(seed, number, repeatedOneIn - 1) === 0);

/** By the README: so many posts of strangers are kept in a minute, however many come. */
const mostKept = 100;

/** What came of many strangers' posts in one minute. */
export interface Flood {
  readonly posts: number;
  readonly kept: number;
  readonly breaches: readonly string[];
}

/** Posts more within a minute than strangers may leave behind. */
export const flood = async ({ receive }: Receiver, posts = mostKept + 50): Promise<Flood> => {
  const events = Array.from({ length: posts }, (_, index) => eventOf(form(`data={"number ${index}`)));
  const { quarantine } = await receive(...events);
  const kept = quarantine.filter(({ body }) => body !== undefined).length;
  const due = Math.min(posts, mostKept);
  const breaches = kept === due ? [] : [`Of ${posts} posts of strangers in a minute ${kept} are kept, and not ${due}`];
  return { posts, kept, breaches };
};
