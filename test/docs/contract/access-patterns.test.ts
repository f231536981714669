import { readFileSync } from 'node:fs';
import { GetItemCommand, PutItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessPattern, accessPatterns } from '../../../docs/contract/access-patterns.ts';
import { scenario } from '../../../docs/contract/examples.ts';
import { rowSchemaPath } from '../../../docs/contract/schemas.ts';
import { marshalled, unmarshalled } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import type { Facts } from '../../../lib/core/collections.ts';
import { specificationSummary as summary } from '../../fixtures/calls.ts';
import {
  type AgentsReader,
  agentsReader,
  feedChanges,
  inState,
  intervalsOf,
  partition,
  snapshotAt,
} from '../../support/agents-reader.ts';
import { type Receiver, startReceiver } from '../../support/deployed-receiver.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { formOf } from '../../support/http-api-event.ts';
import { type Centre, pollTwoDays } from '../../support/polled-centre.ts';
import { faultsBy } from './support/schema-checks.ts';

describe('access requests', () => {
  let tables: TestTables;
  const page = readFileSync('docs/contract.md', 'utf8');

  beforeAll(async () => {
    tables = await startTestTables();
    const { calls, agents } = await scenario();
    const put = (TableName: string) => (row: Parameters<typeof marshalled>[0]) =>
      tables.client.send(new PutItemCommand({ TableName, Item: marshalled(row) }));
    await Promise.all([
      ...calls.rows.map(put(tables.tableNames.calls)),
      ...agents.rows.map(put(tables.tableNames.agents)),
    ]);
  });

  afterAll(() => tables.stop());

  const answer = async ({ table, request }: AccessPattern) => {
    const TableName = tables.tableNames[table];
    if (request.operation === 'get-item') {
      const { Item } = await tables.client.send(new GetItemCommand({ TableName, Key: { ...request.input.Key } }));
      return Item === undefined ? [] : [unmarshalled(Item)];
    }
    const { ExpressionAttributeValues, ...input } = request.input;
    const { Items = [], ScannedCount } = await tables.client.send(
      new QueryCommand({ TableName, ...input, ExpressionAttributeValues: { ...ExpressionAttributeValues } }),
    );
    expect(ScannedCount).toBe(Items.length);
    return Items.map(unmarshalled);
  };

  /** The kinds of row whose schema a row fits. */
  const kindOf = (row: Readonly<Record<string, unknown>>, { rows }: AccessPattern) =>
    rows.filter(
      (name) => faultsBy(rowSchemaPath(name).slice('schemas/'.length, -'.schema.json'.length), row).length === 0,
    );

  describe.each(accessPatterns.map((pattern) => [pattern.question, pattern] as const))('%s', (title, pattern) => {
    it('is on the page with this request', () => {
      const section = page.split(/^#### /m).find((candidate) => candidate.startsWith(title)) ?? '';
      const { TableName, ...request } = JSON.parse(/```json\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '{}');

      expect(TableName).toBe(`callfeed-${pattern.table}`);
      expect(request).toEqual(pattern.request.input);
    });

    it('returns only rows of the declared kinds, which fit their schemas', async () => {
      const rows = await answer(pattern);

      expect(rows.length).toBeGreaterThan(0);
      for (const row of rows) expect(kindOf(row, pattern), JSON.stringify(row)).toHaveLength(1);
      expect(new Set(rows.flatMap((row) => kindOf(row, pattern)))).toEqual(new Set(pattern.rows));
    });
  });

  it('finds the missed call of the examples with the page’s AWS CLI command', async () => {
    const flag = (name: string) => new RegExp(`--${name} '([^']*)'`).exec(page)?.[1] ?? '';
    const { Items = [] } = await tables.client.send(
      new QueryCommand({
        TableName: tables.tableNames.calls,
        IndexName: 'byTime',
        KeyConditionExpression: flag('key-condition-expression'),
        FilterExpression: flag('filter-expression'),
        ExpressionAttributeNames: JSON.parse(flag('expression-attribute-names')),
        ExpressionAttributeValues: JSON.parse(flag('expression-attribute-values')),
      }),
    );

    expect(Items.map(unmarshalled)).toMatchObject([
      { startedAt: '2026-11-20T05:50:00.000Z', customerNumber: '09000000044', skillName: 'General' },
    ]);
  });
});

describe('the access patterns of the Calls table', () => {
  let receiver: Receiver;

  /** Calls a minute apart, the last one transferred from agent1 to agent2; ids 100, 101, ... */
  const calls = Array.from({ length: 8 }, (_, index) => ({
    ...summary,
    monitorUCID: String(100 + index),
    StartTime: `2026-11-20 11:0${index}:00`,
    CallerID: index % 2 === 0 ? '09000000042' : '09000000043',
    AgentID: index === 7 ? 'agent1 -> agent2' : 'agent1',
  }));

  beforeAll(async () => {
    receiver = await startReceiver();
    await receiver.answer({ body: formOf(calls) });
    await receiver.answer({ body: formOf({ ...calls[0], UCID: 900, Disposition: 'Sale' }) });
    const participant = { UCID: 100, CallID: 1, ParticipantNumber: '09000000077', ExitStatus: 'x' };
    await receiver.answer({ body: formOf([{ ...calls[0], UCID: 901 }, participant]) });
  });

  afterAll(() => receiver.stop());

  /** One query, which must not read more than it returns. */
  const query = async (input: Omit<QueryCommandInput, 'TableName'>) => {
    const {
      Items = [],
      ScannedCount,
      LastEvaluatedKey,
    } = await receiver.client.send(new QueryCommand({ TableName: receiver.callsTable, ...input }));
    expect(ScannedCount).toBe(Items.length);
    return { rows: Items.map((item) => unmarshall(item)), LastEvaluatedKey };
  };

  const listed = (index: string, attribute: string, key: string, more: Partial<QueryCommandInput> = {}) =>
    query({
      IndexName: index,
      KeyConditionExpression: `${attribute} = :key`,
      ExpressionAttributeValues: { ':key': { S: key } },
      ScanIndexForward: false,
      ...more,
    });

  const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ callId }) => callId);

  it('return a call with its legs, participants and deliveries by one query', async () => {
    const { rows } = await query({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'demo#100' } },
    });

    expect(rows.map(({ sk }) => String(sk).split('#')[0])).toEqual(['call', 'participant']);
    expect(rows[0]).toMatchObject({ dispositions: ['Sale'], legs: [{ ucid: '900' }, { ucid: '901' }] });
    expect(rows[0]?.['deliveries']).toHaveLength(3);
  });

  it('return an account’s calls in a range of time, newest first, in pages', async () => {
    const range = {
      KeyConditionExpression: 'accountCalls = :key AND listedAt BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':key': { S: 'demo' },
        ':from': { S: '2026-11-20T05:31:00.000Z' },
        ':to': { S: '2026-11-20T05:35:00.000Z' },
      },
      Limit: 3,
    };
    const first = await listed('byTime', 'accountCalls', 'demo', range);
    const second = await listed('byTime', 'accountCalls', 'demo', {
      ...range,
      ExclusiveStartKey: first.LastEvaluatedKey,
    });

    expect([ids(first.rows), ids(second.rows)]).toEqual([
      ['105', '104', '103'],
      ['102', '101'],
    ]);
  });

  it('return the calls of a customer’s number', async () => {
    const { rows } = await listed('byCustomer', 'customerCalls', 'demo#09000000043');

    expect(ids(rows)).toEqual(['107', '105', '103', '101']);
    expect(rows[0]).toMatchObject({ status: 'answered', startedAt: '2026-11-20T05:37:00.000Z' });
  });

  it('return a transferred call for each of its agents', async () => {
    const [first, second] = await Promise.all([
      listed('byAgent', 'agentCalls', 'demo#agent1'),
      listed('byAgent', 'agentCalls', 'demo#agent2'),
    ]);

    expect(ids(first.rows)).toEqual(['107', '106', '105', '104', '103', '102', '101', '100']);
    expect(second.rows).toMatchObject([{ callId: '107', agentIds: ['agent1', 'agent2'], status: 'answered' }]);
  });
});

describe('the access patterns of the Agents table', () => {
  /** Accounts whose rows no query about `demo` may return. */
  const others = ['demo2', 'demo#agent', 'demo#floor'];
  /** Five seconds after the last poll. */
  const now = '2026-11-22T09:00:05.000Z';

  let tables: TestTables;
  let reader: AgentsReader;
  const centres: Centre[] = [];

  beforeAll(async () => {
    tables = await startTestTables();
    reader = agentsReader(tables.client, tables.tableNames.agents);
    centres.push(...(await Promise.all([...others, 'demo'].map((userName) => pollTwoDays(tables, userName)))));
  });

  afterAll(async () => {
    await Promise.all(centres.map(({ stop }) => stop()));
    await tables.stop();
  });

  const ids = (rows: readonly Facts[]) => rows.map(({ agentId }) => agentId);

  /** The agents and their states, by the poll. */
  const snapshots: Readonly<Record<string, readonly string[]>> = {
    '2026-11-21T10:00:00.000Z': ['asha ready', 'asha#2 ready', 'omar ready', 'ravi pause'],
    '2026-11-21T11:30:00.000Z': ['asha in-call', 'asha#2 ready', 'omar ready', 'ravi pause'],
    '2026-11-22T05:00:00.000Z': ['asha#2 pause', 'ravi pause'],
  };

  const agentsOn = (rows: readonly Facts[]) => rows.flatMap(({ agents }) => agents as readonly Facts[]);

  /** The hours in each state; an open interval counts up to now. */
  const hoursByState = (rows: readonly Facts[]) => {
    const secondsSince = (from: unknown) => (Date.parse(now) - Date.parse(String(from))) / 1000;
    const hours: Record<string, number> = {};
    for (const { state, from, to, seconds } of rows)
      hours[String(state)] =
        (hours[String(state)] ?? 0) + Number(to === undefined ? secondsSince(from) : seconds) / 3600;
    return hours;
  };

  it('return all agents of an account now, with the feed, by one query', async () => {
    const { rows, next, units } = await reader.query(partition('demo'));
    const feed = rows.at(-1);

    expect(ids(rows)).toEqual(['asha', 'asha#2', 'meera', 'ravi', undefined]);
    expect(rows[0]).toMatchObject({ state: 'ready', since: '2026-11-22T06:00:00.000Z', version: 1 });
    expect(feed).toMatchObject({ sk: 'feed', status: 'live', agentCount: 4, counts: { ready: 1, pause: 3 } });
    expect(Date.parse(now) - Date.parse(String(feed?.['asOf']))).toBe(5_000);
    expect([next, units]).toEqual([undefined, 0.5]);
  });

  it('return one agent by one GetItem, and none who logged out', async () => {
    const ofAgent = (agentId: string) => reader.get({ pk: { S: 'demo' }, sk: { S: `agent#${agentId}` } });
    const [loggedIn, encoded] = [await ofAgent('ravi'), await ofAgent('asha%232')];
    const loggedOut = await ofAgent('omar');

    expect(loggedIn).toMatchObject({
      units: 0.5,
      rows: [{ state: 'pause', loggedInSince: '2026-11-21T10:00:00.000Z' }],
    });
    expect(encoded.rows).toMatchObject([{ agentId: 'asha#2', version: 2 }]);
    expect(loggedOut).toMatchObject({ units: 0.5, rows: [] });
  });

  it('return the agents in a state now, the longest in it first', async () => {
    const paused = await reader.query(inState('demo#pause'));

    expect(ids(paused.rows)).toEqual(['ravi', 'asha#2', 'meera']);
    expect(paused.rows[0]).toMatchObject({ name: expect.any(String), skills: expect.any(Array), stateAsSent: 'PAUSE' });
    expect(paused.units).toBe(0.5);
    expect((await reader.query(inState('demo#logged-out'))).rows).toEqual([]);
  });

  it.each([
    { at: '2026-11-21T10:00:29.999Z', asOf: '2026-11-21T10:00:00.000Z', status: 'live' },
    // No poll succeeded then.
    { at: '2026-11-21T11:29:59.999Z', asOf: '2026-11-21T10:00:00.000Z', status: 'interrupted' },
    { at: '2026-11-21T11:30:00.000Z', asOf: '2026-11-21T11:30:00.000Z', status: 'live' },
    { at: '2026-11-22T05:59:00.000Z', asOf: '2026-11-22T05:00:00.000Z', status: 'interrupted' },
  ])('return all agents at $at, as of $asOf', async ({ at, asOf, status }) => {
    const { rows, units } = await reader.query({ ...snapshotAt('demo', at), Limit: 1 });

    expect(rows).toMatchObject([{ asOf, status, part: 0, parts: 1 }]);
    expect(rows[0]?.['at'] === asOf).toBe(status === 'live');
    expect(agentsOn(rows).map(({ agentId, state }) => `${agentId} ${state}`)).toEqual(snapshots[asOf]);
    expect(units).toBe(0.5);
  });

  it('return nothing for an instant before the first snapshot', async () => {
    expect((await reader.query({ ...snapshotAt('demo', '2026-11-21T09:59:59.999Z'), Limit: 1 })).rows).toEqual([]);
  });

  it('return an agent’s present day, which adds up to the time logged in', async () => {
    const { rows, units } = await reader.query(
      intervalsOf('asha', '2026-11-21T18:30:00.000Z', '2026-11-22T18:29:59.999Z'),
    );

    expect(rows.map(({ state, from, to }) => [state, from, to])).toEqual([
      ['in-call', '2026-11-21T18:30:00.000Z', '2026-11-21T19:00:00.000Z'],
      ['acw', '2026-11-21T19:00:00.000Z', '2026-11-22T05:00:00.000Z'],
      ['ready', '2026-11-22T06:00:00.000Z', undefined],
    ]);
    expect(rows[0]).toMatchObject({ since: '2026-11-21T11:30:00.000Z' });
    expect(hoursByState(rows)).toEqual({ 'in-call': 0.5, acw: 10, ready: 3 + 5 / 3600 });
    expect(units).toBe(0.5);
  });

  it('return the present day of an agent whose state began yesterday', async () => {
    const { rows } = await reader.query(intervalsOf('ravi', '2026-11-21T18:30:00.000Z', '2026-11-22T18:29:59.999Z'));

    expect(rows).toMatchObject([{ from: '2026-11-21T18:30:00.000Z', since: '2026-11-21T10:00:00.000Z' }]);
    expect(hoursByState(rows)).toEqual({ pause: 14.5 + 5 / 3600 });
  });

  it('return an agent’s past day up to midnight', async () => {
    const { rows } = await reader.query(intervalsOf('asha', '2026-11-20T18:30:00.000Z', '2026-11-21T18:29:59.999Z'));

    expect(rows.every(({ to }) => to !== undefined)).toBe(true);
    expect(hoursByState(rows)).toEqual({ ready: 1.5, 'in-call': 7 });
  });

  it('return when the feed was interrupted and restored', async () => {
    const { rows, units } = await reader.query(feedChanges('2026-11-21T11:00:00.000Z', '2026-11-21T18:59:59.999Z'));

    expect(rows.map(({ sk, status, asOf }) => [String(sk).slice(11, 19), status, asOf])).toEqual([
      ['11:30:00', 'live', '2026-11-21T11:30:00.000Z'],
      ['11:30:30', 'interrupted', '2026-11-21T11:30:00.000Z'],
      ['18:30:00', 'live', '2026-11-21T18:30:00.000Z'],
      ['18:30:30', 'interrupted', '2026-11-21T18:30:00.000Z'],
    ]);
    expect(units).toBe(0.5);
  });

  it.each(others)('return the rows of %s too', async (account) => {
    const pk = account.replace('#', '%23');
    expect((await reader.query(partition(pk))).rows).toHaveLength(5);
    expect((await reader.query(inState(`${pk}#pause`))).rows).toHaveLength(3);
    expect((await reader.query(partition(`${pk}#agent#asha`))).rows).toHaveLength(5);
  });
});
