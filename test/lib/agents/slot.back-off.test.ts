import { describe, expect, it } from 'vitest';
import { type BackOff, backOffAfter, slotOf } from '../../../lib/agents/slot.ts';
import { type PollProblem, pollProblems } from '../../../lib/telephony/service/problems.ts';

const slotBegan = '2026-11-20T06:00:00.000Z';
const now = new Date('2026-11-20T06:00:02.000Z');
/** The poller with so many rejections before, in the slot of 06:00:00. */
const rejectedBefore = (times: number) => ({
  slot: slotOf(now),
  ...(times > 0 && { backOff: { until: slotBegan, times } }),
});
const backOffFor = (reason: PollProblem, times = 0, retryAfterSeconds?: number) =>
  backOffAfter({ reason, retryAfterSeconds }, rejectedBefore(times), now);
const secondsFrom = (instant: string | Date, backOff: BackOff | undefined) =>
  backOff && (Date.parse(backOff.until) - new Date(instant).getTime()) / 1000;

const lockable: readonly PollProblem[] = ['unauthorised', 'rejected', 'token-limit'];
const brief: readonly PollProblem[] = ['rate-limited', 'no-token'];
const transient = pollProblems.filter((reason) => ![...lockable, ...brief].includes(reason));

describe('backOffAfter', () => {
  it.each(lockable)('pauses for a minute after %s', (reason) => {
    expect(backOffFor(reason)).toEqual({ until: '2026-11-20T06:01:00.000Z', times: 1 });
  });

  it.each(brief)('pauses until the next slot after %s, however late in the slot', (reason) => {
    const late = new Date('2026-11-20T06:00:17.000Z');

    expect(backOffFor(reason)).toEqual({ until: '2026-11-20T06:00:15.000Z', times: 1 });
    expect(Date.parse(backOffAfter({ reason }, rejectedBefore(0), late)?.until ?? '')).toBeLessThanOrEqual(+late);
  });

  it.each([
    ['rate-limited', 1, 30],
    ['rate-limited', 2, 60],
    ['rate-limited', 3, 120],
    ['rate-limited', 4, 240],
    ['rate-limited', 5, 300],
    ['rate-limited', 1_000, 300],
    ['no-token', 5, 300],
    ['unauthorised', 1, 120],
    ['unauthorised', 2, 240],
    ['unauthorised', 3, 300],
    ['unauthorised', 1_000, 300],
  ] as const)('doubles with every further %s, up to five minutes: after %d before', (reason, times, seconds) => {
    expect(secondsFrom(slotBegan, backOffFor(reason, times))).toBe(seconds);
    expect(backOffFor(reason, times)?.times).toBe(times + 1);
  });

  it.each(transient)('does not pause after %s', (reason) => {
    expect(backOffFor(reason)).toBeUndefined();
    expect(backOffFor(reason, 2)).toBeUndefined();
    expect(backOffFor(reason, 0, 0)).toBeUndefined();
  });

  it.each([
    ['longer than our own pause', 'rate-limited', 0, 90, 90],
    ['shorter than our own pause', 'rate-limited', 0, 10, 13],
    ['shorter than our own pause after more rejections', 'rate-limited', 5, 200, 298],
    ['longer than five minutes', 'rate-limited', 5, 1_800, 1_800],
    ['longer than an hour', 'rate-limited', 0, 86_400, 3_600],
    ['after a transient failure', 'http-error', 0, 30, 30],
    ['the longest number', 'http-error', 0, Number.MAX_SAFE_INTEGER, 3_600],
  ] as const)('respects Retry-After from the answer on: %s', (_title, reason, times, retryAfter, seconds) => {
    expect(secondsFrom(now, backOffFor(reason, times, retryAfter))).toBe(seconds);
  });

  it('counts rejections only: a transient failure with Retry-After does not lengthen the next pause', () => {
    expect(backOffFor('http-error', 0, 30)?.times).toBe(0);
    expect(backOffFor('http-error', 2, 30)?.times).toBe(2);
    const after = backOffAfter(
      { reason: 'unauthorised' },
      { slot: slotOf(now), backOff: { until: '', times: 0 } },
      now,
    );
    expect(secondsFrom(slotBegan, after)).toBe(60);
  });
});
