import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentStates } from '../../lib/telephony/agent-fields.ts';
import { type AgentsReader, agentsReader } from '../support/agents-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Centre, startCentre } from '../support/polled-centre.ts';
import { type Metered, meteredClient } from '../support/recorded-clients.ts';
import { logIn, logOut, setState } from '../support/sandbox.ts';

const agents = 100;
/** The units of a snapshot of so many agents, some 180 bytes each, and of reading their rows, some 350 bytes each. */
const snapshotUnits = 18;
const readUnits = 9;

let tables: TestTables;
let centre: Centre;
let reader: AgentsReader;
let takeMetered: () => readonly Metered[];

/** Every state. */
const words = [...agentStates.words, 'Lunching'];

beforeAll(async () => {
  tables = await startTestTables();
  const metered = meteredClient(tables.client);
  reader = agentsReader(tables.client, tables.tableNames.agents);
  takeMetered = metered.taken;
  centre = await startCentre(tables, { userName: 'demo', client: metered.client });
  centre.script(
    ...Array.from({ length: agents }, (_, index) => logIn(`agent-${index}`, words[index % words.length] ?? '')),
  );
  await centre.poll();
  await centre.answer('500', 2);
  await centre.poll();
  // A second request in a slot makes the polls of the next minute wait.
  for (let slot = 0; slot < 6; slot++) await centre.poll();
  takeMetered();
});

afterAll(async () => {
  await centre.stop();
  await tables.stop();
});

const feedOnce = { name: 'PutItem', rows: ['demo / feed'], units: 1 };

describe('a poll of 100 agents', () => {
  it('that changes nothing writes the feed’s row twice, for the claim and the answer, and reads nothing', async () => {
    // The row has its greatest length: every state, and a problem.
    const feed = await reader.get({ pk: { S: 'demo' }, sk: { S: 'feed' } });
    expect(Object.keys(feed.rows[0]?.['counts'] ?? {})).toHaveLength(words.length);
    expect(feed.rows).toMatchObject([{ lastProblem: { reason: 'http-error' } }]);

    for (let slot = 0; slot < 5; slot++) {
      await centre.poll();
      expect(takeMetered()).toEqual([feedOnce, feedOnce]);
    }
  });

  it('that changes nothing reads the feed’s row and the agents once in a new process', async () => {
    centre.restart();
    await centre.poll();

    const query = (units: number) => ({ name: 'Query', rows: [], units });
    expect(takeMetered()).toEqual([query(1), query(readUnits), feedOnce, feedOnce]);
    await centre.poll();
    expect(takeMetered()).toEqual([feedOnce, feedOnce]);
  });

  it('in which one changes writes a snapshot, the agent, the ended interval and the new one', async () => {
    centre.script(setState('agent-7', 'OTHER'));
    await centre.poll();

    const at = centre.clock().toISOString();
    const [claimed, kept, written, ...none] = takeMetered();
    expect([claimed, none]).toEqual([feedOnce, []]);
    expect(kept).toEqual({ name: 'BatchWriteItem', rows: [`demo#floor / ${at}#000`], units: snapshotUnits });
    expect(written).toMatchObject({ name: 'TransactWriteItems', units: 8 });
    expect(written?.rows).toEqual([
      'demo / feed',
      'demo / agent#agent-7',
      expect.stringMatching(/^demo#agent#agent-7 \/ 2026-11-21T10:/),
      `demo#agent#agent-7 / ${at}`,
    ]);
  });

  it('in which one logs in writes no ended interval', async () => {
    centre.script(logIn('newcomer'));
    await centre.poll();

    const at = centre.clock().toISOString();
    expect(takeMetered().slice(2)).toEqual([
      {
        name: 'TransactWriteItems',
        rows: ['demo / feed', 'demo / agent#newcomer', `demo#agent#newcomer / ${at}`],
        units: 6,
      },
    ]);
    centre.script(logOut('newcomer'));
    await centre.poll();
    expect(takeMetered().at(-1)).toEqual({
      name: 'TransactWriteItems',
      rows: ['demo / feed', 'removed demo / agent#newcomer'],
      units: 4,
    });
  });
});
