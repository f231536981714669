import { describe, expect, it } from 'vitest';
import {
  becomesInterrupted,
  ignoreUnidentified,
  newPollStatus,
  pollAnswered,
  pollFailed,
  pollGap,
  pollSkipped,
} from '../../../functions/poll-agents/poll-status.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import type { PollStatus } from '../../../lib/agents/schema.ts';
import { received } from '../../support/call-records.ts';

const instant = (time: string) => `2026-11-20T06:${time}Z`;
const at = (time: string) => new Date(instant(time));
const summary = (time: string, counts = {}) => ({ at: instant(time), counts, unreadableRecords: 0 });
const timeout = { reason: 'timeout' } as const;
const rateLimited = { reason: 'rate-limited' } as const;

const fresh = newPollStatus('demo', at('00:00.000'));
/** Answered at 06:00:00, and so stale after 06:00:30. */
const live = pollAnswered(fresh, summary('00:00.000', { ready: 2, acw: 1 }));
/** With one failure since. */
const failing = pollFailed(live, timeout, at('00:16.000'));
const interrupted = pollFailed(failing, rateLimited, at('00:31.000'));

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
  const skipped = (before: PollStatus, time: string) => pollSkipped(before, 'backing-off', at(time));

  it.each<[string, PollStatus | undefined, reason: string, since: string, time: string, failingSince: string]>([
    [
      'by the rate limit',
      pollSkipped(live, 'rate-limited', at('00:31.000')),
      'rate-limited',
      '00:30.001',
      '00:31.000',
      '00:31.000',
    ],
    [
      'by the rejection before a back-off',
      skipped(rejected, '00:31.000'),
      'unauthorised',
      '00:30.001',
      '00:31.000',
      '00:16.000',
    ],
    [
      'after 30 seconds without any answer',
      skipped(pollFailed(fresh, rateLimited, at('00:01.000')), '00:31.000'),
      'rate-limited',
      '00:31.001',
      '00:31.000',
      '00:01.000',
    ],
    ['by nobody who polled', pollGap(live, at('00:45.001')), 'not-polled', '00:30.001', '00:45.001', '00:45.001'],
    [
      'by the failure before a time without polls',
      pollGap(failing, at('00:45.200')),
      'timeout',
      '00:30.001',
      '00:45.200',
      '00:16.000',
    ],
  ])('interrupts polling: %s', (_title, after, reason, since, time, failingSince) => {
    expect(after).toMatchObject({
      ...{ status: 'interrupted', statusSince: instant(since), failingSince: instant(failingSince) },
      lastProblem: { reason, at: instant(time) },
    });
  });

  it.each<[string, PollStatus | undefined]>([
    ['until the rows are stale, by the rate limit', pollSkipped(live, 'rate-limited', at('00:29.999'))],
    ['until the rows are stale, in a back-off', skipped(live, '00:29.999')],
    ['without an answer or a failure', skipped(fresh, '10:00.000')],
    [
      'for less than 30 seconds without any answer',
      skipped(pollFailed(fresh, rateLimited, at('00:01.000')), '00:30.999'),
    ],
    ['twice', pollSkipped(interrupted, 'rate-limited', at('00:46.000'))],
    ['where at most one slot was lost', pollGap(live, at('00:45.000'))],
    ['by a gap, without an answer', pollGap(pollFailed(fresh, timeout, at('00:01.000')), at('59:00.000'))],
    ['by a gap, twice', pollGap(interrupted, at('59:00.000'))],
  ])('writes nothing %s', (_title, after) => {
    expect(after).toBeUndefined();
  });

  it('names no problem where none is known', () => {
    const { lastProblem: _problem, ...unexplained } = failing;
    const after = pollGap(unexplained, at('00:45.001'));

    expect(after?.status).toBe('interrupted');
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
