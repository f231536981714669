/*
 * Limits on requests in any window of time. Each request is noted with the latest instant (milliseconds) at which it can have
 * reached the service. So a limit holds by the service's clock, however long a request is under way.
 */
export interface RateLimit {
  readonly maxRequests: number;
  readonly windowMs: number;
}

/** The requests that may still count. */
export const recentRequests = (
  { windowMs }: RateLimit,
  requests: readonly number[],
  nowMs: number,
): readonly number[] => requests.filter((arrivedBy) => arrivedBy >= nowMs - windowMs);

/** The requests with one more, to be written before that request is sent. */
export const withRequest = (
  limit: RateLimit,
  requests: readonly number[],
  now: Date,
  arrivesWithinMs: number,
): readonly number[] => [...recentRequests(limit, requests, now.getTime()), now.getTime() + arrivesWithinMs];

/** The requests once the latest is over, which has reached the service by now. */
export const requestArrived = (requests: readonly number[], now: Date): readonly number[] => [
  ...requests.slice(0, -1),
  now.getTime(),
];

/** The earliest time for one more request, in milliseconds: now, or once enough earlier ones have left the window. */
export const capacityAt = (limit: RateLimit, requests: readonly number[], nowMs: number): number => {
  const [oldest] = recentRequests(limit, requests, nowMs)
    .toSorted((a, b) => b - a)
    .slice(limit.maxRequests - 1, limit.maxRequests);
  return oldest === undefined ? nowMs : oldest + limit.windowMs + 1;
};

export const hasCapacity = (limit: RateLimit, requests: readonly number[], nowMs: number): boolean =>
  capacityAt(limit, requests, nowMs) === nowMs;
