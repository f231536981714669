/** Counts of requests under a rate limit. Tests use them to check that the limit holds. */
export interface RateLimitCounts {
  readonly requests: number;
  /** Requests beyond the limit. */
  readonly overLimit: number;
  /** The largest number of requests in any window. */
  readonly maxPerWindow: number;
  /** Times of the latest requests in milliseconds since the epoch, oldest first. */
  readonly requestTimes: readonly number[];
}

/** A limit on requests within any sliding window of time. */
export interface RateLimit {
  /** Counts a request that arrives now. False if it is beyond the limit. */
  readonly countRequest: () => boolean;
  readonly counts: () => RateLimitCounts;
}

export interface RateLimitSettings {
  readonly max: number;
  readonly windowMilliseconds: number;
  readonly now: () => number;
}

const maxTimes = 10_000;

/**
 * A strict limit. Rejected requests count as well, so a client that does not pause stays rejected. Both ends of a window
 * belong to it.
 */
export const createRateLimit = ({ max, windowMilliseconds, now }: RateLimitSettings): RateLimit => {
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
      const isWithin = inWindow <= max;
      requests += 1;
      overLimit += isWithin ? 0 : 1;
      maxPerWindow = Math.max(maxPerWindow, inWindow);
      return isWithin;
    },
    counts: () => ({ requests, overLimit, maxPerWindow, requestTimes: [...times] }),
  };
};

const minute = 60_000;

/** Specification: at max 5 requests of getAgentLogins a minute. */
export const loginsLimit = { max: 5, windowMilliseconds: minute } as const;

/** Practice: at max 2 call reports a minute, over both of its forms. */
export const reportsLimit = { max: 2, windowMilliseconds: minute } as const;

/** Practice: at max 10 tokens an hour. */
export const tokensLimit = { max: 10, windowMilliseconds: 60 * minute } as const;
