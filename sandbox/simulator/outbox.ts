import { once } from '../../lib/core/collections.ts';
import type { CallbackFault } from '../frame/faults.ts';
import type { SandboxClock } from '../frame/lifecycle.ts';
import type { Callbacks } from './call-report.ts';
import type { Post } from './posts.ts';
import { randomOf } from './random.ts';
import type { ReportedCall, SimulatedCall } from './simulated-call.ts';

export interface OutboxSettings {
  readonly callbackUrl: string;
  /** How long one attempt waits for its response. Default: 10 seconds. */
  readonly timeoutMs?: number | undefined;
  readonly reportCall: (reported: ReportedCall, callbacks: Callbacks) => void;
  readonly fault: () => CallbackFault;
  readonly clock: SandboxClock;
  readonly log: (line: string) => void;
  readonly stopped: AbortSignal;
}

export type DeliveryOutcome = number | 'timeout' | 'network' | 'stopped';

export type Outbox = ReturnType<typeof createOutbox>;

export const createOutbox = (settings: OutboxSettings) => {
  const { reportCall, fault, clock, stopped } = settings;
  const sender = createWebhookSender(settings);
  const inFlight = new Set<Promise<void>>();

  const sendInOrder = async (posts: readonly Post[], pace: number, startedAt: number) => {
    const outcomes: DeliveryOutcome[] = [];
    for (const [afterSeconds, together] of Map.groupBy(posts, (post) => post.afterSeconds)) {
      if (afterSeconds * pace > 0) await clock.sleep(startedAt + afterSeconds * pace * 1000 - clock.now(), stopped);
      if (stopped.aborted) break;
      outcomes.push(...(await Promise.all(together.map(sender.deliver))));
    }
    return outcomes;
  };

  return {
    /** `pace` multiplies the waits, `callbacks` overrides the fault. `atOnce` resolves with the outcomes of what was due at once. */
    launch(simulated: SimulatedCall, pace = 1, callbacks?: Callbacks) {
      const drawn = fault();
      const callbacksOf = (callId: string): Callbacks => callbacks ?? drawCallbacks(callId, drawn);
      for (const reported of simulated.reported) reportCall(reported, callbacksOf(reported.call.id));

      const posts = postsFor(simulated, callbacksOf);
      const isLater = ({ afterSeconds }: Post) => afterSeconds * pace > 0;
      const due = posts.filter((post) => !isLater(post));
      const later = posts.filter(isLater);
      const startedAt = clock.now();
      const atOnce = sendInOrder(due, pace, startedAt);
      const all = atOnce.then(() => sendInOrder(later, pace, startedAt)).then(() => undefined);
      inFlight.add(all);
      all.finally(() => inFlight.delete(all));
      return { posts: posts.length, later: later.length, atOnce };
    },
    report: () => ({ ...sender.counts(), inFlight: inFlight.size }),
    async untilIdle() {
      await Promise.all(inFlight);
    },
  };
};

/** Which callbacks of a call are sent. The same id always draws the same, so a seed repeats its losses. */
const drawCallbacks = (callId: string, { mode, rate }: CallbackFault): Callbacks => {
  const random = randomOf(callId, 3);
  const isDrawn = (one: CallbackFault['mode']): boolean => random() < rate && (mode === one || mode === 'both');
  if (isDrawn('lose')) return 'none';
  return isDrawn('poorer') ? 'poorer' : 'all';
};

/** The posts that are sent: those of calls with all callbacks, and poorer ones. A post that names no call follows the first. */
const postsFor = (
  { calls: [first], reported, posts }: SimulatedCall,
  callbacksOf: (callId: string) => Callbacks,
): readonly Post[] => {
  const complete = posts.filter(({ callId = first?.id }) => callId === undefined || callbacksOf(callId) === 'all');
  const poorer = reported.filter(({ call }) => callbacksOf(call.id) === 'poorer').map((one) => one.poorer());

  return [...complete, ...poorer].sort((one, later) => one.afterSeconds - later.afterSeconds);
};

const maxConcurrentPosts = 40;
const tries = 3;
const firstRetryMs = 1_000;

export const createWebhookSender = ({
  callbackUrl,
  timeoutMs = 10_000,
  clock,
  log,
  stopped,
}: Omit<OutboxSettings, 'reportCall' | 'fault'>) => {
  const address = `${callbackUrl.replace(/\/+$/, '')}/callDetails`;
  /** Reads the whole response. It never rejects: failures are outcomes. */
  const send = async (method: 'GET' | 'HEAD' | 'POST', url: string, post?: Post): Promise<DeliveryOutcome> => {
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        ...(post && { body: post.body }),
        // Each post has its own connection, as with a service that posts rarely. So none is left open at the end.
        headers: { connection: 'close', ...(post && { 'content-type': post.contentType }) },
        signal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      if (stopped.aborted) return 'stopped';
      return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'network';
    }
  };
  const limited = createConcurrencyLimit(maxConcurrentPosts);
  const callIds = new Set<string>();
  const postsByKind: Record<string, number> = {};
  const answers: Record<string, number> = {};
  let addressCheck: { readonly HEAD: DeliveryOutcome; readonly GET: DeliveryOutcome } | undefined;
  let posts = 0;
  let retries = 0;

  /** The service takes any answer but 200 for an invalid URL. The simulator logs the outcome and posts in any case. */
  const checkAddress = once(async (): Promise<void> => {
    const HEAD = await send('HEAD', address);
    const GET = await send('GET', address);
    addressCheck = { HEAD, GET };
    const verdict = HEAD === 200 && GET === 200 ? 'accepted' : 'invalid URL: the service would not use it';
    if (GET !== 'stopped') log(`address check: HEAD ${HEAD}, GET ${GET}, ${verdict}`);
  });

  const postUntilAccepted = async (post: Post): Promise<DeliveryOutcome> => {
    const url = post.query === '' ? address : `${address}?${post.query}`;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await limited(() => send('POST', url, post));
      if (answer === 'stopped') return answer;
      addOne(answers, String(answer));
      if (answer === 200 || attempt === tries) return answer;
      await clock.sleep(firstRetryMs * 2 ** (attempt - 1), stopped);
      retries += 1;
    }
  };

  return {
    async deliver(post: Post): Promise<DeliveryOutcome> {
      await checkAddress();
      const answer = await postUntilAccepted(post);
      if (answer === 'stopped') return answer;

      posts += 1;
      if (post.callId !== undefined) callIds.add(post.callId);
      for (const kind of post.kinds) addOne(postsByKind, kind);
      log(`${titleOf(post)}: ${answer}${answer === 200 ? '' : ', given up'}`);
      return answer;
    },
    /** `postsByKind` has the posts by scenario and quirk. A post counts under each of its kinds. */
    counts: () => ({ calls: callIds.size, posts, postsByKind, answers, retries, addressCheck }),
  };
};

const addOne = (counts: Record<string, number>, key: string): void => {
  counts[key] = (counts[key] ?? 0) + 1;
};

const titleOf = ({ callId, kinds, afterSeconds }: Post): string =>
  [callId ? `call ${callId}` : 'no call', kinds.join(' + '), ...(afterSeconds > 0 ? ['a later post'] : [])].join(', ');

/** Runs at most `limit` tasks at a time. The others wait in the order of their arrival. */
const createConcurrencyLimit = (limit: number): (<T>(task: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running >= limit) await new Promise<void>((proceed) => waiting.push(proceed));
    else running += 1;
    return await task().finally(() => {
      // The place passes to the next waiting task directly, so that a new task cannot overtake it.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    });
  };
};
