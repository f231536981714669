import type { Clock } from '../clock.ts';
import type { Post } from '../posts/post.ts';
import { type AddressCheck, createAddressCheck } from './address-check.ts';
import type { Tally } from './counts.ts';
import { createLanes } from './lanes.ts';
import { type Answer, type Request, send } from './send.ts';

/** How posts are delivered. */
export interface CourierSettings {
  /** The receiver's base; `/callDetails` is added. */
  readonly callbackUrl: string;
  /** How often a post is tried in all. */
  readonly tries: number;
  /** The wait before the second try; it doubles with every further one. */
  readonly retrySeconds: number;
  /** How long one try waits for its answer. */
  readonly timeoutSeconds: number;
  readonly clock: Clock;
  readonly tally: Tally;
  readonly tell: (line: string) => void;
  readonly stopped: AbortSignal;
}

/** Delivers posts as the service does. */
export interface Courier {
  /** Posts, and tries again after a timeout, a network failure or a 5xx. Answers what the last try was answered. */
  readonly deliver: (post: Post) => Promise<Answer>;
  readonly addressCheck: AddressCheck['answers'];
}

const postsAtATime = 40;

/** A courier to one receiver. */
export const createCourier = (settings: CourierSettings): Courier => {
  const { callbackUrl, tries, retrySeconds, clock, tally, tell, stopped } = settings;
  const address = `${callbackUrl.replace(/\/+$/, '')}/callDetails`;
  const ask = (request: Request) => send(request, settings.timeoutSeconds * 1000, stopped);
  const check = createAddressCheck(address, ask, tell);
  const inLane = createLanes(postsAtATime);

  const attempt = async (post: Post, number: number): Promise<Answer> => {
    if (stopped.aborted) return 'stopped';
    const answer = await inLane(() => ask(requestFor(address, post)));
    if (answer === 'stopped') return answer;

    tally.answered(answer);
    if (!isFailure(answer) || number >= tries) return answer;

    tell(`${titleOf(post)}: ${answer}, try ${number} of ${tries}`);
    await clock.sleep(retrySeconds * 2 ** (number - 1) * 1000, stopped);
    if (stopped.aborted) return 'stopped';

    tally.retried();
    return attempt(post, number + 1);
  };

  return {
    async deliver(post) {
      await check.once();
      const answer = await attempt(post, 1);
      if (answer === 'stopped') return answer;

      tally.settled(post);
      tell(`${titleOf(post)}: ${answer}${isFailure(answer) ? ', given up' : ''}`);
      return answer;
    },
    addressCheck: check.answers,
  };
};

const requestFor = (address: string, { query, contentType, body }: Post): Request => ({
  method: 'POST',
  url: query === '' ? address : `${address}?${query}`,
  contentType,
  body,
});

const isFailure = (answer: Answer): boolean => typeof answer === 'string' || answer >= 500;

/** Names a post without anything personal: an id of a call says nothing to a stranger. */
const titleOf = ({ callId, kinds, afterSeconds }: Post): string =>
  [callId ? `call ${callId}` : 'no call', kinds.join(' + '), ...(afterSeconds > 0 ? ['a later post'] : [])].join(', ');
