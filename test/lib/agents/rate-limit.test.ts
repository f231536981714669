import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Feed, newFeed } from '../../../lib/agents/feed.ts';
import {
  capacityAt,
  capacityWaitMs,
  endOfSlot,
  hasCapacity,
  latestSendMs,
  maxWaitMs,
  pollRateLimit,
  type RateLimit,
  recentRequests,
  requestArrived,
  requestTimeoutMs,
  reserveRetry,
  reserveSlot,
  slotOf,
  slotSeconds,
  tokenRateLimit,
} from '../../../lib/agents/rate-limit.ts';
import type { Result } from '../../../lib/core/result.ts';
import { holds } from '../../support/property.ts';

describe('budget', () => {
  const now = Date.parse('2026-11-20T06:00:00.000Z');

  const limits: readonly (readonly [string, RateLimit, number, number])[] = [
    ['of getAgentLogins', pollRateLimit, 5, 60_000],
    ['of tokens', tokenRateLimit, 10, 3_600_000],
  ];

  describe.each(limits)('the budget %s', (_title, budget, most, windowMs) => {
    const full = (arrivedBy: number) => Array.from({ length: most }, () => arrivedBy);

    it('is what the service allows', () => {
      expect(budget).toEqual({ maxRequests: most, windowMs });
    });

    it('has room for so many requests and no more', () => {
      expect(hasCapacity(budget, [], now)).toBe(true);
      expect(hasCapacity(budget, full(now).slice(1), now)).toBe(true);
      expect(hasCapacity(budget, full(now), now)).toBe(false);
    });

    it.each([
      ['is still under way', 5_000, false],
      ['is under way at this millisecond', 0, false],
      ['has arrived a window ago to the millisecond', -windowMs, false],
      ['has arrived a millisecond earlier', -windowMs - 1, true],
    ])('counts a request that %s', (_when, offsetMs, hasRoomAgain) => {
      expect(hasCapacity(budget, full(now + offsetMs), now)).toBe(hasRoomAgain);
      expect(recentRequests(budget, full(now + offsetMs), now)).toHaveLength(hasRoomAgain ? 0 : most);
    });

    it('has room at once while there are fewer', () => {
      expect(capacityAt(budget, [], now)).toBe(now);
      expect(capacityAt(budget, full(now).slice(1), now)).toBe(now);
      expect(capacityAt(budget, full(now - windowMs - 1), now)).toBe(now);
    });

    it('has room again a millisecond after the oldest that counts has left the window', () => {
      const requests = full(now - 1_000).with(0, now - 5_000);

      expect(capacityAt(budget, requests, now)).toBe(now - 5_000 + windowMs + 1);
      expect(capacityAt(budget, requests.toReversed(), now)).toBe(now - 5_000 + windowMs + 1);
      expect(capacityAt(budget, full(now + 4_000), now)).toBe(now + 4_000 + windowMs + 1);
    });

    it('waits for as many to leave as there are too many', () => {
      const requests = Array.from({ length: most + 2 }, (_, index) => now - 10_000 + index * 1_000);

      expect(capacityAt(budget, requests, now)).toBe(now - 8_000 + windowMs + 1);
    });

    it('says the first millisecond at which there is room, whatever is noted', () => {
      const offsets = fc.array(fc.integer({ min: -2 * windowMs, max: 8_000 }), { maxLength: 30 });
      holds(
        fc.property(offsets, (noted) => {
          const requests = noted.map((offset) => now + offset);
          const room = capacityAt(budget, requests, now);

          expect(hasCapacity(budget, requests, room)).toBe(true);
          if (room > now) expect(hasCapacity(budget, requests, room - 1)).toBe(false);
        }),
      );
    });

    it('never lets more into any window, whenever it is asked and however long requests are under way', () => {
      const asked = fc.array(fc.tuple(fc.nat({ max: windowMs / 4 }), fc.nat({ max: 8_000 })), { maxLength: 60 });
      holds(
        fc.property(asked, (steps) => {
          let atMs = now;
          let noted: readonly number[] = [];
          const arrivals: number[] = [];
          for (const [waitMs, travelMs] of steps) {
            atMs += waitMs;
            if (!hasCapacity(budget, noted, atMs)) continue;
            noted = [...recentRequests(budget, noted, atMs), atMs + 8_000];
            arrivals.push(atMs + travelMs);
          }
          for (const from of arrivals)
            expect(
              arrivals.filter((arrival) => arrival >= from && arrival <= from + windowMs).length,
            ).toBeLessThanOrEqual(most);
        }),
      );
    });
  });
});

describe('slotOf', () => {
  const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
  const first = slotOf(at('00:00.000'));

  it.each([
    ['the first millisecond of a minute', '00:00.000', 0],
    ['the last one of a slot', '00:14.999', 0],
    ['the first one of the next', '00:15.000', 1],
    ['the third slot', '00:30.000', 2],
    ['the fourth slot', '00:59.999', 3],
    ['the next minute', '01:00.000', 4],
  ])('numbers slots of 15 seconds by the clock: %s', (_title, time, index) => {
    expect(slotOf(at(time)) - first).toBe(index);
  });

  it('ends a slot where the next one begins', () => {
    expect(endOfSlot(first)).toBe(at('00:15.000').getTime());
    expect(slotOf(new Date(endOfSlot(first)))).toBe(first + 1);
    expect(slotOf(new Date(endOfSlot(first) - 1))).toBe(first);
    expect(slotSeconds).toBe(15);
  });
});

describe('claim', () => {
  const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
  const ms = (time: string) => at(time).getTime();
  const unpolled = newFeed('demo', at('00:00.000'));
  const feedWith = (poller: Partial<Feed['poller']>): Feed => ({
    ...unpolled,
    poller: { ...unpolled.poller, ...poller },
  });

  const feedOf = (result: Result<Feed, string>): Feed => {
    if (!result.ok) throw new Error(result.problem);
    return result.value;
  };

  describe('claim', () => {
    it('notes slot and request before anything is sent, in the next version', () => {
      const { version, poller } = feedOf(reserveSlot(unpolled, at('00:01.000')));

      expect(version).toBe(1);
      expect(poller).toMatchObject({ slot: slotOf(at('00:01.000')), requests: [ms('00:14.000')], inFlight: true });
    });

    it.each([
      ['at the same instant', '00:01.000'],
      ['at the end of the slot', '00:14.999'],
      ['by a clock that is behind', '00:00.000'],
    ])('gives a slot once: asked again %s', (_title, time) => {
      const feed = feedOf(reserveSlot(unpolled, at('00:01.000')));

      expect(reserveSlot(feed, at(time))).toEqual({ ok: false, problem: 'slot-taken' });
      expect(reserveSlot(feed, at('00:15.000')).ok).toBe(true);
    });

    it.each([
      ['a millisecond before', '01:29.999', 'backing-off'],
      ['at that instant', '01:30.000', undefined],
    ])('asks nothing until the service may be asked again: %s', (_title, time, problem) => {
      const feed = feedWith({ backOff: { until: at('01:30.000').toISOString(), times: 1 } });

      expect(reserveSlot(feed, at(time))).toMatchObject(problem === undefined ? { ok: true } : { ok: false, problem });
    });

    it.each([
      ['within the minute, edges included', '01:00.000', 'rate-limited'],
      ['once one is older than a minute', '01:00.001', undefined],
    ])('keeps to five requests a minute: five %s', (_title, time, problem) => {
      const requests = ['00:00.000', '00:10.000', '00:20.000', '00:30.000', '00:40.000'].map(ms);

      expect(reserveSlot(feedWith({ requests }), at(time))).toMatchObject(
        problem === undefined ? { ok: true } : { ok: false, problem },
      );
    });

    it('forgets requests that count no more, so that the row stays small', () => {
      const requests = ['00:00.000', '00:15.000'].map(ms);
      const feed = feedOf(reserveSlot(feedWith({ requests }), at('01:05.000')));

      expect(feed.poller.requests).toEqual([ms('00:15.000'), ms('01:18.000')]);
    });

    it('keeps what else the poller knows', () => {
      const known = { snapshotAt: at('00:00.000').toISOString(), day: '2026-11-20' };

      expect(feedOf(reserveSlot(feedWith(known), at('00:16.000'))).poller).toMatchObject(known);
    });
  });

  describe('waitFor', () => {
    const requests = ['00:00.000', '00:10.000', '00:20.000', '00:30.000', '00:40.000'].map(ms);

    it.each([
      ['not at all while there is room', requests.slice(1), '00:59.000', 0],
      ['not at all once there is room again', requests, '01:00.001', 0],
      ['a millisecond, where the first counts for so long', requests, '01:00.000', 1],
      ['until the first counts no more', requests, '00:57.000', 3_001],
      ['however long that is', requests, '00:40.000', 20_001],
    ])('says for how long the limit keeps a poll from being sent: %s', (_title, noted, time, waitMs) => {
      const feed = feedWith({ requests: noted });

      expect(capacityWaitMs(feed, at(time))).toBe(waitMs);
      expect(reserveSlot(feed, new Date(ms(time) + waitMs)).ok).toBe(true);
    });

    it.each([
      ['five seconds at most', '00:01.000', '00:06.000'],
      ['no further than its slot', '00:12.000', '00:14.999'],
    ])('lets a poll wait for its place: %s', (_title, due, until) => {
      expect(latestSendMs(ms(due))).toBe(ms(until));
    });

    it('leaves a poll five seconds to wait', () => {
      expect(maxWaitMs).toBe(5_000);
    });
  });

  describe('arrived', () => {
    it('notes that a request has reached the service by now, and leaves the others', () => {
      const first = feedOf(reserveSlot(unpolled, at('00:01.000')));
      const second = feedOf(reserveSlot(requestArrived(first, at('00:01.500')), at('00:16.000')));

      expect(requestArrived(second, at('00:17.250')).poller.requests).toEqual([ms('00:01.500'), ms('00:17.250')]);
    });
  });

  describe('claimAgain', () => {
    /** A feed that was polled at these times of slots before, and in the present slot. */
    const polledAt = (...times: readonly string[]) =>
      times.reduce((feed, time) => requestArrived(feedOf(reserveSlot(feed, at(time))), at(time)), unpolled);

    const never = Number.POSITIVE_INFINITY;
    const tryAgain = (feed: Feed, askedAt: string, now: string, untilMs = never) =>
      reserveRetry(feed, at(askedAt), { now: at(now), untilMs });

    it('notes one more request in the claimed slot', () => {
      const feed = polledAt('00:01.000');
      const again = tryAgain(feed, '00:01.000', '00:02.000');

      expect(again).toMatchObject({ version: feed.version + 1, poller: { slot: feed.poller.slot, inFlight: true } });
      expect(again?.poller.requests).toEqual([ms('00:01.000'), ms('00:15.000')]);
    });

    it.each([
      ['two polls', ['00:46.000', '01:01.000'], true],
      ['four polls, a slot apart', ['00:16.000', '00:31.000', '00:46.000', '01:01.000'], true],
      ['four polls, of which the first was slow', ['00:20.999', '00:31.000', '00:46.000', '01:01.000'], true],
      ['four polls, of which the first was too slow', ['00:21.000', '00:31.000', '00:46.000', '01:01.000'], false],
    ])('keeps the next slot’s poll waiting for five seconds at maxRequests: after %s', (_title, times, isAllowed) => {
      expect(tryAgain(polledAt(...times), '01:01.000', '01:02.000') !== undefined).toBe(isAllowed);
    });

    it.each([
      ['five seconds', '00:35.999', true],
      ['a millisecond longer', '00:36.000', false],
    ])('keeps no later slot’s poll waiting for longer either: the next but one for %s', (_title, first, isAllowed) => {
      const requests = [first, '00:38.000', '01:01.000'].map(ms);
      const feed = feedWith({ slot: slotOf(at('01:01.000')), requests });

      expect(tryAgain(feed, '01:01.000', '01:02.000') !== undefined).toBe(isAllowed);
    });

    it('begins nothing that could not be over when the run has to be', () => {
      const feed = polledAt('00:01.000');

      expect(tryAgain(feed, '00:01.000', '00:05.999', ms('00:10.000'))).toBeDefined();
      expect(tryAgain(feed, '00:01.000', '00:06.000', ms('00:10.000'))).toBeUndefined();
    });

    it('counts a second try that was made in an earlier slot', () => {
      const twice = tryAgain(polledAt('00:31.000'), '00:31.000', '00:32.000') ?? unpolled;
      const third = ['00:46.000', '01:01.000'].reduce((feed, time) => feedOf(reserveSlot(feed, at(time))), twice);

      expect(tryAgain(third, '01:01.000', '01:02.000')).toBeUndefined();
    });

    it.each([
      ['a millisecond before it is too late', '00:10.999', true],
      ['when it is too late', '00:11.000', false],
      ['in the next slot', '00:15.000', false],
      ['long after', '03:00.000', false],
    ])('sends nothing that may not be over with the slot: asked %s', (_title, time, isAllowed) => {
      expect(requestTimeoutMs).toBe(4_000);
      expect(tryAgain(polledAt('00:01.000'), '00:01.000', time) !== undefined).toBe(isAllowed);
    });

    it('keeps to five requests a minute, though the next slot would have room', () => {
      const requests = ['00:02.000', '00:03.000', '00:04.000', '00:05.000', '01:01.000'].map(ms);
      const feed = feedWith({ slot: slotOf(at('01:01.000')), requests });

      expect(tryAgain(feed, '01:01.000', '01:02.000')).toBeUndefined();
      expect(tryAgain(feed, '01:01.000', '01:02.001')).toBeDefined();
    });
  });
});
