import type { Post } from '../posts/post.ts';
import type { Clock } from '../settings.ts';
import { type DeliveryCounters, type DeliveryOutcome, type OutgoingRequest, sendRequest } from './send.ts';

/** What the receiver's address answered before it was used; the service takes anything but 200 for an invalid URL. */
export interface AddressCheck {
  /** Checks once, before the first post; again only as long as nobody answers at all. */
  readonly once: () => Promise<void>;
  /** The answers by method; undefined before the check. */
  readonly answers: () => Readonly<Record<'HEAD' | 'GET', DeliveryOutcome>> | undefined;
}

/** Checks an address with HEAD and GET. The simulator tells what it finds, and posts all the same. */
const createAddressCheck = (
  url: string,
  ask: (request: OutgoingRequest) => Promise<DeliveryOutcome>,
  tell: (line: string) => void,
): AddressCheck => {
  let running: Promise<void> | undefined;
  let answers: { HEAD: DeliveryOutcome; GET: DeliveryOutcome } | undefined;

  const check = async (): Promise<void> => {
    answers = { HEAD: await ask({ method: 'HEAD', url }), GET: await ask({ method: 'GET', url }) };
    const { HEAD, GET } = answers;
    if (HEAD === 'stopped' || GET === 'stopped') return;

    const verdict = HEAD === 200 && GET === 200 ? 'accepted' : 'invalid URL: the service would not use it';
    tell(`address check: HEAD ${HEAD}, GET ${GET}, ${verdict}`);
    if (GET === 'network') running = undefined;
  };

  return {
    once() {
      running ??= check();
      return running;
    },
    answers: () => answers,
  };
};

/** Runs at most `width` tasks at a time; the others wait in the order in which they came. */
const createConcurrencyLimit = (width: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= width) await new Promise<void>((go) => waiting.push(go));
    else running += 1;

    try {
      return await task();
    } finally {
      // The lane is handed on, not given back, so that nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** How posts are delivered. */
export interface WebhookSenderSettings {
  /** The receiver's base; `/callDetails` is added. */
  readonly callbackUrl: string;
  /** How often a post is tried in all. */
  readonly tries: number;
  /** The wait before the second try; it doubles with every further one. */
  readonly retrySeconds: number;
  /** How long one try waits for its answer. */
  readonly timeoutSeconds: number;
  readonly clock: Clock;
  readonly counters: DeliveryCounters;
  readonly log: (line: string) => void;
  readonly stopped: AbortSignal;
}

/** Delivers posts as the service does. */
export interface WebhookSender {
  /** Posts, and tries again after a timeout, a network failure or a 5xx. Answers what the last try was answered. */
  readonly deliver: (post: Post) => Promise<DeliveryOutcome>;
  readonly addressCheck: AddressCheck['answers'];
}

const postsAtATime = 40;

/** A sender to one receiver. */
export const createWebhookSender = (settings: WebhookSenderSettings): WebhookSender => {
  const { callbackUrl, tries, retrySeconds, clock, counters, log, stopped } = settings;
  const address = `${callbackUrl.replace(/\/+$/, '')}/callDetails`;
  const ask = (request: OutgoingRequest) => sendRequest(request, settings.timeoutSeconds * 1000, stopped);
  const check = createAddressCheck(address, ask, log);
  const limited = createConcurrencyLimit(postsAtATime);

  const attempt = async (post: Post, number: number): Promise<DeliveryOutcome> => {
    if (stopped.aborted) return 'stopped';
    const answer = await limited(() => ask(requestFor(address, post)));
    if (answer === 'stopped') return answer;

    counters.answered(answer);
    if (!isFailure(answer) || number >= tries) return answer;

    log(`${titleOf(post)}: ${answer}, try ${number} of ${tries}`);
    await clock.sleep(retrySeconds * 2 ** (number - 1) * 1000, stopped);
    if (stopped.aborted) return 'stopped';

    counters.retried();
    return attempt(post, number + 1);
  };

  return {
    async deliver(post) {
      await check.once();
      const answer = await attempt(post, 1);
      if (answer === 'stopped') return answer;

      counters.settled(post);
      log(`${titleOf(post)}: ${answer}${isFailure(answer) ? ', given up' : ''}`);
      return answer;
    },
    addressCheck: check.answers,
  };
};

const requestFor = (address: string, { query, contentType, body }: Post): OutgoingRequest => ({
  method: 'POST',
  url: query === '' ? address : `${address}?${query}`,
  contentType,
  body,
});

const isFailure = (answer: DeliveryOutcome): boolean => typeof answer === 'string' || answer >= 500;

/** Names a post without anything personal: an id of a call says nothing to a stranger. */
const titleOf = ({ callId, kinds, afterSeconds }: Post): string =>
  [callId ? `call ${callId}` : 'no call', kinds.join(' + '), ...(afterSeconds > 0 ? ['a later post'] : [])].join(', ');
