import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pollStatusRow } from '../../../functions/poll-agents/agent-store.ts';
import { type CallfeedClient, createCallfeedClient, type Read } from '../../../lib/client/index.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { collected, feedWithNotes, fillTables, largeAgents, meteredReads } from './support/clients.ts';

const agents = largeAgents(500, '2026-11-21T11:00:00.000Z');
const callCount = 600;
const megabyteUnits = 128;

let tables: TestTables;
let client: CallfeedClient;
let metered: ReturnType<typeof meteredReads>;
const reads: Read[] = [];

beforeAll(async () => {
  tables = await startTestTables();
  const fill = fillTables(tables);
  await fill.floor(agents);
  await fill.calls(callCount);
  metered = meteredReads(tables.client);
  client = createCallfeedClient({
    dynamodb: metered.dynamodb,
    tables: tables.tableNames,
    account: 'demo',
    clock: () => new Date('2026-11-21T12:00:05.000Z'),
    onRead: (read) => reads.push(read),
  });
});

beforeEach(() => {
  metered.takeRequests();
  reads.splice(0);
});

afterAll(() => tables.stop());

/** The number of requests since the last call, and their read units. */
const requestCosts = () => {
  metered.takeRequests();
  const answered = reads.splice(0);
  return { requests: answered.length, units: answered.reduce((sum, { units }) => sum + units, 0) };
};

describe('agents of more than 1 MB', () => {
  it('are complete and in order', async () => {
    const floor = await client.floor();
    const { requests, units } = requestCosts();

    expect(floor).toMatchObject({ freshness: 'live', ageSeconds: 5 });
    expect(floor.freshness === 'live' && floor.agents.map(({ agentId }) => agentId)).toEqual([...agents.keys()]);
    expect(requests).toBe(2);
    expect(units).toBeGreaterThan(megabyteUnits);
  });

  it('have the earlier asOf if a poll is written between two requests', async () => {
    const polled = { ...feedWithNotes, asOf: '2026-11-21T12:00:15.000Z', version: feedWithNotes.version + 1 };
    let requests = 0;
    const { dynamodb } = meteredReads(tables.client, async () => {
      requests += 1;
      if (requests === 1) await fillTables(tables).agents([pollStatusRow(polled)]);
    });
    const interrupted = createCallfeedClient({ dynamodb, tables: tables.tableNames, account: 'demo' });

    const floor = await interrupted.floor();
    await fillTables(tables).agents([pollStatusRow(feedWithNotes)]);

    expect(requests).toBe(2);
    expect(floor.feed?.asOf).toBe(feedWithNotes.asOf);
  });
});

describe('a list of calls of more than 1 MB', () => {
  const newestFirst = Array.from({ length: callCount }, (_, index) => String(callCount - 1 - index));

  it('has pages that end at 1 MB and continue from their cursors', async () => {
    const [first] = await collected(client.calls().pages(1000));
    const rest = await collected(client.calls().pages(1000, first?.next));

    expect(first?.calls.length).toBeGreaterThan(250);
    expect(first?.calls.length).toBeLessThan(callCount);
    expect([...(first?.calls ?? []), ...rest.flatMap(({ calls }) => calls)].map(({ callId }) => callId)).toEqual(
      newestFirst,
    );
  });
});
