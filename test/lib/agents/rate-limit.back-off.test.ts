import { describe, expect, it } from 'vitest';
import { type PollProblem, pollProblems } from '../../../lib/agents/feed.ts';
import { type BackOff, backOffAfter } from '../../../lib/agents/rate-limit.ts';

const now = new Date('2026-11-20T06:00:00.000Z');
const secondsOf = (backOff: BackOff | undefined) => backOff && (Date.parse(backOff.until) - now.getTime()) / 1000;
const backOffFor = (reason: PollProblem, times = 0, retryAfterSeconds?: number) =>
  backOffAfter({ reason, retryAfterSeconds }, times === 0 ? undefined : { until: now.toISOString(), times }, now);

const rejections: readonly PollProblem[] = ['rate-limited', 'unauthorised', 'rejected', 'no-token', 'token-limit'];
const transient = pollProblems.filter((reason) => !rejections.includes(reason));

describe('backOffAfter', () => {
  it.each(rejections.filter((reason) => reason !== 'no-token'))('pauses for a minute after %s', (reason) => {
    expect(backOffFor(reason)).toEqual({ until: '2026-11-20T06:01:00.000Z', times: 1 });
  });

  it('pauses for ten seconds after no-token, so that the next slot may try again', () => {
    expect(backOffFor('no-token')).toEqual({ until: '2026-11-20T06:00:10.000Z', times: 1 });
  });

  it.each([
    [1, 20],
    [2, 40],
    [3, 80],
    [4, 160],
    [5, 300],
    [1_000, 300],
  ])('doubles with every further no-token, up to five minutes: after %d before', (times, seconds) => {
    expect(secondsOf(backOffFor('no-token', times))).toBe(seconds);
    expect(backOffFor('no-token', times)?.times).toBe(times + 1);
  });

  it.each([
    [1, 120],
    [2, 240],
    [3, 300],
    [4, 300],
    [1_000, 300],
  ])('doubles with every further rejection, up to five minutes: after %d before', (times, seconds) => {
    expect(secondsOf(backOffFor('rate-limited', times))).toBe(seconds);
    expect(backOffFor('rate-limited', times)?.times).toBe(times + 1);
  });

  it.each(transient)('does not pause after %s', (reason) => {
    expect(backOffFor(reason)).toBeUndefined();
    expect(backOffFor(reason, 2)).toBeUndefined();
    expect(backOffFor(reason, 0, 0)).toBeUndefined();
  });

  it.each([
    ['longer than our own pause', 'rate-limited', 0, 90, 90],
    ['shorter than our own pause', 'rate-limited', 0, 10, 60],
    ['shorter than our own pause after more rejections', 'rate-limited', 3, 200, 300],
    ['longer than five minutes', 'rate-limited', 3, 1_800, 1_800],
    ['longer than an hour', 'rate-limited', 0, 86_400, 3_600],
    ['longer than the ten seconds after no-token', 'no-token', 0, 90, 90],
    ['shorter than the ten seconds after no-token', 'no-token', 0, 5, 10],
    ['after a transient failure', 'http-error', 0, 30, 30],
    ['the longest number', 'http-error', 0, Number.MAX_SAFE_INTEGER, 3_600],
  ] as const)('respects Retry-After: %s', (_title, reason, times, retryAfter, seconds) => {
    expect(secondsOf(backOffFor(reason, times, retryAfter))).toBe(seconds);
  });

  it('counts rejections only: a transient failure with Retry-After does not lengthen the next pause', () => {
    expect(backOffFor('http-error', 0, 30)?.times).toBe(0);
    expect(backOffFor('http-error', 2, 30)?.times).toBe(2);
    expect(secondsOf(backOffAfter({ reason: 'rate-limited' }, { until: now.toISOString(), times: 0 }, now))).toBe(60);
  });
});
