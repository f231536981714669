import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshnessOf } from '../../client/floor.ts';
import { createCallfeedClient, diagnoseFeed, type FeedNow, feedProblemText } from '../../client/index.ts';
import { snapshotFloor } from '../../client/past-agents.ts';
import { readFeedNow } from '../../client/read-rows.ts';
import { snapshotRows } from '../../functions/poll-agents/agent-store.ts';
import type { FloorSnapshot } from '../../lib/contract/rows.ts';
import { serviceProblems } from '../../lib/service/service.ts';
import { marshalled, type Row } from '../../lib/storage/rows.ts';
import { answer, deployment, noAnswer, type ServiceAnswer, threeAgents } from '../deployment/index.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { agentsOf, loggedIn } from '../support/posted-records.ts';
import { feedAtNoon as feed, feedWithNotes, meteredReads, putAgentRows } from './support/clients.ts';

describe('freshness', () => {
  const { staleAt: _staleAt, ...feedWithoutStaleAt } = feed;
  const { asOf: _asOf, ...neverAnswered } = feedWithoutStaleAt;

  describe('freshnessOf', () => {
    it.each<[why: string, feed: FeedNow, now: string, freshness: string, ageSeconds: number]>([
      ['between two polls', feed, '12:00:14.500', 'live', 14.5],
      ['at staleAt', feed, '12:00:30.000', 'live', 30],
      ['a millisecond later, whatever the row says', feed, '12:00:30.001', 'stale', 30.001],
      ['interrupted, however young', { ...feed, status: 'interrupted' }, '12:00:01.000', 'stale', 1],
      ['being restarted', { ...feed, status: 'starting' }, '12:00:01.000', 'stale', 1],
      ['by a clock that is behind', feed, '11:59:00.000', 'live', 0],
      ['without staleAt, up to 30 seconds', feedWithoutStaleAt, '12:00:30.000', 'live', 30],
      ['without staleAt, after 30 seconds', feedWithoutStaleAt, '12:00:30.001', 'stale', 30.001],
      ['with a later staleAt', { ...feed, staleAt: '2026-11-21T12:01:00.000Z' }, '12:00:59.000', 'live', 59],
    ])('%s', (_why, row, time, freshness, ageSeconds) => {
      expect(freshnessOf(row, new Date(`2026-11-21T${time}Z`))).toEqual({
        freshness,
        feed: row,
        asOf: '2026-11-21T12:00:00.000Z',
        ageSeconds,
      });
    });

    it.each([
      ['the account was never polled', undefined],
      ['no poll was answered yet', { ...neverAnswered, status: 'starting' as const }],
    ])('is none where %s', (_why, row) => {
      expect(freshnessOf(row, new Date('2026-11-21T12:00:00.000Z'))).toEqual({ freshness: 'none', feed: row });
    });
  });

  describe('diagnoseFeed', () => {
    const at = (time: string) => `2026-11-21T${time}Z`;
    const httpError = { reason: 'http-error', at: at('11:00:00.000') } as const;
    const failing = { failingSince: at('10:59:45.000'), lastProblem: httpError };
    const attempted = { ...feed, attemptedAt: at('12:00:00.000') };

    const service = (since: string, reason = 'http-error') => ({ side: 'service', reason, since });
    const stopped = (since: string) => ({ side: 'poller-or-table', since });
    const unknown = { side: 'unknown', since: at('12:00:00.000') };
    const over = { ...attempted, lastProblem: httpError };
    const failed = { ...attempted, ...failing };
    const paused = { ...failed, pausedUntil: at('12:05:00.000') };
    const rejected = { ...paused, lastProblem: { reason: 'rejected', at: at('12:00:00.000') } } as const;
    const credentials = { side: 'credentials', reason: 'rejected', since: failing.failingSince };
    const polledOnce = { ...neverAnswered, attemptedAt: at('12:00:00.000') };
    const interrupted = { ...polledOnce, ...failing, status: 'interrupted' } as const;

    it.each<[why: string, feed: FeedNow | undefined, time: string, now?: object, before?: object]>([
      ['polls succeed', attempted, '12:00:20.000'],
      ['an outage of the service is over', over, '12:00:20.000', undefined, service(httpError.at)],
      ['the service fails', failed, '12:01:20.000', service(failing.failingSince)],
      ['nothing is written, after an outage', over, '12:01:30.001', stopped(at('12:00:00.000')), service(httpError.at)],
      ['nothing is written, in an outage', failed, '12:01:30.001', stopped(at('12:00:00.000')), service(httpError.at)],
      ['the rows are stale, and the last attempt is recent', attempted, '12:01:30.000', unknown],
      ['the poller pauses after a rejection', rejected, '12:06:30.000', credentials],
      ['nothing is written after a pause', paused, '12:06:30.001', stopped(at('12:05:00.000')), service(httpError.at)],
      ['a version without attempts wrote the row', feed, '12:00:31.000', unknown],
      ['the poller has never written a row', undefined, '12:00:00.000', { side: 'poller-or-table' }],
      ['a service has never answered', interrupted, '12:00:10.000', service(failing.failingSince)],
      ['the first poll is under way', { ...polledOnce, status: 'starting' }, '12:00:10.000'],
    ])('%s', (_why, row, time, now, before) => {
      const found = diagnoseFeed(row, new Date(at(time)));
      expect(found).toEqual({ now, before });
      expect(feedProblemText(found.now ?? { side: 'unknown', since: time })).not.toMatch(/undefined/);
    });

    it.each(serviceProblems)('knows the side of %s, and has a sentence for it', (reason) => {
      const row = { ...failed, lastProblem: { reason, at: at('12:00:00.000') } };
      const { now } = diagnoseFeed(row, new Date(at('12:00:10.000')));

      expect(now && feedProblemText(now)).toMatch(new RegExp(`^(the|polls) .+ \\(${reason}\\)$`));
    });

    const failsTwice = [threeAgents, answer('', 500), answer('', 500), threeAgents];
    const early = (second: string) => `2026-11-20T06:00:${second}.000Z`;
    const noConnection = { side: 'service', reason: 'connection', since: early('01') };
    it.each<[string, readonly ServiceAnswer[], 'agents' | undefined, object, object?]>([
      ['an outage, and then one of the table', failsTwice, 'agents', stopped(early('46')), service(early('16'))],
      ['a service that never answers', [noAnswer('connection')], undefined, noConnection],
    ])('tells from the rows of the real poller: %s', async (_title, logins, failing, now, before) => {
      const d = await deployment({ startedAt: '2026-11-20T05:59:50.000Z', service: { logins } });
      await d.polls(4);
      if (failing === undefined) await d.polls(8);
      else await d.fail(failing).during(() => d.polls(8));
      const row = readFeedNow((await d.feed()) ?? {});

      expect(diagnoseFeed(row, new Date(d.now()))).toEqual({ now, before });
    });
  });
});

describe('snapshotFloor', () => {
  const at = '2026-11-21T11:00:00.000Z';
  const snapshot: FloorSnapshot = {
    account: 'demo',
    at,
    asOf: at,
    status: 'live',
    part: 0,
    parts: 1,
    counts: {},
    agents: [],
  };
  const { asOf: _asOf, ...neverSeen } = snapshot;

  it.each<[string, FloorSnapshot, instant: string, freshness: string]>([
    ['at once', snapshot, at, 'live'],
    ['within the longest day', snapshot, '2026-11-22T12:00:30.000Z', 'live'],
    ['after it, because every polled day has a snapshot', snapshot, '2026-11-22T12:00:30.001Z', 'stale'],
    ['interrupted', { ...snapshot, status: 'interrupted' }, at, 'stale'],
    ['never seen', { ...neverSeen, status: 'interrupted' }, at, 'stale'],
  ])('is live or stale %s', (_when, part, instant, freshness) => {
    expect(snapshotFloor([part], instant)).toEqual({
      freshness,
      at,
      asOf: part.asOf,
      [freshness === 'live' ? 'agents' : 'lastKnownAgents']: [],
    });
  });

  it('is undefined without parts', () => expect(snapshotFloor([], at)).toBeUndefined());
});

describe('a snapshot in several parts', () => {
  const older = '2026-11-21T10:00:00.000Z';
  const newer = '2026-11-21T11:00:00.000Z';

  let tables: TestTables;
  let parts: readonly Row[];

  beforeAll(async () => {
    tables = await startTestTables();
    await putSnapshot(older, 2);
    parts = await putSnapshot(newer, 400);
  });

  afterAll(() => tables.stop());

  /** A snapshot of so many agents, each of some kilobytes. */
  const putSnapshot = async (at: string, count: number, retentionDays = 7) => {
    const skills = Array.from({ length: 20 }, (_, skill) => `${skill} ${'y'.repeat(100)}`);
    const agents = Array.from({ length: count }, (_, index) =>
      loggedIn(at, { AgentId: `agent${index}`, AgentName: 'x'.repeat(250), SkillName: skills.join() }),
    );
    const pollStatus = { ...feedWithNotes, asOf: at };
    const rows = snapshotRows({ pollStatus, at, agents: agentsOf(...agents), retentionDays });
    await putAgentRows(tables, rows);
    return rows;
  };
  const remove = ({ pk, sk }: Row) =>
    tables.client.send(new DeleteItemCommand({ TableName: tables.tableNames.agents, Key: marshalled({ pk, sk }) }));

  const reader = (now = '2026-11-21T12:00:00.000Z') => {
    const { dynamodb, takeRequests } = meteredReads(tables.client);
    const options = { dynamodb, tables: tables.tableNames, account: 'demo', clock: () => new Date(now) };
    return { client: createCallfeedClient(options), rowsRead: () => takeRequests().map(({ count }) => count) };
  };

  /** When the agents were kept, their number, and the rows that each request read. */
  const floorAt = async (moment: string, now?: string) => {
    const { client, rowsRead } = reader(now);
    const floor = await client.floorAt(moment);
    const agents = floor?.freshness === 'live' ? floor.agents : floor?.lastKnownAgents;
    return { floor: floor && [floor.at, agents?.length], rows: rowsRead() };
  };

  it('counts only with all of its parts; before that, the older snapshot counts', async () => {
    expect(parts).toHaveLength(3);
    expect(await floorAt(newer)).toEqual({ floor: [newer, 400], rows: [1, 2] });
    expect(await floorAt('2026-11-21T10:59:59.999Z')).toEqual({ floor: [older, 2], rows: [1] });

    for (const missing of parts) {
      await remove(missing);
      const { floor, rows } = await floorAt(newer);
      expect(floor).toEqual([older, 2]);
      expect(rows.length).toBeLessThanOrEqual(3);
      await putAgentRows(tables, [missing]);
    }
    expect((await floorAt(newer)).floor).toEqual([newer, 400]);
  });

  it('has its counts in every part, so that a history reads one of them', async () => {
    const { client, rowsRead } = reader();
    const moment = (asOf: string, ready: number) => ({ at: asOf, asOf, status: 'live', counts: { ready } });

    expect(await client.floorHistory({ to: newer }, 4)).toEqual({
      moments: [moment(newer, 400), moment(older, 2)],
      next: '2026-11-21T09:59:59.999Z',
    });
    expect(await client.floorHistory({ to: newer }, 1)).toEqual({
      moments: [moment(newer, 400)],
      next: '2026-11-21T10:59:59.999Z',
    });
    expect(await client.floorHistory({ to: '2026-11-21T09:59:59.999Z' })).toEqual({ moments: [], next: undefined });
    expect(rowsRead()).toEqual([4, 1, 0]);
    await expect(client.floorHistory({}, 0)).rejects.toThrow(
      new RangeError('limit: expected a whole number from 1 to 1000.'),
    );
    expect((await client.floorHistory({ to: newer })).next).toBeUndefined();
  });

  it('and the interruptions of the feed are read by time', async () => {
    const { client } = reader();
    const change = { account: 'demo', status: 'interrupted', at: newer, previousSince: older, recordedAt: newer };
    await putAgentRows(tables, [{ ...change, pk: 'demo#feed', sk: newer, kind: 'feed-change' }]);

    expect(await client.feedChanges()).toEqual([change]);
    expect(await client.feedChanges({ to: older })).toEqual([]);
  });

  it('does not count once it has expired, and neither does an older one', async () => {
    const sevenDaysLater = '2026-11-28T11:00:00.000Z';

    expect((await floorAt(newer, '2026-11-28T10:59:59.999Z')).floor).toEqual([newer, 400]);
    expect((await floorAt(newer, sevenDaysLater)).floor).toBeUndefined();
    await putSnapshot(older, 2, 30);
    expect((await floorAt(newer, sevenDaysLater)).floor).toBeUndefined();
  });
});
