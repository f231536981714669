import type { Clock } from '../../clock.ts';
import type { Post } from '../posts/post.ts';

/** The outcome of a request: an HTTP status, or the reason why there is none. */
export type DeliveryOutcome = number | 'timeout' | 'network' | 'stopped';

/** Settings of a webhook sender. */
export interface WebhookSenderSettings {
  /** The receiver's base address; `/callDetails` is appended. */
  readonly callbackUrl: string;
  /** How long one attempt waits for its response. Default: 10 seconds. */
  readonly timeoutMs?: number | undefined;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly stopped: AbortSignal;
}

const maxConcurrentPosts = 40;

/** Attempts for a post, and the wait before the second one. It doubles before each further one. */
const tries = 3;
const firstRetryMs = 1_000;

/** Sends posts to the receiver as the service does. */
export const createWebhookSender = (settings: WebhookSenderSettings) => {
  const { callbackUrl, timeoutMs = 10_000, clock, log, stopped } = settings;
  const address = `${callbackUrl.replace(/\/+$/, '')}/callDetails`;
  const send: Send = (request) => sendRequest(request, timeoutMs, stopped);
  const check = createAddressCheck(address, send, log);
  const limited = createConcurrencyLimit(maxConcurrentPosts);
  const callIds = new Set<string>();
  const postsByKind = new Map<string, number>();
  const answers = new Map<string, number>();
  let posts = 0;
  let retries = 0;

  const attempts = async (post: Post): Promise<DeliveryOutcome> => {
    for (let attempt = 1; !stopped.aborted; attempt += 1) {
      if (attempt > 1) retries += 1;
      const answer = await limited(() => send(requestFor(address, post)));
      if (answer === 'stopped') break;

      addOne(answers, String(answer));
      if (!isFailure(answer) || attempt >= tries) return answer;
      log(`${titleOf(post)}: ${answer}, try ${attempt} of ${tries}`);
      await clock.sleep(firstRetryMs * 2 ** (attempt - 1), stopped);
    }
    return 'stopped';
  };

  return {
    /** Sends a post, and retries unless the answer is 200. Resolves with the last outcome. */
    async deliver(post: Post): Promise<DeliveryOutcome> {
      await check.once();
      const answer = await attempts(post);
      if (answer === 'stopped') return answer;

      posts += 1;
      if (post.callId !== undefined) callIds.add(post.callId);
      for (const kind of post.kinds) addOne(postsByKind, kind);
      log(`${titleOf(post)}: ${answer}${isFailure(answer) ? ', given up' : ''}`);
      return answer;
    },
    /** What was sent so far, for the answer of `GET /_simulator`. */
    counts: () => ({
      /** Calls with at least one completed post. */
      calls: callIds.size,
      /** Posts that were answered or given up. Retries are not counted. */
      posts,
      /** The same posts by scenario and quirk. A post counts under each of its kinds. */
      postsByKind: Object.fromEntries(postsByKind),
      /** Every attempt by its HTTP status, `timeout` or `network`. */
      answers: Object.fromEntries(answers),
      retries,
      addressCheck: check.answers(),
    }),
  };
};

const addOne = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** In production the service tries again after any other answer. */
const isFailure = (answer: DeliveryOutcome): boolean => answer !== 200;

/** Names a post without personal data. A call id is not personal. */
const titleOf = ({ callId, kinds, afterSeconds }: Post): string =>
  [callId ? `call ${callId}` : 'no call', kinds.join(' + '), ...(afterSeconds > 0 ? ['a later post'] : [])].join(', ');

/** A request to send. `url` is complete. */
interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
}
type Send = (request: OutgoingRequest) => Promise<DeliveryOutcome>;

const requestFor = (address: string, { query, contentType, body }: Post): OutgoingRequest => ({
  method: 'POST',
  url: query === '' ? address : `${address}?${query}`,
  contentType,
  body,
});

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

/**
 * Checks the receiver's address with HEAD and GET before its first use, and again only if there was no response at all. The
 * service takes any answer but 200 for an invalid URL; the simulator logs the outcome and posts in any case.
 */
const createAddressCheck = (url: string, send: Send, log: (line: string) => void) => {
  let running: Promise<void> | undefined;
  let answers: { readonly HEAD: DeliveryOutcome; readonly GET: DeliveryOutcome } | undefined;

  const check = async (): Promise<void> => {
    const [HEAD, GET] = [await send({ method: 'HEAD', url }), await send({ method: 'GET', url })];
    answers = { HEAD, GET };
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
