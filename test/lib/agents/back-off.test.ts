import { describe, expect, it } from 'vitest';
import { type BackOff, backOffAfter } from '../../../lib/agents/back-off.ts';
import { type PollProblem, pollProblems } from '../../../lib/agents/feed.ts';

const now = new Date('2026-11-20T06:00:00.000Z');
const secondsOf = (backOff: BackOff | undefined) => backOff && (Date.parse(backOff.until) - now.getTime()) / 1000;
const backOffFor = (reason: PollProblem, times = 0, retryAfterSeconds?: number) =>
  backOffAfter({ reason, retryAfterSeconds }, times === 0 ? undefined : { until: now.toISOString(), times }, now);

const rejections: readonly PollProblem[] = ['rate-limited', 'unauthorised', 'rejected', 'no-token', 'token-limit'];
const transient = pollProblems.filter((reason) => !rejections.includes(reason));

describe('backOffAfter', () => {
  it.each(rejections.filter((reason) => reason !== 'no-token'))(
    'leaves the service alone for a minute after %s',
    (reason) => {
      expect(backOffFor(reason)).toEqual({ until: '2026-11-20T06:01:00.000Z', times: 1 });
    },
  );

  it('leaves the service alone for ten seconds after no-token: the next slot may ask again', () => {
    expect(backOffFor('no-token')).toEqual({ until: '2026-11-20T06:00:10.000Z', times: 1 });
  });

  it.each([
    [1, 20],
    [2, 40],
    [3, 80],
    [4, 160],
    [5, 300],
    [1_000, 300],
  ])('doubles from ten seconds with every further no-token, up to five minutes: after %d before', (times, seconds) => {
    expect(secondsOf(backOffFor('no-token', times))).toBe(seconds);
    expect(backOffFor('no-token', times)?.times).toBe(times + 1);
  });

  it.each([
    [1, 120],
    [2, 240],
    [3, 300],
    [4, 300],
    [1_000, 300],
  ])('doubles with every further refusal, up to five minutes: after %d before', (times, seconds) => {
    expect(secondsOf(backOffFor('rate-limited', times))).toBe(seconds);
    expect(backOffFor('rate-limited', times)?.times).toBe(times + 1);
  });

  it.each(transient)('asks again in the next slot after %s', (reason) => {
    expect(backOffFor(reason)).toBeUndefined();
    expect(backOffFor(reason, 2)).toBeUndefined();
    expect(backOffFor(reason, 0, 0)).toBeUndefined();
  });

  it.each([
    ['longer than of our own accord', 'rate-limited', 0, 90, 90],
    ['shorter than of our own accord', 'rate-limited', 0, 10, 60],
    ['shorter than a later refusal', 'rate-limited', 3, 200, 300],
    ['longer than five minutes', 'rate-limited', 3, 1_800, 1_800],
    ['longer than an hour', 'rate-limited', 0, 86_400, 3_600],
    ['longer than the ten seconds after no-token', 'no-token', 0, 90, 90],
    ['shorter than the ten seconds after no-token', 'no-token', 0, 5, 10],
    ['at all, after a failure that else would pass', 'http-error', 0, 30, 30],
    ['longer than anybody counts', 'http-error', 0, Number.MAX_SAFE_INTEGER, 3_600],
  ] as const)('waits as long as the service asks for: %s', (_title, reason, times, asked, seconds) => {
    expect(secondsOf(backOffFor(reason, times, asked))).toBe(seconds);
  });

  it('counts refusals alone: a failure with a time to wait makes the next refusal no worse', () => {
    expect(backOffFor('http-error', 0, 30)?.times).toBe(0);
    expect(backOffFor('http-error', 2, 30)?.times).toBe(2);
    expect(secondsOf(backOffAfter({ reason: 'rate-limited' }, { until: now.toISOString(), times: 0 }, now))).toBe(60);
  });
});
