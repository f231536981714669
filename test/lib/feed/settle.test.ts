import { describe, expect, it } from 'vitest';
import { Feed, newFeed } from '../../../lib/feed/feed.ts';
import { pollProblems } from '../../../lib/feed/problem.ts';
import { answered, cut, failing, passedOver, unpolled } from '../../../lib/feed/settle.ts';

const instant = (time: string) => `2026-11-20T06:${time}Z`;
const at = (time: string) => new Date(instant(time));
const fresh = newFeed('demo', at('00:00.000'));
const picture = (time: string, counts = {}) => ({ at: instant(time), counts, unreadableRecords: 0 });
const live = answered(fresh, picture('00:00.000', { ready: 2, acw: 1 }));
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
      poller: { slot: -1, requests: [], unsettled: false },
    });
  });

  it('keeps since when the feed has been live', () => {
    expect(answered(live, picture('00:15.000'))).toMatchObject({
      status: 'live',
      statusSince: instant('00:00.000'),
      asOf: instant('00:15.000'),
      agentCount: 0,
      counts: {},
    });
  });

  it('restores an interrupted feed, and forgets failures, back-off and what was left to write', () => {
    const interrupted = failing(live, { reason: 'limit' }, at('00:31.000'));
    const pending = { ...interrupted, poller: { ...interrupted.poller, pendingAt: instant('00:00.000') } };
    const restored = answered(pending, picture('00:46.000'));

    expect(restored).toMatchObject({ status: 'live', statusSince: instant('00:46.000') });
    expect(restored).not.toHaveProperty('failingSince');
    expect(restored.poller).toEqual({ slot: -1, requests: [], unsettled: false });
    expect(restored.lastProblem).toEqual({ reason: 'limit', at: instant('00:31.000') });
  });
});

describe('failing', () => {
  it.each(pollProblems)('leaves the picture as it was after %s', (reason) => {
    const failed = failing(live, { reason }, at('00:16.000'));
    const { asOf, staleAt, counts, agentCount, unreadableRecords, status } = live;

    expect(failed).toMatchObject({ asOf, staleAt, counts, agentCount, unreadableRecords, status });
    expect(failed.lastProblem).toEqual({ reason, at: instant('00:16.000') });
    expect(failed.version).toBe(live.version + 1);
    expect(failed.poller.unsettled).toBe(false);
    expect(Feed.parse(failed)).toEqual(failed);
  });

  it('remembers since when polls have failed, and why the latest did', () => {
    const twice = failing(failing(live, timeout, at('00:16.000')), { reason: 'connection' }, at('00:20.000'));

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
    expect(failing(live, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
  });

  it('interrupts once: later failures leave since when', () => {
    const once = failing(live, timeout, at('00:31.000'));
    const twice = failing(once, timeout, at('00:46.000'));

    expect(twice).toMatchObject({ status: 'interrupted', statusSince: instant('00:30.001') });
  });

  it('leaves since when a feed is interrupted, however that was reckoned when it was told', () => {
    const told = { ...live, status: 'interrupted' as const, statusSince: instant('00:45.000') };

    expect(failing(told, timeout, at('01:01.000'))).toMatchObject({
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
    const feed = before.reduce((known, earlier) => failing(known, timeout, at(earlier)), fresh);

    expect(failing(feed, timeout, at(time))).toMatchObject({ status, statusSince: instant(since) });
  });

  it('begins anew to count once a poll is answered', () => {
    const again = answered(failing(live, timeout, at('00:16.000')), picture('00:31.000'));

    expect(failing(again, timeout, at('01:00.999'))).toMatchObject({
      status: 'live',
      failingSince: instant('01:00.999'),
    });
  });

  it('backs off further with each refusal in a row', () => {
    const once = failing(live, { reason: 'limit' }, at('00:16.000'));
    const twice = failing(once, { reason: 'limit' }, at('01:16.000'));

    expect(once.poller.backOff).toEqual({ until: instant('01:16.000'), times: 1 });
    expect(twice.poller.backOff).toEqual({ until: instant('03:16.000'), times: 2 });
  });

  it('backs off as at first once a poll is answered', () => {
    const once = failing(live, { reason: 'limit' }, at('00:16.000'));
    const again = failing(answered(once, picture('01:16.000')), { reason: 'limit' }, at('01:31.000'));

    expect(again.poller.backOff).toEqual({ until: instant('02:31.000'), times: 1 });
  });
});

describe('cut', () => {
  it('notes a run that was cut as a poll that failed', () => {
    const once = cut({ ...live, poller: { ...live.poller, unsettled: true } }, at('00:16.000'));

    expect(once).toEqual({
      ...live,
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'cut', at: instant('00:16.000') },
      version: live.version + 1,
    });
  });

  it('tells nobody of the first of a row, however old the picture is', () => {
    expect(cut(live, at('59:59.000'))).toMatchObject({ status: 'live', statusSince: live.statusSince });
  });

  it.each([
    ['the second of a row', cut(live, at('00:16.000'))],
    ['one after a poll that failed', failing(live, timeout, at('00:16.000'))],
  ])('interrupts the feed once the picture is stale: %s', (_title, before) => {
    expect(cut(before, at('00:29.999')).status).toBe('live');
    expect(cut(before, at('00:31.000'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'cut', at: instant('00:31.000') },
    });
  });

  it('leaves an interrupted feed as it is, and a back-off too', () => {
    const interrupted = failing(failing(live, { reason: 'limit' }, at('00:16.000')), timeout, at('00:46.000'));
    const { status, statusSince, poller } = interrupted;

    expect(cut(interrupted, at('01:01.000'))).toMatchObject({ status, statusSince, poller });
  });

  it('is forgotten once a poll is answered', () => {
    const again = answered(cut(live, at('00:16.000')), picture('00:16.000'));

    expect(again).not.toHaveProperty('failingSince');
    expect(cut(again, at('00:47.000')).status).toBe('live');
  });
});

describe('passedOver', () => {
  it.each(['limit', 'backing-off'] as const)('has nothing to write while the picture is not stale: %s', (why) => {
    expect(passedOver(live, why, at('00:29.999'))).toBeUndefined();
    expect(passedOver(fresh, why, at('10:00.000'))).toBeUndefined();
  });

  it('interrupts the feed once the picture is stale: the limit kept it from asking', () => {
    const once = passedOver(live, 'limit', at('00:31.000'));

    expect(once).toEqual({
      ...live,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:31.000'),
      lastProblem: { reason: 'limit', at: instant('00:31.000') },
      version: 2,
    });
    expect(once && passedOver(once, 'limit', at('00:46.000'))).toBeUndefined();
  });

  it('interrupts the feed once the picture is stale: a refusal keeps it from asking, and is the problem still', () => {
    const refused = failing(live, { reason: 'unauthorised' }, at('00:16.000'));
    const once = passedOver(refused, 'backing-off', at('00:31.000'));

    expect(once).toEqual({
      ...refused,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'unauthorised', at: instant('00:31.000') },
      version: refused.version + 1,
    });
    expect(once && passedOver(once, 'backing-off', at('00:46.000'))).toBeUndefined();
  });

  it('interrupts a feed that was never live once polls have failed for 30 seconds', () => {
    const failed = failing(fresh, { reason: 'limit' }, at('00:01.000'));

    expect(passedOver(failed, 'backing-off', at('00:30.999'))).toBeUndefined();
    expect(passedOver(failed, 'backing-off', at('00:31.000'))).toMatchObject({
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
    expect(unpolled(live, at(time))).toBeUndefined();
  });

  it('interrupts the feed where nobody polled for longer, as of when the picture became stale', () => {
    const once = unpolled(live, at('00:45.001'));

    expect(once).toEqual({
      ...live,
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:45.001'),
      lastProblem: { reason: 'no-polls', at: instant('00:45.001') },
      version: 2,
    });
    expect(once && unpolled(once, at('59:00.000'))).toBeUndefined();
  });

  it('has nothing to write of a feed that was never live', () => {
    expect(unpolled(fresh, at('59:00.000'))).toBeUndefined();
    expect(unpolled(failing(fresh, timeout, at('00:01.000')), at('59:00.000'))).toBeUndefined();
  });

  it('begins anew with every answer', () => {
    expect(unpolled(answered(live, picture('10:00.000')), at('10:45.000'))).toBeUndefined();
    expect(unpolled(answered(live, picture('10:00.000')), at('10:45.001'))).toBeDefined();
  });

  it('names the failure where polls were made and failed', () => {
    const failed = failing(failing(live, { reason: 'limit' }, at('00:16.000')), timeout, at('00:29.900'));

    expect(unpolled(failed, at('00:45.200'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:30.001'),
      failingSince: instant('00:16.000'),
      lastProblem: { reason: 'timeout', at: instant('00:45.200') },
    });
  });

  it('names no problem where the row says that polls fail, and not why', () => {
    const once = unpolled({ ...live, failingSince: instant('00:16.000') }, at('00:45.001'));

    expect(once?.status).toBe('interrupted');
    expect(once).not.toHaveProperty('lastProblem');
  });
});
