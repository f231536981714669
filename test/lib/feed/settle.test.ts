import { describe, expect, it } from 'vitest';
import { Feed, newFeed } from '../../../lib/feed/feed.ts';
import { pollProblems } from '../../../lib/feed/problem.ts';
import { answered, failing, passedOver } from '../../../lib/feed/settle.ts';

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
    ['a millisecond before the picture is 30 seconds old', '00:29.999', 'live'],
    ['when it is 30 seconds old', '00:30.000', 'interrupted'],
    ['an hour later, when polls begin again', '59:59.000', 'interrupted'],
  ])('interrupts the feed %s', (_title, time, status) => {
    expect(failing(live, timeout, at(time)).status).toBe(status);
  });

  it('interrupts once: later failures leave since when', () => {
    const once = failing(live, timeout, at('00:31.000'));
    const twice = failing(once, timeout, at('00:46.000'));

    expect(twice).toMatchObject({ status: 'interrupted', statusSince: instant('00:31.000') });
  });

  it.each([
    ['the first failure', [], '00:01.000', 'starting'],
    ['failures for less than 30 seconds', ['00:01.000'], '00:30.999', 'starting'],
    ['failures for 30 seconds', ['00:01.000'], '00:31.000', 'interrupted'],
  ])('interrupts a feed that was never live by its failures: %s', (_title, before, time, status) => {
    const feed = before.reduce((known, earlier) => failing(known, timeout, at(earlier)), fresh);

    expect(failing(feed, timeout, at(time)).status).toBe(status);
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

describe('passedOver', () => {
  it('has nothing to write while the picture is not stale', () => {
    expect(passedOver(live, at('00:29.999'))).toBeUndefined();
    expect(passedOver(fresh, at('10:00.000'))).toBeUndefined();
  });

  it('interrupts the feed once the picture is stale', () => {
    const once = passedOver(live, at('00:30.000'));

    expect(once).toEqual({ ...live, status: 'interrupted', statusSince: instant('00:30.000'), version: 2 });
    expect(once && passedOver(once, at('00:45.000'))).toBeUndefined();
  });

  it('interrupts a feed that was never live once polls have failed for 30 seconds', () => {
    const failed = failing(fresh, { reason: 'limit' }, at('00:01.000'));

    expect(passedOver(failed, at('00:30.999'))).toBeUndefined();
    expect(passedOver(failed, at('00:31.000'))).toMatchObject({
      status: 'interrupted',
      statusSince: instant('00:31.000'),
    });
  });
});
