import { describe, expect, it } from 'vitest';
import {
  arrived,
  claim,
  claimAgain,
  longestWaitMs,
  mayWaitUntil,
  requestTimeoutMs,
  waitFor,
} from '../../../lib/feed/claim.ts';
import { type Feed, newFeed } from '../../../lib/feed/feed.ts';
import { slotOf } from '../../../lib/feed/slot.ts';
import type { Result } from '../../../lib/result.ts';

const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
const ms = (time: string) => at(time).getTime();
const unpolled = newFeed('demo', at('00:00.000'));
const feedWith = (poller: Partial<Feed['poller']>): Feed => ({
  ...unpolled,
  poller: { ...unpolled.poller, ...poller },
});

const claimed = (result: Result<Feed, string>): Feed => {
  if (!result.ok) throw new Error(result.problem);
  return result.value;
};

describe('claim', () => {
  it('notes slot and request before anything is sent, in the next version', () => {
    const { version, poller } = claimed(claim(unpolled, at('00:01.000')));

    expect(version).toBe(1);
    expect(poller).toMatchObject({ slot: slotOf(at('00:01.000')), requests: [ms('00:14.000')], unsettled: true });
  });

  it.each([
    ['at the same instant', '00:01.000'],
    ['at the end of the slot', '00:14.999'],
    ['by a clock that is behind', '00:00.000'],
  ])('gives a slot once: asked again %s', (_title, time) => {
    const feed = claimed(claim(unpolled, at('00:01.000')));

    expect(claim(feed, at(time))).toEqual({ ok: false, problem: 'slot-taken' });
    expect(claim(feed, at('00:15.000')).ok).toBe(true);
  });

  it.each([
    ['a millisecond before', '01:29.999', 'backing-off'],
    ['at that instant', '01:30.000', undefined],
  ])('asks nothing until the service may be asked again: %s', (_title, time, problem) => {
    const feed = feedWith({ backOff: { until: at('01:30.000').toISOString(), times: 1 } });

    expect(claim(feed, at(time))).toMatchObject(problem === undefined ? { ok: true } : { ok: false, problem });
  });

  it.each([
    ['within the minute, edges included', '01:00.000', 'limit'],
    ['once one is older than a minute', '01:00.001', undefined],
  ])('keeps to five requests a minute: five %s', (_title, time, problem) => {
    const requests = ['00:00.000', '00:10.000', '00:20.000', '00:30.000', '00:40.000'].map(ms);

    expect(claim(feedWith({ requests }), at(time))).toMatchObject(
      problem === undefined ? { ok: true } : { ok: false, problem },
    );
  });

  it('forgets requests that count no more, so that the row stays small', () => {
    const requests = ['00:00.000', '00:15.000'].map(ms);
    const feed = claimed(claim(feedWith({ requests }), at('01:05.000')));

    expect(feed.poller.requests).toEqual([ms('00:15.000'), ms('01:18.000')]);
  });

  it('keeps what else the poller knows', () => {
    const known = { floorKeptAt: at('00:00.000').toISOString(), day: '2026-11-20' };

    expect(claimed(claim(feedWith(known), at('00:16.000'))).poller).toMatchObject(known);
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

    expect(waitFor(feed, at(time))).toBe(waitMs);
    expect(claim(feed, new Date(ms(time) + waitMs)).ok).toBe(true);
  });

  it.each([
    ['five seconds at most', '00:01.000', '00:06.000'],
    ['no further than its slot', '00:12.000', '00:14.999'],
  ])('lets a poll wait for its place: %s', (_title, due, until) => {
    expect(mayWaitUntil(ms(due))).toBe(ms(until));
  });

  it('leaves a poll five seconds to wait', () => {
    expect(longestWaitMs).toBe(5_000);
  });
});

describe('arrived', () => {
  it('notes that a request has reached the service by now, and leaves the others', () => {
    const first = claimed(claim(unpolled, at('00:01.000')));
    const second = claimed(claim(arrived(first, at('00:01.500')), at('00:16.000')));

    expect(arrived(second, at('00:17.250')).poller.requests).toEqual([ms('00:01.500'), ms('00:17.250')]);
  });
});

describe('claimAgain', () => {
  /** A feed that was polled at these times of slots before, and in the present slot. */
  const polledAt = (...times: readonly string[]) =>
    times.reduce((feed, time) => arrived(claimed(claim(feed, at(time))), at(time)), unpolled);

  const never = Number.POSITIVE_INFINITY;
  const tryAgain = (feed: Feed, askedAt: string, now: string, untilMs = never) =>
    claimAgain(feed, at(askedAt), { now: at(now), untilMs });

  it('notes one more request in the claimed slot', () => {
    const feed = polledAt('00:01.000');
    const again = tryAgain(feed, '00:01.000', '00:02.000');

    expect(again).toMatchObject({ version: feed.version + 1, poller: { slot: feed.poller.slot, unsettled: true } });
    expect(again?.poller.requests).toEqual([ms('00:01.000'), ms('00:15.000')]);
  });

  it.each([
    ['two polls', ['00:46.000', '01:01.000'], true],
    ['four polls, a slot apart', ['00:16.000', '00:31.000', '00:46.000', '01:01.000'], true],
    ['four polls, of which the first was slow', ['00:20.999', '00:31.000', '00:46.000', '01:01.000'], true],
    ['four polls, of which the first was too slow', ['00:21.000', '00:31.000', '00:46.000', '01:01.000'], false],
  ])('keeps the next slot’s poll waiting for five seconds at most: after %s', (_title, times, isAllowed) => {
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
    const third = ['00:46.000', '01:01.000'].reduce((feed, time) => claimed(claim(feed, at(time))), twice);

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
