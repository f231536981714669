import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { keyItem, marshalled, type Row } from '../../../lib/storage/rows.ts';
import {
  type Deployment,
  deployment,
  type Failure,
  manyAgents,
  type ServiceAnswer,
  success,
  threeAgents,
} from '../../deployment/index.ts';

const startedAt = '2026-11-20T05:59:50.000Z';
const at = (time: string): string => `2026-11-20T06:${time}Z`;

const snapshot = { operation: 'BatchWriteItem', holding: '"floor"' };
const change = { operation: 'TransactWriteItems' };

const deployed = (...logins: readonly ServiceAnswer[]) => deployment({ startedAt, service: { logins } });

const typesOf = async (d: Deployment): Promise<Readonly<Record<string, number>>> => {
  await d.settled();
  const types = Map.groupBy(d.published(), ({ type }) => type);
  return Object.fromEntries([...types].map(([type, all]) => [type.slice('Agent '.length), all.length]));
};

const snapshotsOf = async (d: Deployment) => (await d.snapshots()).map((row) => row['at']);

describe('after a crash', () => {
  it('during the request, that counts for the rate limit, and the poll as failed, without an event: once, though two find it', async () => {
    const d = await deployed(threeAgents);
    const other = d.startAnother();
    await d.poll();
    await d.fail('telephony', { kind: 'crash-before' }).during(() => d.poll());
    expect(await d.feed()).toMatchObject({ poller: { inFlight: true } });
    await d.before('agents', { operation: 'PutItem', times: 1 }, () => other.tick()).during(() => d.poll());

    expect(await d.feed()).toMatchObject({
      status: 'live',
      lastProblem: { reason: 'aborted', at: at('00:31.000') },
      poller: { inFlight: false, requests: { length: 3 } },
    });
    expect([await typesOf(d), d.faults()]).toEqual([{ 'Logged In': 3 }, []]);
  });

  it.each<[string, readonly ServiceAnswer[], saved: readonly string[], left: readonly string[]]>([
    ['after another poll', [threeAgents, manyAgents(2), threeAgents], ['00:01.000', '00:16.000'], ['00:01.000']],
    ['of the very first poll', [threeAgents, success([])], ['00:01.000'], ['00:16.000']],
  ])(
    'between snapshot and commit, the snapshot is deleted and committed ones stay: %s',
    async (_, logins, saved, left) => {
      const d = await deployed(...logins);
      await d.polls(logins.length - 2);
      await d.fail('agents', { ...snapshot, kind: 'crash-after' }).during(() => d.poll());
      expect(await snapshotsOf(d)).toEqual(saved.map(at));
      await d.poll();

      expect(await snapshotsOf(d)).toEqual(left.map(at));
    },
  );

  it('between two transactions, the rest is written as it would have been, without another snapshot or request', async () => {
    const whole = await deployed(manyAgents(1), manyAgents(300));
    await whole.polls(2);
    const d = await deployed(manyAgents(1), manyAgents(300));
    await d.poll();
    await d.fail('agents', { ...change, kind: 'crash-before', after: 3 }).during(() => d.poll());
    expect(Object.keys(await d.agents()).length).toBeLessThan(300);
    const before = d.operations().length;
    await d.poll();
    const operations = d.operations().slice(before);

    const rowsOf = async (of: Deployment, kind: string) =>
      (await of.rows('agents')).filter((row) => row['kind'] === kind).map(({ recordedAt: _recorded, ...row }) => row);
    for (const kind of ['agent', 'interval', 'floor']) expect(await rowsOf(d, kind)).toEqual(await rowsOf(whole, kind));
    expect(operations.filter((operation) => operation === 'BatchWriteItem')).toHaveLength(1);
    expect(await typesOf(d)).toEqual({ 'Logged In': 300 });
    expect(await d.feed()).toMatchObject({ asOf: at('00:31.000'), agentCount: 300 });
    // The poll was answered, so it has not failed.
    expect(await d.feed()).not.toHaveProperty('lastProblem');
  });
});

describe('agents of whom not all are written yet', () => {
  /** Three hundred agents. The process that writes them crashes in the middle. */
  const halfWritten = async (...next: readonly ServiceAnswer[]) => {
    const d = await deployed(manyAgents(300), ...next);
    await d.fail('agents', { ...change, kind: 'crash-before', after: 3 }).during(() => d.poll());
    return d;
  };
  const put = (d: Deployment, row: Row) =>
    d.dynamodb.send(new PutItemCommand({ TableName: d.tables.agents, Item: marshalled(row) }));

  it('are told of once, whatever the next answer has', async () => {
    const d = await halfWritten(manyAgents(300, 'ACW'));
    await d.poll();

    expect(await d.feed()).toMatchObject({ counts: { acw: 300 } });
    expect(await typesOf(d)).toEqual({ 'Logged In': 300, 'State Changed': 300 });
  });

  it('are written even in a slot in which nothing may be sent', async () => {
    const d = await halfWritten();
    const { poller, ...row } = (await d.feed()) ?? {};
    await put(d, { ...row, poller: { ...Object(poller), requests: Array(5).fill(Date.parse(at('00:16.000'))) } });
    await d.poll();

    expect(d.service.requests()).toHaveLength(1);
    expect(await d.feed()).toMatchObject({ status: 'live', agentCount: 300 });
  });

  const remove = (d: Deployment, { pk, sk }: Row) =>
    d.dynamodb.send(
      new DeleteItemCommand({ TableName: d.tables.agents, Key: keyItem({ pk: String(pk), sk: String(sk) }) }),
    );

  it.each([
    ['the snapshot', remove],
    ['a part of the snapshot', (d: Deployment, row: Row) => put(d, { ...row, parts: 2 })],
  ])('are dropped where %s has expired: the next answer is compared with the rows as they are', async (_, expire) => {
    const d = await halfWritten(manyAgents(300, 'ACW'));
    const written = Object.keys(await d.agents()).length;
    for (const row of await d.snapshots()) await expire(d, row);
    await d.poll('2026-11-28T06:00:01.000Z');

    expect(written).toBeGreaterThan(0);
    expect(await d.feed()).toMatchObject({ agentCount: 300, counts: { acw: 300 }, status: 'live' });
    expect((await d.feed())?.['poller']).not.toHaveProperty('pendingAt');
    expect(await typesOf(d)).toEqual({ 'Logged In': 300, 'State Changed': written });
  });

  /** After three transactions a run has no time left for another. */
  const slowly = (d: Deployment, polls: number) =>
    d.before('agents', change, () => d.advance(4_001)).during(() => d.polls(polls));

  it('are left to the next runs where a run has no time left, which is then no crash', async () => {
    const d = await deployed(manyAgents(600));
    await slowly(d, 2);
    expect(d.service.requests()).toHaveLength(1);
    expect(await d.feed()).toMatchObject({
      status: 'starting',
      poller: { pendingAt: at('00:01.000'), inFlight: false },
    });
    await slowly(d, 12);

    // The last agent is written more than 45 seconds after the poll, which is an interruption of its own.
    expect(await typesOf(d)).toEqual({ 'Logged In': 600, 'Feed Interrupted': 1, 'Feed Restored': 1 });
    expect(await d.feed()).toMatchObject({ status: 'live', agentCount: 600 });
    expect(d.faults()).toEqual([]);
    // Every run ends before its time-out, and logs that.
    expect(d.logs()).toHaveLength(14);
    expect((await d.snapshots()).map(({ status }) => status)).toEqual(['live', 'interrupted', 'live']);
  });

  it('are left as they are where they log out: no row is removed before every change is written', async () => {
    const d = await deployed(manyAgents(300), success([]));
    await d.poll();
    await slowly(d, 1);

    expect(await d.feed()).toMatchObject({ poller: { pendingAt: at('00:16.000') } });
    expect(d.logs()).toHaveLength(2);
    expect(Object.keys(await d.agents())).toHaveLength(300);
  });

  it('are removed with the rest after a crash among the removals', async () => {
    const d = await deployed(manyAgents(300), success([]));
    await d.poll();
    await d.fail('agents', { ...change, kind: 'crash-before', after: 8 }).during(() => d.poll());
    expect(Object.values(await d.agents()).filter(({ state }) => state === 'logged-out')).toHaveLength(202);
    await d.poll();

    expect(await d.agents()).toEqual({});
    expect(await typesOf(d)).toEqual({ 'Logged In': 300, 'Logged Out': 300 });
  });
});

describe('a snapshot', () => {
  it('stays where the answer to its commit gets lost: the second attempt then conflicts with the first', async () => {
    const d = await deployed(threeAgents);
    await d.fail('agents', { ...change, kind: 'lose', times: 1 }).during(() => d.poll());

    expect(await snapshotsOf(d)).toEqual([at('00:01.000')]);
  });
});

describe('a run that overlaps with that of the next slot', () => {
  /** At a call of the first run the next slot begins, and another process polls. */
  const overlapping = async (of: Omit<Failure, 'kind'>, ...logins: readonly ServiceAnswer[]) => {
    const d = await deployment({ startedAt: at('00:10.000'), service: { logins } });
    const other = d.startAnother();
    const happens = () => {
      // Soon enough for the first run to go on.
      d.advance(6_000);
      return other.tick();
    };
    await d.before('agents', { ...of, times: 1 }, happens).during(() => d.tick());
    return d;
  };

  it.each([
    ['before its snapshot is saved', snapshot],
    ['after its snapshot is saved and before it is committed', change],
    ['before it acquires its slot', { operation: 'PutItem' }],
  ])('leaves the snapshot that was committed last, and no other: %s', async (_title, of) => {
    const d = await overlapping(of, threeAgents, manyAgents(2));
    const saved = await snapshotsOf(d);
    const begun = (await d.rows('agents')).filter(({ kind }) => kind === 'interval').map(({ from }) => from);

    expect(saved.at(-1)).toBe(Object((await d.feed())?.['poller']).snapshotAt);
    expect(saved).toEqual([...new Set(saved)].toSorted());
    for (const from of saved) expect(begun).toContain(from);
    expect(await d.feed()).toMatchObject({ attemptedAt: at('00:15.000') });
  });

  it('leaves a committed snapshot, though the next run has finished it and gone on', async () => {
    const d = await overlapping({ ...change, after: 1 }, manyAgents(300), manyAgents(299));

    expect(await snapshotsOf(d)).toEqual([at('00:10.000'), at('00:16.000')]);
    expect(Object.keys(await d.agents())).toHaveLength(299);
    expect(await typesOf(d)).toEqual({ 'Logged In': 300, 'Logged Out': 1 });
  });

  it('leaves the rows of agents who have logged out to it', async () => {
    const d = await deployed(threeAgents, success([]));
    await d.poll();
    const other = d.startAnother();
    const happens = () => {
      d.advance(12_000);
      return other.tick();
    };
    await d.before('agents', { ...change, after: 1, times: 1 }, happens).during(() => d.poll(at('00:20.000')));

    expect([await d.agents(), d.faults()]).toEqual([{}, []]);
    expect(await typesOf(d)).toEqual({ 'Logged In': 3, 'Logged Out': 3 });
    expect(await d.feed()).toMatchObject({ attemptedAt: at('00:30.000') });
  });

  it('leaves the interruption to it that both have found', async () => {
    const d = await deployed(threeAgents);
    await d.poll();
    const other = d.startAnother();
    d.restart();
    d.advance(at('10:00.000'));
    await d.before('agents', { ...snapshot, times: 1 }, () => other.tick()).during(() => d.tick());

    expect(await snapshotsOf(d)).toEqual([at('00:01.000'), at('00:31.001'), at('10:00.000')]);
    expect(await typesOf(d)).toEqual({ 'Logged In': 3, 'Feed Interrupted': 1, 'Feed Restored': 1 });
    expect([d.service.requests().length, d.faults()]).toEqual([2, []]);
  });
});
