/** What came in under a limit, for whoever wants to know that it was kept. */
export interface RateLimitCounts {
  readonly requests: number;
  /** Requests that were one too many. */
  readonly overLimit: number;
  /** The most requests that any window has seen. */
  readonly maxPerWindow: number;
  /** When the latest requests came, in milliseconds since the epoch, oldest first. */
  readonly requestTimes: readonly number[];
}

/** A limit on requests within any window of time, wherever it begins. */
export interface RateLimit {
  /** Counts a request that arrives now, whatever becomes of it. False where it is one too many. */
  readonly countRequest: () => boolean;
  readonly counts: () => RateLimitCounts;
}

/** How many requests are allowed in a window, and how long that is. */
export interface RateLimitSettings {
  readonly most: number;
  readonly windowMilliseconds: number;
  readonly now: () => number;
}

const maxTimes = 10_000;

/**
 * A strict limit: what it refuses counts as well, so that somebody who keeps asking stays refused; and a window holds
 * both of its ends.
 */
export const createRateLimit = ({ most, windowMilliseconds, now }: RateLimitSettings): RateLimit => {
  const times: number[] = [];
  let requests = 0;
  let overLimit = 0;
  let maxPerWindow = 0;

  return {
    countRequest() {
      const at = now();
      times.push(at);
      if (times.length > maxTimes) times.shift();

      const inWindow = times.filter((time) => time >= at - windowMilliseconds).length;
      const isWithin = inWindow <= most;
      requests += 1;
      overLimit += isWithin ? 0 : 1;
      maxPerWindow = Math.max(maxPerWindow, inWindow);
      return isWithin;
    },
    counts: () => ({ requests, overLimit, maxPerWindow, requestTimes: [...times] }),
  };
};

const minute = 60_000;

/** Specification: at most 5 requests of getAgentLogins a minute. */
export const loginsLimit = { most: 5, windowMilliseconds: minute } as const;

/** Practice: at most 10 tokens an hour. */
export const tokensLimit = { most: 10, windowMilliseconds: 60 * minute } as const;
