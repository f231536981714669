import type { Poller } from '../../lib/agents/schema.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { capacityAt, hasCapacity, type RateLimit, withRequest } from '../../lib/service/rate-limit.ts';
import {
  maxRunSeconds,
  requestTimeoutMs,
  type ServiceFailure,
  type ServiceProblem,
} from '../../lib/service/service.ts';

/** The specification allows at most 5 requests of getAgentLogins a minute. */
export const pollRateLimit: RateLimit = { maxRequests: 5, windowMs: 60_000 };

/** An account is polled once a slot at most. A minute with both its ends has five polls, which is the whole limit. */
export const slotSeconds = 15;

const slotMs = slotSeconds * 1000;

/** The slot of an instant, counted from the epoch, so that every run numbers it alike. */
export const slotOf = (at: Date): number => Math.floor(at.getTime() / slotMs);

const startOfSlot = (slot: number): number => slot * slotMs;

/** When the slot began that a run acquired last (ISO instant); undefined before the first. */
export const attemptedAt = ({ slot }: Pick<Poller, 'slot'>): string | undefined =>
  slot < 0 ? undefined : new Date(startOfSlot(slot)).toISOString();

export const endOfSlot = (slot: number): number => startOfSlot(slot + 1);

/** Within this time the request of an aborted run has reached the service. The run may have fetched a token first. */
const arrivesWithinMs = maxRunSeconds * 1000;

/** Reserves the slot. Write it before the request is sent: then the limit holds, even if runs repeat or overlap. */
export const reserveSlot = (
  poller: Poller,
  now: Date,
): Result<Poller, 'slot-taken' | 'rate-limited' | 'backing-off'> => {
  const { backOff, requests } = poller;
  if (isSlotTaken(poller, now)) return fail('slot-taken');
  if (backOff !== undefined && now.toISOString() < backOff.until) return fail('backing-off');
  return hasCapacity(pollRateLimit, requests, now.getTime()) ? ok(withNotedRequest(poller, now)) : fail('rate-limited');
};

export const isSlotTaken = ({ slot }: Pick<Poller, 'slot'>, now: Date): boolean => slotOf(now) <= slot;

/** How long a poll may wait for capacity: a retry uses the fifth request of a minute. */
const maxWaitMs = 5_000;

/** Until when a poll that is due at an instant may wait: after the end of its slot it would be the next slot's. */
export const latestSendMs = (dueMs: number): number =>
  Math.min(dueMs + maxWaitMs, endOfSlot(slotOf(new Date(dueMs))) - 1);

export const capacityWaitMs = ({ requests }: Poller, now: Date): number =>
  Math.max(0, capacityAt(pollRateLimit, requests, now.getTime()) - now.getTime());

/** Notes one more request; undefined if it could outlast slot or run, or delay a later poll for too long. */
export const reserveRetry = (poller: Poller, requestedAt: Date, { now, untilMs }: { now: Date; untilMs: number }) => {
  const { slot, requests } = poller;
  const nowMs = now.getTime();
  const isTooLate = nowMs + requestTimeoutMs >= Math.min(endOfSlot(slot), untilMs);
  if (isTooLate || !hasCapacity(pollRateLimit, requests, nowMs)) return undefined;

  const isHarmless = leavesCapacity([...requests, nowMs + requestTimeoutMs], requestedAt.getTime());
  return isHarmless ? withNotedRequest(poller, now) : undefined;
};

/** Whether the polls of the next minute, each a slot after the one before, find capacity in time. */
const leavesCapacity = (requests: readonly number[], requestedMs: number): boolean => {
  let scheduled = requests;
  for (let dueMs = requestedMs + slotMs; dueMs <= requestedMs + pollRateLimit.windowMs; dueMs += slotMs) {
    const atMs = capacityAt(pollRateLimit, scheduled, dueMs);
    if (atMs > latestSendMs(dueMs)) return false;
    scheduled = [...scheduled, atMs];
  }
  return true;
};

const withNotedRequest = (poller: Poller, now: Date): Poller => ({
  ...poller,
  slot: slotOf(now),
  inFlight: true,
  requests: withRequest(pollRateLimit, poller.requests, now, arrivesWithinMs),
});

/**
 * "Max limit exceeded" means that somebody else sent a request too, no later than our latest. It counts like ours, with the time of
 * that one.
 */
export const withUnknownRequest = (requests: readonly number[]): readonly number[] => [
  ...requests,
  ...requests.slice(-1),
];

export type BackOff = NonNullable<Poller['backOff']>;

/** After bad credentials, further requests could lock the account. */
const lockableMs = 60_000;

/**
 * After "Max limit exceeded" or a failed token exchange the next slot polls again: by then one of our four requests has
 * left the service's minute. An unknown error may be an outage of a moment, or a limit in other words.
 */
const firstPauseMs: Partial<Record<ServiceProblem, number>> = {
  'rate-limited': slotMs,
  'unknown-error': slotMs,
  'no-token': slotMs,
  unauthorised: lockableMs,
  rejected: lockableMs,
  'token-limit': lockableMs,
};

const maxPauseMs = 5 * 60_000;
const maxRetryAfterMs = 60 * 60_000;

export const withoutBackOff = ({ backOff: _backOff, ...poller }: Poller): Poller => poller;

/** Doubles with each rejection in a row, up to five minutes, in whole slots. It is longer if Retry-After is. */
export const backOffAfter = (
  { reason, retryAfterSeconds = 0, isOfToken }: ServiceFailure,
  { slot, backOff: before }: Pick<Poller, 'slot' | 'backOff'>,
  now: Date,
): BackOff | undefined => {
  const firstMs = firstPauseMs[reason] ?? (isOfToken ? slotMs : undefined);
  if (firstMs === undefined && retryAfterSeconds === 0) return undefined;

  const times = (before?.times ?? 0) + Number(firstMs !== undefined);
  const ownMs = firstMs === undefined ? 0 : Math.min(firstMs * 2 ** (times - 1), maxPauseMs);
  const retryAfterMs = Math.min(retryAfterSeconds * 1000, maxRetryAfterMs);
  const untilMs = Math.max(startOfSlot(slot) + ownMs, now.getTime() + retryAfterMs);
  return { until: new Date(untilMs).toISOString(), times };
};
