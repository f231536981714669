import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { knownUpTo, readAgentDays, secondsByState } from '../../client/agent-days.ts';
import { dayArgument } from '../../client/arguments.ts';
import { type AgentInterval, type CallfeedClient, createCallfeedClient } from '../../client/index.ts';
import { tableReader } from '../../client/table-reader.ts';
import { pollStatusRow } from '../../functions/poll-agents/agent-store.ts';
import { agentRow } from '../../lib/agents/rows.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Centre, pollTwoDays } from '../support/polled-centre.ts';
import { loggedIn } from '../support/posted-records.ts';
import { feedWithNotes, meteredReads, putAgentRows } from './support/clients.ts';

/** The second id needs encoding in keys, and its keys begin like those of the first. */
const accounts = ['demo', 'demo#agent'];
const lastPoll = '2026-11-22T09:00:00.000Z';

let tables: TestTables;
let metered: ReturnType<typeof meteredReads>;
let now: string;
const centres: Centre[] = [];

beforeAll(async () => {
  tables = await startTestTables();
  metered = meteredReads(tables.client);
  for (const userName of accounts) centres.push(await pollTwoDays(tables, userName));
});

beforeEach(() => {
  now = '2026-11-22T09:00:05.000Z';
  metered.takeRequests();
});

afterAll(async () => {
  await Promise.all(centres.map(({ stop }) => stop()));
  await tables.stop();
});

const clientOf = (account: string): CallfeedClient =>
  createCallfeedClient({
    dynamodb: metered.dynamodb,
    tables: tables.tableNames,
    account,
    clock: () => new Date(now),
    onRead: metered.onRead,
  });

const states = (agents: readonly { readonly agentId: string; readonly state: string }[]) =>
  agents.map(({ agentId, state }) => `${agentId} ${state}`);

describe.each(accounts)('the client of the account %s', (account) => {
  const client = () => clientOf(account);

  it('reads the feed with one GetItem', async () => {
    const feed = await client().feed();

    expect(feed).toMatchObject({ freshness: 'live', asOf: lastPoll, ageSeconds: 5, feed: { account, agentCount: 4 } });
    expect(feed.feed).not.toHaveProperty('poller');
    expect(metered.requestLines()).toEqual(['GetItem agents 1 0.5']);
  });

  it('reads all agents with one query, in the order of their ids', async () => {
    const floor = await client().floor();

    expect(floor).toMatchObject({ freshness: 'live', asOf: lastPoll, feed: { counts: { ready: 1, pause: 3 } } });
    const inOrder = ['asha ready', 'asha#2 pause', 'meera pause', 'ravi pause'];
    expect(states(floor.freshness === 'live' ? floor.agents : [])).toEqual(inOrder);
    expect(floor).not.toHaveProperty('agents.0.pk');
    expect(floor).not.toHaveProperty('agents.0.intervalFrom');
    expect(metered.requestLines()).toEqual(['Query agents 5 0.5']);
    // The feed's row comes first: a poll that is written between two requests makes no agent older than `asOf`.
    await client().floor();
    expect(metered.takeRequests()).toMatchObject([{ input: { ScanIndexForward: false } }]);
  });

  it('names the same agents lastKnownAgents once no poll has succeeded for 30 seconds', async () => {
    const reader = client();
    now = '2026-11-22T09:00:30.001Z';
    const floor = await reader.floor();

    expect(floor).toMatchObject({ freshness: 'stale', asOf: lastPoll, ageSeconds: 30.001, feed: { status: 'live' } });
    expect(floor.freshness === 'stale' && floor.lastKnownAgents).toHaveLength(4);
    expect(await reader.feed()).toMatchObject({ freshness: 'stale', ageSeconds: 30.001 });
  });

  it.each([
    ['ravi', { state: 'pause', loggedInSince: '2026-11-21T10:00:00.000Z' }],
    ['asha#2', { agentId: 'asha#2', version: 2 }],
    ['omar', undefined],
  ])('reads the agent %s with one GetItem, if logged in', async (agentId, agent) => {
    const { lastKnown } = await client().agent(agentId);

    if (agent === undefined) expect(lastKnown).toBeUndefined();
    else expect(lastKnown).toMatchObject({ account, ...agent });
    expect(metered.requestLines()).toEqual([`GetItem agents ${agent === undefined ? 0 : 1} 0.5`]);
  });

  it('reads the agents in a state with one query, the longest in it first', async () => {
    const { lastKnown } = await client().agentsInState('pause');

    expect(states(lastKnown)).toEqual(['ravi pause', 'asha#2 pause', 'meera pause']);
    expect((await client().agentsInState('unknown')).lastKnown).toEqual([]);
    expect(metered.requestLines()).toEqual([
      'Query agents byState 3 0.5',
      expect.stringMatching(/^Query agents byState 0 /),
    ]);
  });

  it.each([
    ['2026-11-21T10:00:29.999Z', 'live', '2026-11-21T10:00:00.000Z', 4],
    ['2026-11-21T15:30:29.999+05:30', 'live', '2026-11-21T10:00:00.000Z', 4],
    [new Date('2026-11-21T11:29:59.999Z'), 'stale', '2026-11-21T10:00:00.000Z', 4],
    ['2026-11-22T05:00:00Z', 'live', '2026-11-22T05:00:00.000Z', 2],
    ['2026-11-22T05:59:00Z', 'stale', '2026-11-22T05:00:00.000Z', 2],
  ])('reads the agents at %s, %s as of %s, with one query of one row', async (moment, freshness, asOf, count) => {
    const floor = await client().floorAt(moment);

    expect(floor).toMatchObject({ freshness, asOf });
    expect(floor).toHaveProperty(freshness === 'live' ? 'agents.length' : 'lastKnownAgents.length', count);
    expect(metered.requestLines()).toEqual(['Query agents 1 0.5']);
  });

  it('has no agents for an instant before the first snapshot', async () => {
    expect(await client().floorAt('2026-11-21T09:59:59.999Z')).toBeUndefined();
    expect(metered.requestLines()).toEqual([expect.stringMatching(/^Query agents 0 /)]);
  });

  it('reads an agent’s day with the time in each state with one query', async () => {
    const day = await client().agentDay('asha', '2026-11-22', 'Asia/Kolkata');

    expect(day).toMatchObject({ start: '2026-11-21T18:30:00.000Z', end: '2026-11-22T18:30:00.000Z' });
    expect(day.intervals.map(({ state, to }) => [state, to])).toEqual([
      ['in-call', '2026-11-21T19:00:00.000Z'],
      ['acw', '2026-11-22T05:00:00.000Z'],
      ['ready', undefined],
    ]);
    expect(day.secondsByState(lastPoll)).toEqual({ 'in-call': 1800, acw: 36_000, ready: 3 * 3600 });
    expect(day.secondsByState(new Date(lastPoll))).toEqual(day.secondsByState('2026-11-22T14:30:00+05:30'));
    expect(() => day.secondsByState('')).toThrow(TypeError);
    expect(() => day.secondsByState('')).toThrow(/^upTo: /);
    expect(day.secondsByState(undefined)).toEqual({ 'in-call': 1800, acw: 36_000, ready: 0 });
    expect(metered.requestLines()).toEqual(['Query agents 3 0.5']);
  });

  it('reads several days of an agent with one query, as it reads each of them', async () => {
    const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
    const each = await Promise.all(days.map((day) => client().agentDay('asha', day, 'Asia/Kolkata')));
    metered.takeRequests();
    const table = tableReader({
      ...metered,
      table: 'agents',
      tableName: tables.tableNames.agents,
      pause: async () => {},
    });
    const bounds = days.map((day) => dayArgument(day, 'Asia/Kolkata'));

    expect(await readAgentDays(table, { account, agentId: 'asha', days: bounds })).toEqual(
      each.map(({ intervals }) => intervals),
    );
    expect(each.map(({ intervals }) => intervals.length)).toEqual([0, 2, 3]);
    expect(metered.requestLines()).toHaveLength(1);
  });

  it('ends a day at midnight, for an agent whose id needs encoding too', async () => {
    const { intervals } = await client().agentDay('asha#2', '2026-11-21', 'Asia/Kolkata');

    expect(intervals).toMatchObject([{ agentId: 'asha#2', state: 'ready', to: '2026-11-21T18:30:00.000Z' }]);
  });

  it.each([
    ['an interval continues after its end', 'asha', '2026-11-21', 'UTC'],
    ['an interval begins before it', 'asha#2', '2026-11-21', 'UTC'],
  ])('rejects a day in another time zone: %s', async (_how, agentId, day, zone) => {
    await expect(client().agentDay(agentId, day, zone)).rejects.toThrow(/^timeZone: expected the account’s/);
  });

  it('yields a change while watching, and ends when the signal aborts', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const _ of client().watch({ everySeconds: 1.5 })) break;
    for await (const floor of client().watch({ signal: stop.signal })) {
      seen.push(floor.freshness);
      stop.abort();
    }

    expect(seen).toEqual(['live']);
    expect(metered.requestLines()).toEqual(['Query agents 5 0.5', 'Query agents 5 0.5']);
  });
});

it('the floor is without agents who logged out, and without rows of a later version', async () => {
  const account = 'leaving';
  const at = '2026-11-21T11:00:00.000Z';
  const there = loggedIn(at, { AgentId: 'ravi' });
  const left = loggedIn(at, { AgentId: 'asha' });
  const rows = [agentRow(account, there), agentRow(account, { ...left, state: 'logged-out' })];
  const feed = pollStatusRow({ ...feedWithNotes, account });
  await putAgentRows(tables, [...rows, feed, { pk: account, sk: 'later#x' }, { pk: account, sk: 'a' }]);
  now = '2026-11-21T12:00:00.000Z';
  const floor = await clientOf(account).floor();

  expect(floor).toMatchObject({ freshness: 'live', agents: [{ agentId: 'ravi' }] });
  expect((await clientOf(account).agent('asha')).lastKnown).toBeUndefined();
  expect((await clientOf(account).agent('ravi')).lastKnown).toMatchObject({ agentId: 'ravi' });
});

it('the client of an unknown account has no data', async () => {
  const client = clientOf('nobody');

  expect(await client.feed()).toEqual({ freshness: 'none', feed: undefined });
  expect(await client.floor()).toEqual({ freshness: 'none', feed: undefined });
  expect(await client.floorAt(lastPoll)).toBeUndefined();
  expect((await client.agentDay('asha', '2026-11-22', 'UTC')).intervals).toEqual([]);
});

it('a client without onRead does not ask DynamoDB for consumed capacity', async () => {
  await createCallfeedClient({ dynamodb: metered.dynamodb, tables: tables.tableNames, account: 'demo' }).floor();

  expect(metered.takeRequests().map(({ input }) => 'ReturnConsumedCapacity' in input)).toEqual([false]);
});

const interval = (state: AgentInterval['state'], from: string, seconds?: number): AgentInterval => ({
  account: 'demo',
  agentId: 'asha',
  state,
  since: `2026-11-21T${from}:00.000Z`,
  from: `2026-11-21T${from}:00.000Z`,
  ...(seconds !== undefined && { seconds, to: '2026-11-21T23:00:00.000Z' }),
});
const end = '2026-11-22T00:00:00.000Z';
const intervals = [interval('ready', '08:00', 600), interval('acw', '08:10', 60), interval('ready', '08:11')];

describe('secondsByState', () => {
  it.each([
    ['up to an instant', '2026-11-21T08:12:30.500Z', { ready: 690.5, acw: 60 }],
    ['up to no later than the end of the day', '2026-11-23T00:00:00.000Z', { ready: 600 + 56_940, acw: 60 }],
    ['up to before it began', '2026-11-21T08:00:00.000Z', { ready: 600, acw: 60 }],
    ['not at all', undefined, { ready: 600, acw: 60 }],
  ])('counts an open interval %s', (_how, upTo, seconds) => {
    expect(secondsByState(intervals, { upTo, end })).toEqual(seconds);
  });
});

describe('knownUpTo', () => {
  const start = '2026-11-21T00:00:00.000Z';
  const end = '2026-11-22T00:00:00.000Z';

  it.each<[string, string | undefined, string, string]>([
    ['up to the feed’s last poll', '2026-11-21T10:00:00.000Z', '2026-11-21T12:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['not at all if the last poll was earlier', '2026-11-20T10:00:00.000Z', '2026-11-21T12:00:00Z', start],
    ['not at all in the future', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00Z', start],
    ['not at all if nobody ever polled', undefined, '2026-11-23T10:00:00Z', start],
    ['to its end if the last poll was later', '2026-11-23T10:00:00.000Z', '2026-11-23T10:00:00Z', end],
    ['not beyond now', '2026-11-21T10:00:00.000Z', '2026-11-21T09:59:59Z', '2026-11-21T09:59:59.000Z'],
  ])('knows the day %s', (_title, asOf, now, upTo) => {
    expect(knownUpTo({ asOf }, { start, end }, new Date(now))).toBe(upTo);
  });
});
