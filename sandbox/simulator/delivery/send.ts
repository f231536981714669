import type { Post } from '../posts/post.ts';

/** What became of a request: an HTTP status, or why there is none. */
export type DeliveryOutcome = number | 'timeout' | 'network' | 'stopped';

/** A request as it is sent; `url` is whole. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request and waits for the whole answer. Never throws: every failure has a name. */
export const sendRequest = async (
  { method, url, contentType, body }: OutgoingRequest,
  timeoutMilliseconds: number,
  stopped: AbortSignal,
): Promise<DeliveryOutcome> => {
  try {
    const response = await fetch(url, {
      method,
      // A connection of its own for every post, as a service that posts now and then has it, and none left at the end.
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

/** What the simulator has done so far, as `GET /_simulator` tells it. */
export interface DeliveryCounts {
  /** Calls of which at least one post was tried. */
  readonly calls: number;
  /** Posts settled: answered, or given up. Retries are not counted here. */
  readonly posts: number;
  /** Posts settled, by scenario and by quirk; a post counts under each it shows. */
  readonly postsByKind: Readonly<Record<string, number>>;
  /** Every try by its HTTP status, `timeout` or `network`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly retries: number;
}

/** Keeps the counts. */
export interface DeliveryCounters {
  readonly settled: (post: Post) => void;
  readonly answered: (answer: DeliveryOutcome) => void;
  readonly retried: () => void;
  readonly counts: () => DeliveryCounts;
}

/** A counters that begins at nothing. */
export const createDeliveryCounters = (): DeliveryCounters => {
  const callIds = new Set<string>();
  const byKind = new Map<string, number>();
  const byAnswer = new Map<string, number>();
  let posts = 0;
  let retries = 0;

  return {
    settled({ callId, kinds }) {
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
