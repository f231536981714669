import { describe, expect, it } from 'vitest';
import { Feed, newFeed, pollProblems } from '../../../lib/agents/feed.ts';
import {
  ignoreUnidentified,
  pollAborted,
  pollAnswered,
  pollFailed,
  pollGap,
  pollSkipped,
} from '../../../lib/agents/feed-transitions.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { received } from '../../support/call-records.ts';

describe('settle', () => {
  const instant = (time: string) => `2026-11-20T06:${time}Z`;
  const at = (time: string) => new Date(instant(time));
  const fresh = newFeed('demo', at('00:00.000'));
  const picture = (time: string, counts = {}) => ({ at: instant(time), counts, unreadableRecords: 0 });
  const live = pollAnswered(fresh, picture('00:00.000', { ready: 2, acw: 1 }));
  const timeout = { reason: 'timeout' } as const;

  describe('answered', () => {
    it('says for when the picture is true, how long, and who is there', () => {
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

    it('keeps since when the feed has been live', () => {
      expect(pollAnswered(live, picture('00:15.000'))).toMatchObject({
        status: 'live',
        statusSince: instant('00:00.000'),
        asOf: instant('00:15.000'),
        agentCount: 0,
        counts: {},
      });
    });

    it('restores an interrupted feed, and forgets failures, back-off and what was left to write', () => {
      const interrupted = pollFailed(live, { reason: 'rate-limited' }, at('00:31.000'));
      const pending = { ...interrupted, poller: { ...interrupted.poller, pendingAt: instant('00:00.000') } };
      const restored = pollAnswered(pending, picture('00:46.000'));

      expect(restored).toMatchObject({ status: 'live', statusSince: instant('00:46.000') });
      expect(restored).not.toHaveProperty('failingSince');
      expect(restored.poller).toEqual({ slot: -1, requests: [], inFlight: false });
      expect(restored.lastProblem).toEqual({ reason: 'rate-limited', at: instant('00:31.000') });
    });
  });

  describe('failing', () => {
    it.each(pollProblems)('leaves the picture as it was after %s', (reason) => {
      const failed = pollFailed(live, { reason }, at('00:16.000'));
      const { asOf, staleAt, counts, agentCount, unreadableRecords, status } = live;

      expect(failed).toMatchObject({ asOf, staleAt, counts, agentCount, unreadableRecords, status });
      expect(failed.lastProblem).toEqual({ reason, at: instant('00:16.000') });
      expect(failed.version).toBe(live.version + 1);
      expect(failed.poller.inFlight).toBe(false);
      expect(Feed.parse(failed)).toEqual(failed);
    });

    it('remembers since when polls have failed, and why the latest did', () => {
      const twice = pollFailed(pollFailed(live, timeout, at('00:16.000')), { reason: 'connection' }, at('00:20.000'));

      expect(twice).toMatchObject({
        failingSince: instant('00:16.000'),
        lastProblem: { reason: 'connection', at: instant('00:20.000') },
      });
    });

    it.each([
      ['not a millisecond before it is 30 seconds old', '00:29.999', 'live', '00:00.000'],
      ['when it is 30 seconds old', '00:30.000', 'interrupted', '00:30.001'],
      ['a slot later', '00:45.000', 'interrupted', '00:30.001'],
      ['an hour later, when polls begin again', '59:59.000', 'interrupted', '00:30.001'],
    ])('interrupts the feed, as of when the picture became stale: %s', (_title, time, status, since) => {
      expect(pollFailed(live, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
    });

    it('interrupts once: later failures leave since when', () => {
      const once = pollFailed(live, timeout, at('00:31.000'));
      const twice = pollFailed(once, timeout, at('00:46.000'));

      expect(twice).toMatchObject({ status: 'interrupted', statusSince: instant('00:30.001') });
    });

    it('leaves since when a feed is interrupted, however that was reckoned when it was told', () => {
      const told = { ...live, status: 'interrupted' as const, statusSince: instant('00:45.000') };

      expect(pollFailed(told, timeout, at('01:01.000'))).toMatchObject({
        status: 'interrupted',
        statusSince: instant('00:45.000'),
      });
    });

    it.each([
      ['the first failure', [], '00:01.000', 'starting', '00:00.000'],
      ['failures for less than 30 seconds', ['00:01.000'], '00:30.999', 'starting', '00:00.000'],
      ['failures for 30 seconds', ['00:01.000'], '00:31.000', 'interrupted', '00:31.001'],
      ['failures for longer', ['00:01.000'], '00:46.000', 'interrupted', '00:31.001'],
    ])('interrupts a feed that was never live by its failures: %s', (_title, before, time, status, since) => {
      const feed = before.reduce((known, earlier) => pollFailed(known, timeout, at(earlier)), fresh);

      expect(pollFailed(feed, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
    });

    it('begins anew to count once a poll is answered', () => {
      const again = pollAnswered(pollFailed(live, timeout, at('00:16.000')), picture('00:31.000'));

      expect(pollFailed(again, timeout, at('01:00.999'))).toMatchObject({
        status: 'live',
        failingSince: instant('01:00.999'),
      });
    });

    it('backs off further with each refusal in a row', () => {
      const once = pollFailed(live, { reason: 'rate-limited' }, at('00:16.000'));
      const twice = pollFailed(once, { reason: 'rate-limited' }, at('01:16.000'));

      expect(once.poller.backOff).toEqual({ until: instant('01:16.000'), times: 1 });
      expect(twice.poller.backOff).toEqual({ until: instant('03:16.000'), times: 2 });
    });

    it('backs off as at first once a poll is answered', () => {
      const once = pollFailed(live, { reason: 'rate-limited' }, at('00:16.000'));
      const again = pollFailed(pollAnswered(once, picture('01:16.000')), { reason: 'rate-limited' }, at('01:31.000'));

      expect(again.poller.backOff).toEqual({ until: instant('02:31.000'), times: 1 });
    });
  });

  describe('aborted', () => {
    it('notes a run that was cut as a poll that failed', () => {
      const once = pollAborted({ ...live, poller: { ...live.poller, inFlight: true } }, at('00:16.000'));

      expect(once).toEqual({
        ...live,
        failingSince: instant('00:16.000'),
        lastProblem: { reason: 'aborted', at: instant('00:16.000') },
        version: live.version + 1,
      });
    });

    it('tells nobody of the first of a row, however old the picture is', () => {
      expect(pollAborted(live, at('59:59.000'))).toMatchObject({ status: 'live', statusSince: live.statusSince });
    });

    it.each([
      ['the second of a row', pollAborted(live, at('00:16.000'))],
      ['one after a poll that failed', pollFailed(live, timeout, at('00:16.000'))],
    ])('interrupts the feed once the picture is stale: %s', (_title, before) => {
      expect(pollAborted(before, at('00:29.999')).status).toBe('live');
      expect(pollAborted(before, at('00:31.000'))).toMatchObject({
        status: 'interrupted',
        statusSince: instant('00:30.001'),
        failingSince: instant('00:16.000'),
        lastProblem: { reason: 'aborted', at: instant('00:31.000') },
      });
    });

    it('leaves an interrupted feed as it is, and a back-off too', () => {
      const interrupted = pollFailed(
        pollFailed(live, { reason: 'rate-limited' }, at('00:16.000')),
        timeout,
        at('00:46.000'),
      );
      const { status, statusSince, poller } = interrupted;

      expect(pollAborted(interrupted, at('01:01.000'))).toMatchObject({ status, statusSince, poller });
    });

    it('is forgotten once a poll is answered', () => {
      const again = pollAnswered(pollAborted(live, at('00:16.000')), picture('00:16.000'));

      expect(again).not.toHaveProperty('failingSince');
      expect(pollAborted(again, at('00:47.000')).status).toBe('live');
    });
  });

  describe('passedOver', () => {
    it.each(['rate-limited', 'backing-off'] as const)(
      'has nothing to write while the picture is not stale: %s',
      (why) => {
        expect(pollSkipped(live, why, at('00:29.999'))).toBeUndefined();
        expect(pollSkipped(fresh, why, at('10:00.000'))).toBeUndefined();
      },
    );

    it('interrupts the feed once the picture is stale: the limit kept it from asking', () => {
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

    it('interrupts the feed once the picture is stale: a refusal keeps it from asking, and is the problem still', () => {
      const refused = pollFailed(live, { reason: 'unauthorised' }, at('00:16.000'));
      const once = pollSkipped(refused, 'backing-off', at('00:31.000'));

      expect(once).toEqual({
        ...refused,
        status: 'interrupted',
        statusSince: instant('00:30.001'),
        failingSince: instant('00:16.000'),
        lastProblem: { reason: 'unauthorised', at: instant('00:31.000') },
        version: refused.version + 1,
      });
      expect(once && pollSkipped(once, 'backing-off', at('00:46.000'))).toBeUndefined();
    });

    it('interrupts a feed that was never live once polls have failed for 30 seconds', () => {
      const failed = pollFailed(fresh, { reason: 'rate-limited' }, at('00:01.000'));

      expect(pollSkipped(failed, 'backing-off', at('00:30.999'))).toBeUndefined();
      expect(pollSkipped(failed, 'backing-off', at('00:31.000'))).toMatchObject({
        status: 'interrupted',
        statusSince: instant('00:31.001'),
      });
    });
  });

  describe('unpolled', () => {
    it.each([
      ['after 45 seconds', '00:45.000'],
      ['after less', '00:16.000'],
    ])('has nothing to write where one slot was lost at most: %s', (_title, time) => {
      expect(pollGap(live, at(time))).toBeUndefined();
    });

    it('interrupts the feed where nobody polled for longer, as of when the picture became stale', () => {
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

    it('has nothing to write of a feed that was never live', () => {
      expect(pollGap(fresh, at('59:00.000'))).toBeUndefined();
      expect(pollGap(pollFailed(fresh, timeout, at('00:01.000')), at('59:00.000'))).toBeUndefined();
    });

    it('begins anew with every answer', () => {
      expect(pollGap(pollAnswered(live, picture('10:00.000')), at('10:45.000'))).toBeUndefined();
      expect(pollGap(pollAnswered(live, picture('10:00.000')), at('10:45.001'))).toBeDefined();
    });

    it('names the failure where polls were made and failed', () => {
      const failed = pollFailed(
        pollFailed(live, { reason: 'rate-limited' }, at('00:16.000')),
        timeout,
        at('00:29.900'),
      );

      expect(pollGap(failed, at('00:45.200'))).toMatchObject({
        status: 'interrupted',
        statusSince: instant('00:30.001'),
        failingSince: instant('00:16.000'),
        lastProblem: { reason: 'timeout', at: instant('00:45.200') },
      });
    });

    it('names no problem where the row says that polls fail, and not why', () => {
      const once = pollGap({ ...live, failingSince: instant('00:16.000') }, at('00:45.001'));

      expect(once?.status).toBe('interrupted');
      expect(once).not.toHaveProperty('lastProblem');
    });
  });
});

describe('believed', () => {
  const at = (time: string) => new Date(`2026-11-20T06:${time}Z`);
  const seen = (...records: readonly unknown[]) =>
    normaliseAgentLogins([{ AgentId: '1', AgentState: 'READY' }, ...records].map(received));

  const fresh = newFeed('demo', at('00:00.000'));
  const doubtful = ignoreUnidentified(fresh, seen(null), at('00:00.000')).feed;

  it('believes an answer as it is, and remembers nothing of one that is in order', () => {
    const answer = seen({ AgentId: '2' }, { AgentId: '3', AgentName: 'Asha' });

    expect(ignoreUnidentified(fresh, answer, at('00:00.000'))).toEqual({ feed: fresh, logins: answer });
  });

  it.each([
    [null, {}],
    [{}, {}],
    ['text', {}],
    [{ SkillName: 'Sales' }, {}],
    [{ AgentName: 'Asha' }, { name: 'Asha' }],
    [{ PhoneNumber: '1', AgentState: 'READY' }, { phoneNumber: '1' }],
  ])('lets %j be whomever it may mean at first, and remembers since when', (record, hint) => {
    const { feed, logins: answer } = ignoreUnidentified(fresh, seen(record), at('00:00.000'));

    expect(answer.unreadable).toEqual([hint]);
    expect(feed.poller.unidentifiedSince).toBe('2026-11-20T06:00:00.000Z');
    expect(feed.version).toBe(fresh.version);
  });

  it.each([
    ['for five minutes', '05:00.000', [{}, { name: 'Asha' }, { agentId: '2' }]],
    ['for longer', '05:00.001', [{ agentId: '2' }]],
  ])('takes records without an id for nobody’s, once every answer has had one %s', (_title, time, unreadable) => {
    const { feed, logins: answer } = ignoreUnidentified(
      doubtful,
      seen(null, { AgentName: 'Asha' }, { AgentId: '2' }),
      at(time),
    );

    expect(answer.unreadable).toEqual(unreadable);
    expect(answer.agents).toMatchObject([{ agentId: '1' }]);
    expect(feed.poller.unidentifiedSince).toBe('2026-11-20T06:00:00.000Z');
  });

  it('begins anew to doubt after an answer without such a record', () => {
    const { feed } = ignoreUnidentified(doubtful, seen(), at('04:00.000'));

    expect(feed).toEqual(fresh);
    expect(ignoreUnidentified(feed, seen(null), at('06:00.000')).logins.unreadable).toEqual([{}]);
  });

  it('does not doubt a record that names an agent and lacks a state', () => {
    const { feed } = ignoreUnidentified(doubtful, seen({ AgentId: '2' }), at('04:00.000'));

    expect(feed).toEqual(fresh);
  });
});
