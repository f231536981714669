import { fail, ok, type Result } from '../result.ts';
import { hasRoom, pollBudget, recent, roomAt } from './budget.ts';
import type { Feed } from './feed.ts';
import { endOfSlot, longestRunSeconds, slotMs, slotOf } from './slot.ts';

/** How long a request may take, in milliseconds: one that is given up has reached the service by then. */
export const requestTimeoutMs = 4_000;

/** By when a claimed request has reached the service, if the run is cut: it may have to get a token before. */
const arrivesWithinMs = longestRunSeconds * 1000;

/** Why nothing is asked in this slot. */
export type NoClaim = 'slot-taken' | 'limit' | 'backing-off';

/**
 * The feed with the present slot claimed and a request noted, which has to be written before it is sent: so a slot is
 * polled once and the limit holds, whatever is repeated, overlaps or is restarted.
 */
export const claim = (feed: Feed, now: Date): Result<Feed, NoClaim> => {
  const { slot, backOff } = feed.poller;
  if (slotOf(now) <= slot) return fail('slot-taken');
  if (backOff !== undefined && now.toISOString() < backOff.until) return fail('backing-off');
  if (!hasRoom(pollBudget, feed.poller.requests, now.getTime())) return fail('limit');

  return ok(withRequest(feed, now));
};

/** How long a poll may wait for its place, in milliseconds: a second try takes the fifth of a minute's requests. */
export const longestWaitMs = 5_000;

/** Until when a poll that is due at an instant may wait for its place: in the next slot it would be that slot's. */
export const mayWaitUntil = (dueMs: number): number =>
  Math.min(dueMs + longestWaitMs, endOfSlot(slotOf(new Date(dueMs))) - 1);

/** How long the limit keeps a poll from being sent that is due now, in milliseconds. */
export const waitFor = ({ poller }: Feed, now: Date): number =>
  Math.max(0, roomAt(pollBudget, poller.requests, now.getTime()) - now.getTime());

/**
 * The feed with one more request noted in the claimed slot, in which was asked before; undefined if it could not be
 * over in time, or would keep a later slot's poll waiting for too long.
 */
export const claimAgain = (feed: Feed, askedAt: Date, { now, untilMs }: { now: Date; untilMs: number }) => {
  const { slot, requests } = feed.poller;
  const nowMs = now.getTime();
  const isOver = nowMs + requestTimeoutMs >= Math.min(endOfSlot(slot), untilMs);
  if (isOver || !hasRoom(pollBudget, requests, nowMs)) return undefined;

  const isAffordable = leavesRoom([...requests, nowMs + requestTimeoutMs], askedAt.getTime());
  return isAffordable ? withRequest(feed, now) : undefined;
};

/** Whether the polls of the next minute, a slot apart from one that was asked at an instant, find their places. */
const leavesRoom = (requests: readonly number[], askedMs: number): boolean => {
  let taken = requests;
  for (let dueMs = askedMs + slotMs; dueMs <= askedMs + pollBudget.perMs; dueMs += slotMs) {
    const atMs = roomAt(pollBudget, taken, dueMs);
    if (atMs > mayWaitUntil(dueMs)) return false;
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
    unsettled: true,
    requests: [...recent(pollBudget, feed.poller.requests, now.getTime()), now.getTime() + arrivesWithinMs],
  },
});

/** The feed once the request noted last is over: it had reached the service by now at the latest. */
export const arrived = (feed: Feed, now: Date): Feed => ({
  ...feed,
  poller: { ...feed.poller, requests: [...feed.poller.requests.slice(0, -1), now.getTime()] },
});
