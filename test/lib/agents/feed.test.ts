import { describe, expect, it } from 'vitest';
import {
  ignoreUnidentified,
  newFeed,
  pollAnswered,
  pollFailed,
  pollGap,
  pollSkipped,
} from '../../../lib/agents/feed.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { Feed } from '../../../lib/agents/schema.ts';
import { slotOf } from '../../../lib/agents/slot.ts';
import { pollProblems } from '../../../lib/telephony/service/problems.ts';
import { received } from '../../support/call-records.ts';

const instant = (time: string) => `2026-11-20T06:${time}Z`;
const at = (time: string) => new Date(instant(time));
const summary = (time: string, counts = {}) => ({ at: instant(time), counts, unreadableRecords: 0 });
const timeout = { reason: 'timeout' } as const;
const rateLimited = { reason: 'rate-limited' } as const;

const fresh = newFeed('demo', at('00:00.000'));
/** Answered at 06:00:00, and so stale after 06:00:30. */
const live = pollAnswered(fresh, summary('00:00.000', { ready: 2, acw: 1 }));
/** With one failure since. */
const failing = pollFailed(live, timeout, at('00:16.000'));

describe('pollAnswered', () => {
  it('dates the agents’ rows, and counts the agents', () => {
    expect(live).toEqual({
      account: 'demo',
      status: 'live',
      statusSince: instant('00:00.000'),
      asOf: instant('00:00.000'),
      staleAt: instant('00:30.000'),
      agentCount: 3,
      counts: { ready: 2, acw: 1 },
      unreadableRecords: 0,
      version: 1,
      poller: { slot: -1, requests: [], inFlight: false },
    });
  });

  it('leaves the beginning of a live feed', () => {
    expect(pollAnswered(live, summary('00:15.000'))).toMatchObject({
      status: 'live',
      statusSince: instant('00:00.000'),
      asOf: instant('00:15.000'),
      agentCount: 0,
      counts: {},
    });
  });

  it('restores an interrupted feed, and clears failures, back-off and pending agents', () => {
    const interrupted = pollFailed(failing, rateLimited, at('00:31.000'));
    const pending = { ...interrupted, poller: { ...interrupted.poller, pendingAt: instant('00:00.000') } };
    const restored = pollAnswered(pending, summary('00:46.000'));

    expect(restored).toMatchObject({ status: 'live', statusSince: instant('00:46.000') });
    expect(restored).not.toHaveProperty('failingSince');
    expect(restored.poller).toEqual({ slot: -1, requests: [], inFlight: false });
    expect(restored.lastProblem).toEqual({ reason: 'rate-limited', at: instant('00:31.000') });
  });
});

describe('pollFailed', () => {
  it.each(pollProblems)('leaves what the feed states about the agents: %s', (reason) => {
    const failed = pollFailed(live, { reason }, at('00:16.000'));
    const { asOf, staleAt, counts, agentCount, unreadableRecords, status } = live;

    expect(failed).toMatchObject({ asOf, staleAt, counts, agentCount, unreadableRecords, status });
    expect(failed.lastProblem).toEqual({ reason, at: instant('00:16.000') });
    expect(failed.version).toBe(live.version + 1);
    expect(failed.poller.inFlight).toBe(false);
    expect(Feed.parse(failed)).toEqual(failed);
  });

  it('notes the first failure in a row, and the reason of the latest', () => {
    const twice = pollFailed(pollFailed(live, timeout, at('00:16.000')), { reason: 'connection' }, at('00:20.000'));

    expect(twice).toMatchObject({
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'connection', at: instant('00:20.000') },
    });
  });

  it.each([
    ['not yet a millisecond before', '00:29.999', 'live', '00:00.000'],
    ['at that instant', '00:30.000', 'interrupted', '00:30.001'],
    ['an hour later, when polls begin again', '59:59.000', 'interrupted', '00:30.001'],
  ])('interrupts the feed when the agents’ rows are stale: %s', (_title, time, status, since) => {
    expect(pollFailed(failing, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
  });

  it.each([timeout, rateLimited])(
    'interrupts nothing by the first failure in a row, however late: $reason',
    (failure) => {
      const { status, statusSince } = live;

      expect(pollFailed(live, failure, at('00:44.000'))).toMatchObject({ status, statusSince });
      expect(pollFailed(pollAnswered(failing, summary('00:31.000')), failure, at('01:14.000')).status).toBe('live');
    },
  );

  it('leaves the beginning of an interruption, however it was dated', () => {
    const interrupted = { ...failing, status: 'interrupted' as const, statusSince: instant('00:45.000') };

    expect(pollFailed(interrupted, timeout, at('01:01.000'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:45.000'),
    });
  });

  it.each([
    ['the first failure', [], '00:01.000', 'starting', '00:00.000'],
    ['failures for less than 30 seconds', ['00:01.000'], '00:30.999', 'starting', '00:00.000'],
    ['failures for 30 seconds', ['00:01.000'], '00:31.000', 'interrupted', '00:31.001'],
  ])('interrupts a feed without an answer by its failures: %s', (_title, before, time, status, since) => {
    const feed = before.reduce((known, earlier) => pollFailed(known, timeout, at(earlier)), fresh);

    expect(pollFailed(feed, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
  });

  it.each([
    ['once more after "Max limit exceeded", for the one that somebody else sent', rateLimited, [1_000, 16_000, 16_000]],
    ['once after anything else', timeout, [1_000, 16_000]],
  ])('counts the latest request %s', (_title, failure, requests) => {
    const polled = { ...live, poller: { ...live.poller, requests: [1_000, 16_000] } };

    expect(pollFailed(polled, failure, at('00:16.000')).poller.requests).toEqual(requests);
  });

  it('backs off longer after each rejection in a row, and as at first after an answer', () => {
    const inSlotOf = (feed: Feed, time: string) => ({ ...feed, poller: { ...feed.poller, slot: slotOf(at(time)) } });
    const limitedAt = (feed: Feed, time: string) => pollFailed(inSlotOf(feed, time), rateLimited, at(time));
    const once = limitedAt(live, '00:16.000');
    const twice = limitedAt(once, '00:31.000');
    const afterAnswer = limitedAt(pollAnswered(once, summary('00:31.000')), '00:46.000');

    expect(once.poller.backOff).toEqual({ until: instant('00:30.000'), times: 1 });
    expect(twice.poller.backOff).toEqual({ until: instant('01:00.000'), times: 2 });
    expect(afterAnswer.poller.backOff).toEqual({ until: instant('01:00.000'), times: 1 });
  });
});

describe('pollSkipped', () => {
  it.each(['rate-limited', 'backing-off'] as const)('writes nothing until the rows are stale: %s', (why) => {
    expect(pollSkipped(live, why, at('00:29.999'))).toBeUndefined();
    expect(pollSkipped(fresh, why, at('10:00.000'))).toBeUndefined();
  });

  it('interrupts the feed once with the reason rate-limited', () => {
    const once = pollSkipped(live, 'rate-limited', at('00:31.000'));

    expect(once).toEqual({
      ...live,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:31.000'),
      lastProblem: { reason: 'rate-limited', at: instant('00:31.000') },
      version: 2,
    });
    expect(once && pollSkipped(once, 'rate-limited', at('00:46.000'))).toBeUndefined();
  });

  it('interrupts the feed with the rejection that caused the back-off', () => {
    const rejected = pollFailed(live, { reason: 'unauthorised' }, at('00:16.000'));

    expect(pollSkipped(rejected, 'backing-off', at('00:31.000'))).toEqual({
      ...rejected,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'unauthorised', at: instant('00:31.000') },
      version: rejected.version + 1,
    });
  });

  it('interrupts a feed without an answer once polls have failed for 30 seconds', () => {
    const failed = pollFailed(fresh, rateLimited, at('00:01.000'));

    expect(pollSkipped(failed, 'backing-off', at('00:30.999'))).toBeUndefined();
    expect(pollSkipped(failed, 'backing-off', at('00:31.000'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:31.001'),
    });
  });
});

describe('pollGap', () => {
  it('records nothing where at most one slot was lost', () => {
    expect(pollGap(live, at('00:45.000'))).toBeUndefined();
  });

  it('interrupts the feed once after a longer gap, dated to when the rows became stale', () => {
    const once = pollGap(live, at('00:45.001'));

    expect(once).toEqual({
      ...live,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:45.001'),
      lastProblem: { reason: 'not-polled', at: instant('00:45.001') },
      version: 2,
    });
    expect(once && pollGap(once, at('59:00.000'))).toBeUndefined();
  });

  it('records nothing for a feed without an answer', () => {
    expect(pollGap(fresh, at('59:00.000'))).toBeUndefined();
    expect(pollGap(pollFailed(fresh, timeout, at('00:01.000')), at('59:00.000'))).toBeUndefined();
  });

  it('names the failure where polls were made and failed', () => {
    const failed = pollFailed(pollFailed(live, rateLimited, at('00:16.000')), timeout, at('00:29.900'));

    expect(pollGap(failed, at('00:45.200'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'timeout', at: instant('00:45.200') },
    });
  });

  it('names no problem where the feed has none', () => {
    const once = pollGap({ ...live, failingSince: instant('00:16.000') }, at('00:45.001'));

    expect(once?.status).toBe('interrupted');
    expect(once).not.toHaveProperty('lastProblem');
  });
});

describe('ignoreUnidentified', () => {
  const answer = (...records: readonly unknown[]) =>
    normaliseAgentLogins([{ AgentId: '1', AgentState: 'READY' }, ...records].map(received));
  const noted = ignoreUnidentified(fresh, answer(null), at('00:00.000')).feed;

  it('changes nothing where every record has an id', () => {
    const logins = answer({ AgentId: '2' }, { AgentId: '3', AgentName: 'Asha' });

    expect(ignoreUnidentified(fresh, logins, at('00:00.000'))).toEqual({ feed: fresh, logins });
  });

  it.each([
    [null, {}],
    [{ AgentName: 'Asha' }, { name: 'Asha' }],
    [{ PhoneNumber: '1', AgentState: 'READY' }, { phoneNumber: '1' }],
  ])('returns the record %j at first, and notes since when there has been one', (record, hint) => {
    const { feed, logins } = ignoreUnidentified(fresh, answer(record), at('00:00.000'));

    expect(logins.unreadable).toEqual([hint]);
    expect(feed.poller.unidentifiedSince).toBe(instant('00:00.000'));
    expect(feed.version).toBe(fresh.version);
  });

  it.each([
    ['returns such records while every answer has had one for five minutes', '05:00.000', [{}, { name: 'Asha' }]],
    ['ignores such records after that', '05:00.001', []],
  ])('%s', (_title, time, unidentified) => {
    const logins = answer(null, { AgentName: 'Asha' }, { AgentId: '2' });
    const identified = ignoreUnidentified(noted, logins, at(time));

    expect(identified.logins.unreadable).toEqual([...unidentified, { agentId: '2' }]);
    expect(identified.logins.agents).toMatchObject([{ agentId: '1' }]);
    expect(identified.feed.poller.unidentifiedSince).toBe(instant('00:00.000'));
  });

  it.each([
    ['without unreadable records', answer()],
    ['whose unreadable records have an id', answer({ AgentId: '2' })],
  ])('counts anew after an answer %s', (_title, logins) => {
    const { feed } = ignoreUnidentified(noted, logins, at('04:00.000'));

    expect(feed).toEqual(fresh);
    expect(ignoreUnidentified(feed, answer(null), at('06:00.000')).logins.unreadable).toEqual([{}]);
  });
});
