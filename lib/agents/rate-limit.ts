import { fail, ok, type Result } from '../core/result.ts';
import type { Feed } from './feed.ts';

/**
 * A limit over any window of time. Requests are remembered by the latest instant (milliseconds) at which they can have
 * reached the service, so that the limit holds by its clock however long a request was under way.
 */
export interface RateLimit {
  readonly maxRequests: number;
  readonly windowMs: number;
}

/** Spec: at most 5 requests of getAgentLogins a minute. */
export const pollRateLimit: RateLimit = { maxRequests: 5, windowMs: 60_000 };

/** Practice: at most 10 tokens an hour. */
export const tokenRateLimit: RateLimit = { maxRequests: 10, windowMs: 60 * 60_000 };

/** The requests that still count. */
export const recentRequests = (
  { windowMs }: RateLimit,
  requests: readonly number[],
  nowMs: number,
): readonly number[] => requests.filter((arrivedBy) => arrivedBy >= nowMs - windowMs);

/** Whether one more may be sent. */
export const hasCapacity = (budget: RateLimit, requests: readonly number[], nowMs: number): boolean =>
  recentRequests(budget, requests, nowMs).length < budget.maxRequests;

/** From when on one more may be sent, in milliseconds: now, or once enough of those before have left the window. */
export const capacityAt = (budget: RateLimit, requests: readonly number[], nowMs: number): number => {
  const [oldest] = recentRequests(budget, requests, nowMs)
    .toSorted((a, b) => b - a)
    .slice(budget.maxRequests - 1, budget.maxRequests);
  return oldest === undefined ? nowMs : oldest + budget.windowMs + 1;
};

/**
 * How long a slot is: each account is polled at most once in it. Five polls lie in a minute with both its ends, which is
 * all of the limit; a second try in one slot is made up for by a moment's wait in the next ones.
 */
export const slotSeconds = 15;

/** The same in milliseconds. */
const slotMs = slotSeconds * 1000;

/** How long a run may take at the longest, in seconds: it is ended then, well before the next slot is. */
export const maxRunSeconds = 13;

/** The slot that an instant lies in, counted from the epoch, so that every run everywhere numbers it alike. */
export const slotOf = (at: Date): number => Math.floor(at.getTime() / slotMs);

/** When a slot is over, in milliseconds since the epoch. */
export const endOfSlot = (slot: number): number => (slot + 1) * slotMs;

/** How long a request may take, in milliseconds: one that is given up has reached the service by then. */
export const requestTimeoutMs = 4_000;

/** By when a claimed request has reached the service, if the run is cut: it may have to get a token before. */
const arrivesWithinMs = maxRunSeconds * 1000;

/** Why nothing is asked in this slot. */
export type SkipReason = 'slot-taken' | 'rate-limited' | 'backing-off';

/**
 * The feed with the present slot claimed and a request noted, which has to be written before it is sent: so a slot is
 * polled once and the limit holds, whatever is repeated, overlaps or is restarted.
 */
export const reserveSlot = (feed: Feed, now: Date): Result<Feed, SkipReason> => {
  const { slot, backOff } = feed.poller;
  if (slotOf(now) <= slot) return fail('slot-taken');
  if (backOff !== undefined && now.toISOString() < backOff.until) return fail('backing-off');
  if (!hasCapacity(pollRateLimit, feed.poller.requests, now.getTime())) return fail('rate-limited');

  return ok(withRequest(feed, now));
};

/** How long a poll may wait for its place, in milliseconds: a second try takes the fifth of a minute's requests. */
export const maxWaitMs = 5_000;

/** Until when a poll that is due at an instant may wait for its place: in the next slot it would be that slot's. */
export const latestSendMs = (dueMs: number): number =>
  Math.min(dueMs + maxWaitMs, endOfSlot(slotOf(new Date(dueMs))) - 1);

/** How long the limit keeps a poll from being sent that is due now, in milliseconds. */
export const capacityWaitMs = ({ poller }: Feed, now: Date): number =>
  Math.max(0, capacityAt(pollRateLimit, poller.requests, now.getTime()) - now.getTime());

/**
 * The feed with one more request noted in the claimed slot, in which was asked before; undefined if it could not be
 * over in time, or would keep a later slot's poll waiting for too long.
 */
export const reserveRetry = (feed: Feed, askedAt: Date, { now, untilMs }: { now: Date; untilMs: number }) => {
  const { slot, requests } = feed.poller;
  const nowMs = now.getTime();
  const isOver = nowMs + requestTimeoutMs >= Math.min(endOfSlot(slot), untilMs);
  if (isOver || !hasCapacity(pollRateLimit, requests, nowMs)) return undefined;

  const isAffordable = leavesCapacity([...requests, nowMs + requestTimeoutMs], askedAt.getTime());
  return isAffordable ? withRequest(feed, now) : undefined;
};

/** Whether the polls of the next minute, a slot apart from one that was asked at an instant, find their places. */
const leavesCapacity = (requests: readonly number[], askedMs: number): boolean => {
  let taken = requests;
  for (let dueMs = askedMs + slotMs; dueMs <= askedMs + pollRateLimit.windowMs; dueMs += slotMs) {
    const atMs = capacityAt(pollRateLimit, taken, dueMs);
    if (atMs > latestSendMs(dueMs)) return false;
    taken = [...taken, atMs];
  }
  return true;
};

const withRequest = (feed: Feed, now: Date): Feed => ({
  ...feed,
  version: feed.version + 1,
  poller: {
    ...feed.poller,
    slot: slotOf(now),
    inFlight: true,
    requests: [...recentRequests(pollRateLimit, feed.poller.requests, now.getTime()), now.getTime() + arrivesWithinMs],
  },
});

/** The feed once the request noted last is over: it had reached the service by now at the latest. */
export const requestArrived = (feed: Feed, now: Date): Feed => ({
  ...feed,
  poller: { ...feed.poller, requests: [...feed.poller.requests.slice(0, -1), now.getTime()] },
});
