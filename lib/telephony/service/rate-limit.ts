/**
 * A limit on requests in any window of time. Each request is noted with the latest instant (milliseconds) at which it can
 * have reached the service. So the limit holds by the service's clock, however long a request is under way.
 */
export interface RateLimit {
  readonly maxRequests: number;
  readonly windowMs: number;
}

/** The requests that still count. */
export const recentRequests = (
  { windowMs }: RateLimit,
  requests: readonly number[],
  nowMs: number,
): readonly number[] => requests.filter((arrivedBy) => arrivedBy >= nowMs - windowMs);

/** Whether one more request may be sent. */
export const hasCapacity = (limit: RateLimit, requests: readonly number[], nowMs: number): boolean =>
  recentRequests(limit, requests, nowMs).length < limit.maxRequests;

/** The earliest time for one more request, in milliseconds: now, or once enough earlier ones have left the window. */
export const capacityAt = (limit: RateLimit, requests: readonly number[], nowMs: number): number => {
  const [oldest] = recentRequests(limit, requests, nowMs)
    .toSorted((a, b) => b - a)
    .slice(limit.maxRequests - 1, limit.maxRequests);
  return oldest === undefined ? nowMs : oldest + limit.windowMs + 1;
};

/** The longest time of a run, in seconds: Lambda ends it then, well before the next slot ends. */
export const maxRunSeconds = 13;
