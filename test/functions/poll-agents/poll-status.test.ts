import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AgentSummary,
  becomesInterrupted,
  ignoreUnidentified,
  newPollStatus,
  nextStatus,
} from '../../../functions/poll-agents/poll-status.ts';
import {
  type BackOff,
  backOffAfter,
  isSlotTaken,
  latestSendMs,
  pollRateLimit,
  reserveRetry,
  reserveSlot,
  slotOf,
} from '../../../functions/poll-agents/rate-limit.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import type { Poller, PollStatus } from '../../../lib/agents/schema.ts';
import {
  capacityAt,
  hasCapacity,
  type RateLimit,
  recentRequests,
  requestArrived,
} from '../../../lib/service/rate-limit.ts';
import {
  requestTimeoutMs,
  type ServiceFailure,
  type ServiceProblem,
  serviceProblems,
} from '../../../lib/service/service.ts';
import { tokenRateLimit } from '../../../lib/service/token-cache.ts';
import { holds } from '../../support/arbitraries.ts';
import { received } from '../../support/posted-records.ts';

const instant = (time: string) => `2026-11-20T06:${time}Z`;
const at = (time: string) => new Date(instant(time));
const summary = (time: string, counts = {}) => ({ at: instant(time), counts, unreadableRecords: 0 });
const timeout = { reason: 'timeout' } as const;
const rateLimited = { reason: 'rate-limited' } as const;

const pollAnswered = (before: PollStatus, summary: AgentSummary) =>
  nextStatus(before, { kind: 'written', summary }, new Date(0));
const pollFailed = (before: PollStatus, failure: ServiceFailure, now: Date) =>
  nextStatus(before, { kind: 'failed', failure }, now);
const pollSkipped = (before: PollStatus, why: 'rate-limited' | 'backing-off', now: Date) =>
  nextStatus(before, { kind: 'skipped', why }, now);

const fresh = newPollStatus('demo', at('00:00.000'));
/** Answered at 06:00:00, and so stale after 06:00:30. */
const live = pollAnswered(fresh, summary('00:00.000', { ready: 2, acw: 1 }));
/** With one failure since. */
const failing = pollFailed(live, timeout, at('00:16.000'));
const interrupted = pollFailed(failing, rateLimited, at('00:31.000'));

describe('a run', () => {
  const pendingAt = instant('00:00.000');

  it.each<[string, Partial<Poller>, lastProblem: object | undefined]>([
    ['failed if it had no answer', { inFlight: true }, { reason: 'aborted', at: instant('00:31.000') }],
    ['did not fail if it had one', { inFlight: true, pendingAt }, undefined],
  ])('that is taken over %s', (_title, found, lastProblem) => {
    const before = { ...live, poller: { ...live.poller, ...found } };
    const after = nextStatus(before, { kind: 'taken-over' }, at('00:31.000'));

    expect(after.lastProblem).toEqual(lastProblem);
    expect(after.poller).toEqual({ ...before.poller, inFlight: false });
  });
});

describe('a failure', () => {
  it.each([
    ['the second a millisecond before the rows are stale', failing, '00:29.999', 'live', '00:00.000'],
    ['the second when the rows are stale', failing, '00:30.000', 'interrupted', '00:30.001'],
    ['the second, an hour later, when polls begin again', failing, '59:59.000', 'interrupted', '00:30.001'],
    ['the first, however late', live, '00:44.000', 'live', '00:00.000'],
    ['the first since an answer', pollAnswered(failing, summary('00:31.000')), '01:14.000', 'live', '00:00.000'],
    [
      'in an interruption',
      { ...interrupted, statusSince: instant('00:45.000') },
      '01:01.000',
      'interrupted',
      '00:45.000',
    ],
    ['the first of all', fresh, '00:01.000', 'starting', '00:00.000'],
    ['another before any answer', pollFailed(fresh, timeout, at('00:01.000')), '00:30.999', 'starting', '00:00.000'],
    ['another after 30 seconds', pollFailed(fresh, timeout, at('00:01.000')), '00:31.000', 'interrupted', '00:31.001'],
  ] as const)('interrupts polling if it is %s', (_title, before, time, status, since) => {
    const after = pollFailed(before, rateLimited, at(time));

    expect(after).toMatchObject({ status, statusSince: instant(since) });
    expect(after.failingSince).toBe(before.failingSince ?? instant(time));
    if (before === failing) expect(becomesInterrupted(before, at(time))).toBe(status === 'interrupted');
  });

  it.each([
    ['once more after "Max limit exceeded", for the one that somebody else sent', rateLimited, [1_000, 16_000, 16_000]],
    ['once after anything else', timeout, [1_000, 16_000]],
  ])('counts the latest request %s', (_title, failure, requests) => {
    const polled = { ...live, poller: { ...live.poller, requests: [1_000, 16_000] } };

    expect(pollFailed(polled, failure, at('00:16.000')).poller.requests).toEqual(requests);
  });
});

describe('a slot without a request, or a time without polls', () => {
  const rejected = pollFailed(live, { reason: 'unauthorised' }, at('00:16.000'));
  const failedOnce = pollFailed(fresh, rateLimited, at('00:01.000'));
  const skipped = (before: PollStatus, time: string) => pollSkipped(before, 'backing-off', at(time));
  const limited = (before: PollStatus, time: string) => pollSkipped(before, 'rate-limited', at(time));
  const unpolled = (before: PollStatus, time: string) => nextStatus(before, { kind: 'due' }, at(time));

  it.each<
    [
      string,
      before: PollStatus,
      after: typeof skipped,
      reason: string,
      since: string,
      time: string,
      failingSince: string,
    ]
  >([
    ['by the rate limit', live, limited, 'rate-limited', '00:30.001', '00:31.000', '00:31.000'],
    ['by the rejection before a back-off', rejected, skipped, 'unauthorised', '00:30.001', '00:31.000', '00:16.000'],
    ['after 30 seconds without any answer', failedOnce, skipped, 'rate-limited', '00:31.001', '00:31.000', '00:01.000'],
    ['by nobody who polled', live, unpolled, 'not-polled', '00:30.001', '00:45.001', '00:45.001'],
    ['by the failure before a time without polls', failing, unpolled, 'timeout', '00:30.001', '00:45.200', '00:16.000'],
  ])('interrupts polling: %s', (_title, before, next, reason, since, time, failingSince) => {
    expect(next(before, time)).toMatchObject({
      status: 'interrupted',
      statusSince: instant(since),
      failingSince: instant(failingSince),
      lastProblem: { reason, at: instant(time) },
    });
  });

  it.each<[string, before: PollStatus, time: string, after: typeof skipped]>([
    ['until the rows are stale, by the rate limit', live, '00:29.999', limited],
    ['until the rows are stale, in a back-off', live, '00:29.999', skipped],
    ['without an answer or a failure', fresh, '10:00.000', skipped],
    ['for less than 30 seconds without any answer', failedOnce, '00:30.999', skipped],
    ['twice', interrupted, '00:46.000', limited],
    ['where at most one slot was lost', live, '00:45.000', unpolled],
    ['by a gap, without an answer', failedOnce, '59:00.000', unpolled],
    ['by a gap, twice', interrupted, '59:00.000', unpolled],
  ])('writes nothing %s', (_title, before, time, next) => {
    expect(next(before, time)).toBe(before);
  });

  it('names no problem where none is known', () => {
    const { lastProblem: _problem, ...unexplained } = failing;
    const after = unpolled(unexplained, '00:45.001');

    expect(after.status).toBe('interrupted');
    expect(after).not.toHaveProperty('lastProblem');
  });
});

describe('records without an id', () => {
  const answer = (...records: readonly unknown[]) =>
    normaliseAgentLogins([{ AgentId: '1', AgentState: 'READY' }, ...records].map(received));
  const noted = ignoreUnidentified(fresh.poller, answer(null), at('00:00.000')).poller;

  it.each([
    ['without unreadable records', answer()],
    ['whose unreadable records have an id', answer({ AgentId: '2' })],
  ])('count anew for five minutes after an answer %s', (_title, identified) => {
    const { poller } = ignoreUnidentified(noted, identified, at('04:00.000'));

    expect(poller).toEqual(fresh.poller);
    expect(ignoreUnidentified(poller, answer(null), at('06:00.000')).logins.unreadable).toEqual([{}]);
  });
});

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

const unpolled: Poller = { slot: -1, requests: [], inFlight: false };

const reserved = (poller: Poller, time: Date): Poller => {
  const result = reserveSlot(poller, time);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
};

describe('reserveSlot', () => {
  it.each([
    ['at the end of the slot', '00:44.999'],
    ['in the slot before, by a clock that is behind', '00:29.999'],
    ['two slots before', '00:00.000'],
  ])('reserves a slot once: not again %s', (_title, time) => {
    const poller = reserved(unpolled, at('00:31.000'));

    expect(reserveSlot(poller, at(time))).toEqual({ ok: false, problem: 'slot-taken' });
    expect(isSlotTaken(poller, at(time))).toBe(true);
    expect(reserveSlot(poller, at('00:45.000')).ok).toBe(true);
  });

  it.each([
    ['a millisecond before its end', '01:29.999', 'backing-off'],
    ['at its end', '01:30.000', undefined],
  ])('respects a back-off: %s', (_title, time, problem) => {
    const poller = { ...unpolled, backOff: { until: at('01:30.000').toISOString(), times: 1 } };

    expect(reserveSlot(poller, at(time))).toMatchObject(problem === undefined ? { ok: true } : { ok: false, problem });
  });

  it('forgets requests that count no more, and leaves the rest of the poller’s state', () => {
    const rest = { snapshotAt: at('00:00.000').toISOString(), day: '2026-11-20' };
    const requests = ['00:00.000', '00:15.000'].map(ms);
    const poller = reserved({ ...unpolled, ...rest, requests }, at('01:05.000'));

    expect(poller).toMatchObject({ ...rest, requests: [ms('00:15.000'), ms('01:18.000')] });
  });
});

describe('latestSendMs', () => {
  it.each([
    ['five seconds later', '00:01.000', '00:06.000'],
    ['at the end of the slot', '00:12.000', '00:14.999'],
  ])('is %s', (_title, due, until) => {
    expect(latestSendMs(ms(due))).toBe(ms(until));
  });
});

describe('reserveRetry', () => {
  /** After polls at these times, the last of them in the present slot. */
  const polledAt = (...times: readonly string[]) =>
    times.reduce((before, time) => {
      const poller = reserved(before, at(time));
      return { ...poller, requests: requestArrived(poller.requests, at(time)) };
    }, unpolled);

  const retry = (poller: Poller, requestedAt: string, time: string, until = '59:59.000') =>
    reserveRetry(poller, at(requestedAt), { now: at(time), untilMs: ms(until) });

  it('notes one more request in the reserved slot', () => {
    const poller = polledAt('00:01.000');
    const requests = [ms('00:01.000'), ms('00:15.000')];

    expect(retry(poller, '00:01.000', '00:02.000')).toEqual({ slot: poller.slot, inFlight: true, requests });
  });

  const others = ['00:31.000', '00:46.000', '01:01.000'];
  const polledOnce = polledAt('01:01.000');
  /** In the same slot, after requests at these times. */
  const requested = (...times: readonly string[]) => ({ ...polledOnce, requests: times.map(ms) });
  const limited = requested('00:02.000', '00:03.000', '00:04.000', '00:05.000', '01:01.000');
  const retriedBefore = retry(polledAt('00:31.000'), '00:31.000', '00:32.000') ?? unpolled;

  it.each<[string, Poller, time: string, isAllowed: boolean, until?: string]>([
    ['after four polls, a slot apart', polledAt('00:16.000', ...others), '01:02.000', true],
    ['if the next slot’s poll then waits for five seconds', polledAt('00:20.999', ...others), '01:02.000', true],
    ['if it would wait for longer', polledAt('00:21.000', ...others), '01:02.000', false],
    [
      'if a later slot’s poll waits for five seconds',
      requested('00:35.999', '00:38.000', '01:01.000'),
      '01:02.000',
      true,
    ],
    ['if that would wait for longer', requested('00:36.000', '00:38.000', '01:01.000'), '01:02.000', false],
    [
      'after a retry in an earlier slot',
      ['00:46.000', '01:01.000'].reduce((poller, time) => reserved(poller, at(time)), retriedBefore),
      '01:02.000',
      false,
    ],
    ['if it ends with the run', polledOnce, '01:05.999', true, '01:10.000'],
    ['if it may outlast the run', polledOnce, '01:06.000', false, '01:10.000'],
    ['if it ends with the slot', polledOnce, '01:10.999', true],
    ['if it may outlast the slot', polledOnce, '01:11.000', false],
    ['long after the slot', polledOnce, '04:00.000', false],
    ['beyond the rate limit, though the next slot would have capacity', limited, '01:02.000', false],
    ['within the rate limit again', limited, '01:02.001', true],
  ])('makes another request or not: %s', (_title, poller, time, isAllowed, until) => {
    expect(requestTimeoutMs).toBe(4_000);
    expect(retry(poller, '01:01.000', time, until) !== undefined).toBe(isAllowed);
  });
});

const slotBegan = '2026-11-20T06:00:00.000Z';
const answeredAt = new Date('2026-11-20T06:00:02.000Z');
/** The poller with so many rejections before, in the slot of 06:00:00. */
const rejectedBefore = (times: number) => ({
  slot: slotOf(answeredAt),
  ...(times > 0 && { backOff: { until: slotBegan, times } }),
});
const backOffFor = (reason: ServiceProblem, times = 0, retryAfterSeconds?: number) =>
  backOffAfter({ reason, retryAfterSeconds }, rejectedBefore(times), answeredAt);
const secondsFrom = (instant: string | Date, backOff: BackOff | undefined) =>
  backOff && (Date.parse(backOff.until) - new Date(instant).getTime()) / 1000;

const lockable: readonly ServiceProblem[] = ['unauthorised', 'rejected', 'token-limit'];
const brief: readonly ServiceProblem[] = ['rate-limited', 'unknown-error', 'no-token'];
const transient = serviceProblems.filter((reason) => ![...lockable, ...brief].includes(reason));

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
    expect(secondsFrom(answeredAt, backOffFor(reason, times, retryAfter))).toBe(seconds);
  });

  it('counts rejections only: a transient failure with Retry-After does not lengthen the next pause', () => {
    expect(backOffFor('http-error', 0, 30)?.times).toBe(0);
    expect(backOffFor('http-error', 2, 30)?.times).toBe(2);
    const after = backOffAfter(
      { reason: 'unauthorised' },
      { slot: slotOf(answeredAt), backOff: { until: '', times: 0 } },
      answeredAt,
    );
    expect(secondsFrom(slotBegan, after)).toBe(60);
  });
});
