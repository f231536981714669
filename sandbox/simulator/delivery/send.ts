import type { Post } from '../posts/post.ts';

/** The outcome of a request: an HTTP status, or the reason why there is none. */
export type DeliveryOutcome = number | 'timeout' | 'network' | 'stopped';

/** A request to send. `url` is complete. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request and reads the whole response. Never throws: failures are outcomes. */
export const sendRequest = async (
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
