import type { Clock } from '../../clock.ts';
import type { Post } from '../posts/post.ts';

/** The outcome of a request: an HTTP status, or the reason why there is none. */
export type DeliveryOutcome = number | 'timeout' | 'network' | 'stopped';

/** Settings of a webhook sender. */
export interface WebhookSenderSettings {
  /** The receiver's base address; `/callDetails` is appended. */
  readonly callbackUrl: string;
  /** The number of attempts for a post. */
  readonly tries: number;
  /** The wait before the second attempt. It doubles before each further one. */
  readonly retrySeconds: number;
  /** How long one attempt waits for its response. */
  readonly timeoutSeconds: number;
  readonly clock: Clock;
  readonly counters: DeliveryCounters;
  readonly log: (line: string) => void;
  readonly stopped: AbortSignal;
}

/** Sends posts to the receiver as the service does. */
export interface WebhookSender {
  /** Sends a post, and retries unless the answer is 200. Resolves with the last outcome. */
  readonly deliver: (post: Post) => Promise<DeliveryOutcome>;
  /** The outcomes of the address check by method; undefined before the check. */
  readonly addressCheck: () => Readonly<Record<'HEAD' | 'GET', DeliveryOutcome>> | undefined;
}

const maxConcurrentPosts = 40;

export const createWebhookSender = (settings: WebhookSenderSettings): WebhookSender => {
  const { callbackUrl, tries, retrySeconds, clock, counters, log, stopped } = settings;
  const address = `${callbackUrl.replace(/\/+$/, '')}/callDetails`;
  const send = (request: OutgoingRequest) => sendRequest(request, settings.timeoutSeconds * 1000, stopped);
  const check = createAddressCheck(address, send, log);
  const limited = createConcurrencyLimit(maxConcurrentPosts);

  const attempt = async (post: Post, number: number): Promise<DeliveryOutcome> => {
    if (stopped.aborted) return 'stopped';
    const answer = await limited(() => send(requestFor(address, post)));
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

      counters.completed(post);
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

/** In production the service tries again after any other answer. */
const isFailure = (answer: DeliveryOutcome): boolean => answer !== 200;

/** Names a post without personal data. A call id is not personal. */
const titleOf = ({ callId, kinds, afterSeconds }: Post): string =>
  [callId ? `call ${callId}` : 'no call', kinds.join(' + '), ...(afterSeconds > 0 ? ['a later post'] : [])].join(', ');

/**
 * Checks the receiver's address with HEAD and GET before its first use, and again only if there was no response at all. The
 * service takes any answer but 200 for an invalid URL; the simulator logs the outcome and posts in any case.
 */
const createAddressCheck = (
  url: string,
  send: (request: OutgoingRequest) => Promise<DeliveryOutcome>,
  log: (line: string) => void,
) => {
  let running: Promise<void> | undefined;
  let answers: { HEAD: DeliveryOutcome; GET: DeliveryOutcome } | undefined;

  const check = async (): Promise<void> => {
    answers = { HEAD: await send({ method: 'HEAD', url }), GET: await send({ method: 'GET', url }) };
    const { HEAD, GET } = answers;
    if (HEAD === 'stopped' || GET === 'stopped') return;

    const verdict = HEAD === 200 && GET === 200 ? 'accepted' : 'invalid URL: the service would not use it';
    log(`address check: HEAD ${HEAD}, GET ${GET}, ${verdict}`);
    if (GET === 'network') running = undefined;
  };

  return {
    once(): Promise<void> {
      running ??= check();
      return running;
    },
    answers: () => answers,
  };
};

/** Runs at most `limit` tasks at a time. The others wait in the order of their arrival. */
const createConcurrencyLimit = (limit: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= limit) await new Promise<void>((proceed) => waiting.push(proceed));
    else running += 1;

    try {
      return await task();
    } finally {
      // The slot passes to the next waiting task directly, so that a new task cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

/** A request to send. `url` is complete. */
interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request and reads the whole response. Never throws: failures are outcomes. */
const sendRequest = async (
  { method, url, contentType, body }: OutgoingRequest,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<DeliveryOutcome> => {
  try {
    const response = await fetch(url, {
      method,
      // Each post has its own connection, as with a service that posts rarely. So none is left open at the end.
      headers: { connection: 'close', ...(contentType === undefined ? {} : { 'content-type': contentType }) },
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMilliseconds)]),
      ...(body === undefined ? {} : { body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    if (stopped.aborted) return 'stopped';
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'network';
  }
};

/** The counts in the answer of `GET /_simulator`. */
export interface DeliveryCounts {
  /** Calls with at least one completed post. */
  readonly calls: number;
  /** Posts that were answered or given up. Retries are not counted. */
  readonly posts: number;
  /** The same posts by scenario and quirk. A post counts under each of its kinds. */
  readonly postsByKind: Readonly<Record<string, number>>;
  /** Every attempt by its HTTP status, `timeout` or `network`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly retries: number;
}

/** Counts posts and attempts. */
export interface DeliveryCounters {
  readonly completed: (post: Post) => void;
  readonly answered: (answer: DeliveryOutcome) => void;
  readonly retried: () => void;
  readonly counts: () => DeliveryCounts;
}

/** Counters that start at 0. */
export const createDeliveryCounters = (): DeliveryCounters => {
  const callIds = new Set<string>();
  const byKind = new Map<string, number>();
  const byAnswer = new Map<string, number>();
  let posts = 0;
  let retries = 0;

  return {
    completed({ callId, kinds }) {
      posts += 1;
      if (callId !== undefined) callIds.add(callId);
      for (const kind of kinds) addOne(byKind, kind);
    },
    answered: (answer) => addOne(byAnswer, String(answer)),
    retried() {
      retries += 1;
    },
    counts: () => ({
      calls: callIds.size,
      posts,
      postsByKind: Object.fromEntries(byKind),
      answers: Object.fromEntries(byAnswer),
      retries,
    }),
  };
};

const addOne = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};
