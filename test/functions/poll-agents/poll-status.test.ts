import { describe, expect, it } from 'vitest';
import {
  type AgentSummary,
  becomesInterrupted,
  ignoreUnidentified,
  newPollStatus,
  nextStatus,
  nextStep,
} from '../../../functions/poll-agents/poll-status.ts';
import { slotOf } from '../../../functions/poll-agents/slot.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import type { Poller, PollStatus } from '../../../lib/agents/schema.ts';
import type { ServiceFailure } from '../../../lib/service/service.ts';
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
  const { poller } = fresh;
  const pendingAt = instant('00:00.000');

  it.each<[string, Partial<Poller>, time: string, step: ReturnType<typeof nextStep>]>([
    ['does nothing in a slot that is taken', { slot: slotOf(at('00:15.000')), inFlight: true }, '00:29.999', 'none'],
    ['polls after a result', { slot: slotOf(at('00:15.000')) }, '00:30.000', 'poll'],
    ['takes over from a run without a result', { inFlight: true }, '00:30.000', 'take-over'],
    ['takes over from a run that was writing', { inFlight: true, pendingAt }, '00:30.000', 'take-over'],
    ['writes the rest of a run that was taken over', { pendingAt }, '00:30.000', 'write-rest'],
  ])('%s', (_title, found, time, step) => {
    expect(nextStep({ ...poller, ...found }, at(time))).toBe(step);
  });

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
      'another one in an interruption',
      { ...interrupted, statusSince: instant('00:45.000') },
      '01:01.000',
      'interrupted',
      '00:45.000',
    ],
    ['the first of all', fresh, '00:01.000', 'starting', '00:00.000'],
    [
      'another without an answer so far',
      pollFailed(fresh, timeout, at('00:01.000')),
      '00:30.999',
      'starting',
      '00:00.000',
    ],
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
      ...{ status: 'interrupted', statusSince: instant(since), failingSince: instant(failingSince) },
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
