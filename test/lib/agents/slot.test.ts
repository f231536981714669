import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newFeed } from '../../../lib/agents/feed.ts';
import type { Feed } from '../../../lib/agents/schema.ts';
import {
  capacityWaitMs,
  endOfSlot,
  latestSendMs,
  maxWaitMs,
  pollRateLimit,
  requestArrived,
  requestTimeoutMs,
  reserveRetry,
  reserveSlot,
  slotOf,
  slotSeconds,
} from '../../../lib/agents/slot.ts';
import type { Result } from '../../../lib/core/result.ts';
import { capacityAt, hasCapacity, type RateLimit, recentRequests } from '../../../lib/telephony/service/rate-limit.ts';
import { tokenRateLimit } from '../../../lib/telephony/service/token-cache.ts';
import { holds } from '../../support/property.ts';

const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
const ms = (time: string) => at(time).getTime();
const now = ms('00:00.000');

const limits: readonly (readonly [string, RateLimit, number, number])[] = [
  ['of getAgentLogins', pollRateLimit, 5, 60_000],
  ['of tokens', tokenRateLimit, 10, 3_600_000],
];

describe.each(limits)('the rate limit %s', (_title, limit, maxRequests, windowMs) => {
  const full = (arrivedBy: number) => Array.from({ length: maxRequests }, () => arrivedBy);

  it('is that of the service', () => {
    expect(limit).toEqual({ maxRequests, windowMs });
  });

  it('has capacity for so many requests and no more', () => {
    expect(hasCapacity(limit, [], now)).toBe(true);
    expect(hasCapacity(limit, full(now).slice(1), now)).toBe(true);
    expect(hasCapacity(limit, full(now), now)).toBe(false);
  });

  it.each([
    ['is under way', 5_000, false],
    ['arrived a window ago to the millisecond', -windowMs, false],
    ['arrived a millisecond earlier', -windowMs - 1, true],
  ])('counts a request that %s', (_when, offsetMs, hasCapacityAgain) => {
    expect(hasCapacity(limit, full(now + offsetMs), now)).toBe(hasCapacityAgain);
    expect(recentRequests(limit, full(now + offsetMs), now)).toHaveLength(hasCapacityAgain ? 0 : maxRequests);
  });

  it('has capacity at `capacityAt` and not a millisecond before, whatever is noted', () => {
    const offsets = fc.array(fc.integer({ min: -2 * windowMs, max: 8_000 }), { maxLength: 30 });
    holds(
      fc.property(offsets, (noted) => {
        const requests = noted.map((offset) => now + offset);
        const atMs = capacityAt(limit, requests, now);

        expect(hasCapacity(limit, requests, atMs)).toBe(true);
        if (atMs > now) expect(hasCapacity(limit, requests, atMs - 1)).toBe(false);
      }),
    );
  });

  it('holds in any window, whenever requests are sent and however long they are under way', () => {
    const requests = fc.array(fc.tuple(fc.nat({ max: windowMs / 4 }), fc.nat({ max: 8_000 })), { maxLength: 60 });
    holds(
      fc.property(requests, (steps) => {
        let atMs = now;
        let noted: readonly number[] = [];
        const arrivals: number[] = [];
        for (const [waitMs, travelMs] of steps) {
          atMs += waitMs;
          if (!hasCapacity(limit, noted, atMs)) continue;
          noted = [...recentRequests(limit, noted, atMs), atMs + 8_000];
          arrivals.push(atMs + travelMs);
        }
        for (const from of arrivals)
          expect(
            arrivals.filter((arrival) => arrival >= from && arrival <= from + windowMs).length,
          ).toBeLessThanOrEqual(maxRequests);
      }),
    );
  });
});

describe('a slot', () => {
  it.each([
    ['the last millisecond of a slot', '00:14.999', 0],
    ['the first one of the next', '00:15.000', 1],
    ['the next minute', '01:00.000', 4],
  ])('has 15 seconds by the clock: %s', (_title, time, index) => {
    expect(slotOf(at(time)) - slotOf(at('00:00.000'))).toBe(index);
    expect(slotSeconds).toBe(15);
  });

  it('ends where the next one begins', () => {
    const first = slotOf(at('00:00.000'));

    expect(endOfSlot(first)).toBe(ms('00:15.000'));
    expect(slotOf(new Date(endOfSlot(first)))).toBe(first + 1);
  });
});

const unpolled = newFeed('demo', at('00:00.000'));
const feedWith = (poller: Partial<Feed['poller']>): Feed => ({
  ...unpolled,
  poller: { ...unpolled.poller, ...poller },
});

const feedOf = (result: Result<Feed, string>): Feed => {
  if (!result.ok) throw new Error(result.problem);
  return result.value;
};

describe('reserveSlot', () => {
  it('notes the slot and its request in the next version', () => {
    const { version, poller } = feedOf(reserveSlot(unpolled, at('00:01.000')));

    expect(version).toBe(1);
    expect(poller).toMatchObject({ slot: slotOf(at('00:01.000')), requests: [ms('00:14.000')], inFlight: true });
  });

  it.each([
    ['at the end of the slot', '00:44.999'],
    ['in the slot before, by a clock that is behind', '00:29.999'],
    ['two slots before', '00:00.000'],
  ])('reserves a slot once: not again %s', (_title, time) => {
    const feed = feedOf(reserveSlot(unpolled, at('00:31.000')));

    expect(reserveSlot(feed, at(time))).toEqual({ ok: false, problem: 'slot-taken' });
    expect(reserveSlot(feed, at('00:45.000')).ok).toBe(true);
  });

  it.each([
    ['a millisecond before its end', '01:29.999', 'backing-off'],
    ['at its end', '01:30.000', undefined],
  ])('respects a back-off: %s', (_title, time, problem) => {
    const feed = feedWith({ backOff: { until: at('01:30.000').toISOString(), times: 1 } });

    expect(reserveSlot(feed, at(time))).toMatchObject(problem === undefined ? { ok: true } : { ok: false, problem });
  });

  it('forgets requests that count no more, and leaves the rest of the poller’s state', () => {
    const rest = { snapshotAt: at('00:00.000').toISOString(), day: '2026-11-20' };
    const requests = ['00:00.000', '00:15.000'].map(ms);
    const { poller } = feedOf(reserveSlot(feedWith({ ...rest, requests }), at('01:05.000')));

    expect(poller).toMatchObject({ ...rest, requests: [ms('00:15.000'), ms('01:18.000')] });
  });
});

describe('capacityWaitMs', () => {
  const requests = ['00:00.000', '00:10.000', '00:20.000', '00:30.000', '00:40.000'].map(ms);

  it.each([
    ['zero with capacity', requests.slice(1), '00:59.000', 0],
    ['a millisecond, where the first request counts for so long', requests, '01:00.000', 1],
    ['until the first request counts no more', requests, '00:40.000', 20_001],
  ])('is how long a poll has to wait: %s', (_title, noted, time, waitMs) => {
    const feed = feedWith({ requests: noted });

    expect(capacityWaitMs(feed, at(time))).toBe(waitMs);
    expect(reserveSlot(feed, new Date(ms(time) + waitMs)).ok).toBe(true);
  });
});

describe('latestSendMs', () => {
  it.each([
    ['five seconds later', '00:01.000', '00:06.000'],
    ['at the end of the slot', '00:12.000', '00:14.999'],
  ])('is %s', (_title, due, until) => {
    expect(latestSendMs(ms(due))).toBe(ms(until));
    expect(maxWaitMs).toBe(5_000);
  });
});

describe('requestArrived', () => {
  it('notes that the latest request has arrived by now, and leaves the others', () => {
    const first = feedOf(reserveSlot(unpolled, at('00:01.000')));
    const second = feedOf(reserveSlot(requestArrived(first, at('00:01.500')), at('00:16.000')));

    expect(requestArrived(second, at('00:17.250')).poller.requests).toEqual([ms('00:01.500'), ms('00:17.250')]);
  });
});

describe('reserveRetry', () => {
  /** A feed that was polled at these times, the last of them in the present slot. */
  const polledAt = (...times: readonly string[]) =>
    times.reduce((feed, time) => requestArrived(feedOf(reserveSlot(feed, at(time))), at(time)), unpolled);

  const retry = (feed: Feed, requestedAt: string, time: string, untilMs = Number.POSITIVE_INFINITY) =>
    reserveRetry(feed, at(requestedAt), { now: at(time), untilMs });

  it('notes one more request in the reserved slot', () => {
    const feed = polledAt('00:01.000');
    const next = retry(feed, '00:01.000', '00:02.000');

    expect(next).toMatchObject({ version: feed.version + 1, poller: { slot: feed.poller.slot, inFlight: true } });
    expect(next?.poller.requests).toEqual([ms('00:01.000'), ms('00:15.000')]);
  });

  it.each([
    ['four polls, a slot apart', ['00:16.000', '00:31.000', '00:46.000', '01:01.000'], true],
    ['four polls, the first of them slow', ['00:20.999', '00:31.000', '00:46.000', '01:01.000'], true],
    ['four polls, the first of them too slow', ['00:21.000', '00:31.000', '00:46.000', '01:01.000'], false],
  ])('makes the next slot’s poll wait for at most five seconds: after %s', (_title, times, isAllowed) => {
    expect(retry(polledAt(...times), '01:01.000', '01:02.000') !== undefined).toBe(isAllowed);
  });

  it.each([
    ['five seconds', '00:35.999', true],
    ['a millisecond longer', '00:36.000', false],
  ])('makes no later slot’s poll wait for longer either: %s', (_title, first, isAllowed) => {
    const requests = [first, '00:38.000', '01:01.000'].map(ms);
    const feed = feedWith({ slot: slotOf(at('01:01.000')), requests });

    expect(retry(feed, '01:01.000', '01:02.000') !== undefined).toBe(isAllowed);
  });

  it('counts a retry in an earlier slot', () => {
    const twice = retry(polledAt('00:31.000'), '00:31.000', '00:32.000') ?? unpolled;
    const third = ['00:46.000', '01:01.000'].reduce((feed, time) => feedOf(reserveSlot(feed, at(time))), twice);

    expect(retry(third, '01:01.000', '01:02.000')).toBeUndefined();
  });

  it('sends nothing that may outlast the run', () => {
    const feed = polledAt('00:01.000');

    expect(retry(feed, '00:01.000', '00:05.999', ms('00:10.000'))).toBeDefined();
    expect(retry(feed, '00:01.000', '00:06.000', ms('00:10.000'))).toBeUndefined();
  });

  it.each([
    ['a millisecond before it is too late', '00:10.999', true],
    ['when it is too late', '00:11.000', false],
    ['long after', '03:00.000', false],
  ])('sends nothing that may outlast the slot: %s', (_title, time, isAllowed) => {
    expect(requestTimeoutMs).toBe(4_000);
    expect(retry(polledAt('00:01.000'), '00:01.000', time) !== undefined).toBe(isAllowed);
  });

  it('respects the rate limit, though the next slot would have capacity', () => {
    const requests = ['00:02.000', '00:03.000', '00:04.000', '00:05.000', '01:01.000'].map(ms);
    const feed = feedWith({ slot: slotOf(at('01:01.000')), requests });

    expect(retry(feed, '01:01.000', '01:02.000')).toBeUndefined();
    expect(retry(feed, '01:01.000', '01:02.001')).toBeDefined();
  });
});
