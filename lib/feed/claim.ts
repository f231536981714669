import { fail, ok, type Result } from '../result.ts';
import { hasRoom, pollBudget, recent } from './budget.ts';
import type { Feed } from './feed.ts';
import { endOfSlot, longestRunSeconds, slotOf } from './slot.ts';

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

/** The feed with one more request noted in the claimed slot, if that takes no place from the next slot's poll. */
export const claimAgain = (feed: Feed, now: Date): Feed | undefined => {
  const { slot, requests } = feed.poller;
  const isOver = now.getTime() + requestTimeoutMs >= endOfSlot(slot);
  const leavesRoom = recent(pollBudget, requests, endOfSlot(slot)).length + 1 < pollBudget.most;
  return isOver || !leavesRoom || !hasRoom(pollBudget, requests, now.getTime()) ? undefined : withRequest(feed, now);
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
