import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Facts } from '../../lib/record/delivery.ts';
import { dayOf, floorAt, inState, interruptions, partition } from '../support/agents-queries.ts';
import { type AgentsReader, agentsReader } from '../support/agents-reader.ts';
import type { Centre } from '../support/polled-centre.ts';
import { startTestTables, type TestTables } from '../support/sandbox-dynamodb.ts';
import { pollTwoDays } from '../support/two-days.ts';

/** Of none of these may a query about `demo` return a row. */
const others = ['demo2', 'demo#agent', 'demo#floor'];
/** Five seconds after the last poll. */
const now = '2026-11-22T09:00:05.000Z';

let tables: TestTables;
let reader: AgentsReader;
const centres: Centre[] = [];

beforeAll(async () => {
  tables = await startTestTables();
  reader = agentsReader(tables.client, tables.tableNames.agents);
  for (const userName of [...others, 'demo']) centres.push(await pollTwoDays(tables, userName));
});

afterAll(async () => {
  await Promise.all(centres.map(({ stop }) => stop()));
  await tables.stop();
});

const ids = (rows: readonly Facts[]) => rows.map(({ agentId }) => agentId);

/** Who was doing what, by the poll that saw it. */
const floors: Readonly<Record<string, readonly string[]>> = {
  '2026-11-21T10:00:00.000Z': ['asha ready', 'asha#2 ready', 'omar ready', 'ravi pause'],
  '2026-11-21T11:30:00.000Z': ['asha in-call', 'asha#2 ready', 'omar ready', 'ravi pause'],
  '2026-11-22T05:00:00.000Z': ['asha#2 pause', 'ravi pause'],
};

const agentsOn = (rows: readonly Facts[]) => rows.flatMap(({ agents }) => agents as readonly Facts[]);

/** The hours in each state; the stretch that lasts does so until now. */
const hoursByState = (rows: readonly Facts[]) => {
  const lasted = (from: unknown) => (Date.parse(now) - Date.parse(String(from))) / 1000;
  const hours: Record<string, number> = {};
  for (const { state, from, to, seconds } of rows)
    hours[String(state)] = (hours[String(state)] ?? 0) + Number(to === undefined ? lasted(from) : seconds) / 3600;
  return hours;
};

describe('a reader of the agents’ table', () => {
  it('has all agents of an account now, and how old that is, by one query', async () => {
    const { rows, next, units } = await reader.query(partition('demo'));
    const feed = rows.at(-1);

    expect(ids(rows)).toEqual(['asha', 'asha#2', 'meera', 'ravi', undefined]);
    expect(rows[0]).toMatchObject({ state: 'ready', since: '2026-11-22T06:00:00.000Z', version: 1 });
    expect(feed).toMatchObject({ sk: 'feed', status: 'live', agentCount: 4, counts: { ready: 1, pause: 3 } });
    expect(Date.parse(now) - Date.parse(String(feed?.['asOf']))).toBe(5_000);
    expect([next, units]).toEqual([undefined, 0.5]);
  });

  it('has one agent now by one read, and nobody who has left', async () => {
    const ofAgent = (agentId: string) => reader.get({ pk: { S: 'demo' }, sk: { S: `agent#${agentId}` } });
    const [there, encoded] = [await ofAgent('ravi'), await ofAgent('asha%232')];
    const gone = await ofAgent('omar');

    expect(there).toMatchObject({ units: 0.5, rows: [{ state: 'pause', loggedInSince: '2026-11-21T10:00:00.000Z' }] });
    expect(encoded.rows).toMatchObject([{ agentId: 'asha#2', version: 2 }]);
    expect(gone).toMatchObject({ units: 0.5, rows: [] });
  });

  it('has the agents in a state now, longest first', async () => {
    const paused = await reader.query(inState('demo#pause'));

    expect(ids(paused.rows)).toEqual(['ravi', 'asha#2', 'meera']);
    expect(paused.rows[0]).toMatchObject({ name: expect.any(String), skills: expect.any(Array), stateAsSent: 'PAUSE' });
    expect(paused.units).toBe(0.5);
    expect((await reader.query(inState('demo#logged-out'))).rows).toEqual([]);
  });

  it.each([
    { moment: '2026-11-21T10:00:29.999Z', asOf: '2026-11-21T10:00:00.000Z', status: 'live' },
    // Nobody polled then.
    { moment: '2026-11-21T11:29:59.999Z', asOf: '2026-11-21T10:00:00.000Z', status: 'interrupted' },
    { moment: '2026-11-21T11:30:00.000Z', asOf: '2026-11-21T11:30:00.000Z', status: 'live' },
    { moment: '2026-11-22T05:59:00.000Z', asOf: '2026-11-22T05:00:00.000Z', status: 'interrupted' },
  ])('has the whole floor at $moment, true for $asOf', async ({ moment, asOf, status }) => {
    const { rows, units } = await reader.query({ ...floorAt('demo', moment), Limit: 1 });

    expect(rows).toMatchObject([{ asOf, status, part: 0, parts: 1 }]);
    expect(rows[0]?.['at'] === asOf).toBe(status === 'live');
    expect(agentsOn(rows).map(({ agentId, state }) => `${agentId} ${state}`)).toEqual(floors[asOf]);
    expect(units).toBe(0.5);
  });

  it('has nothing of a moment before the first floor', async () => {
    expect((await reader.query({ ...floorAt('demo', '2026-11-21T09:59:59.999Z'), Limit: 1 })).rows).toEqual([]);
  });

  it('has an agent’s present day, which adds up to the time logged in', async () => {
    const { rows, units } = await reader.query(dayOf('asha', '2026-11-21T18:30:00.000Z', '2026-11-22T18:29:59.999Z'));

    expect(rows.map(({ state, from, to }) => [state, from, to])).toEqual([
      ['in-call', '2026-11-21T18:30:00.000Z', '2026-11-21T19:00:00.000Z'],
      ['acw', '2026-11-21T19:00:00.000Z', '2026-11-22T05:00:00.000Z'],
      ['ready', '2026-11-22T06:00:00.000Z', undefined],
    ]);
    expect(rows[0]).toMatchObject({ since: '2026-11-21T11:30:00.000Z' });
    expect(hoursByState(rows)).toEqual({ 'in-call': 0.5, acw: 10, ready: 3 + 5 / 3600 });
    expect(units).toBe(0.5);
  });

  it('has the present day of an agent who has done the same since yesterday', async () => {
    const { rows } = await reader.query(dayOf('ravi', '2026-11-21T18:30:00.000Z', '2026-11-22T18:29:59.999Z'));

    expect(rows).toMatchObject([{ from: '2026-11-21T18:30:00.000Z', since: '2026-11-21T10:00:00.000Z' }]);
    expect(hoursByState(rows)).toEqual({ pause: 14.5 + 5 / 3600 });
  });

  it('has an agent’s past day without anything of the next', async () => {
    const { rows } = await reader.query(dayOf('asha', '2026-11-20T18:30:00.000Z', '2026-11-21T18:29:59.999Z'));

    expect(rows.every(({ to }) => to !== undefined)).toBe(true);
    expect(hoursByState(rows)).toEqual({ ready: 1.5, 'in-call': 7 });
  });

  it('has when the feed was interrupted, and when it was again', async () => {
    const { rows, units } = await reader.query(interruptions('2026-11-21T11:00:00.000Z', '2026-11-21T18:59:59.999Z'));

    expect(rows.map(({ sk, status, asOf }) => [String(sk).slice(11, 19), status, asOf])).toEqual([
      ['11:30:00', 'live', '2026-11-21T11:30:00.000Z'],
      ['11:30:30', 'interrupted', '2026-11-21T11:30:00.000Z'],
      ['18:30:00', 'live', '2026-11-21T18:30:00.000Z'],
      ['18:30:30', 'interrupted', '2026-11-21T18:30:00.000Z'],
    ]);
    expect(units).toBe(0.5);
  });

  it.each(others)('finds as much about %s beside it', async (account) => {
    const pk = account.replace('#', '%23');
    expect((await reader.query(partition(pk))).rows).toHaveLength(5);
    expect((await reader.query(inState(`${pk}#pause`))).rows).toHaveLength(3);
    expect((await reader.query(partition(`${pk}#agent#asha`))).rows).toHaveLength(5);
  });
});
