import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Facts } from '../../lib/core/objects.ts';
import { type DynamodbProcess, startDynamodb } from '../../sandbox/dynamodb/start-dynamodb.ts';
import { type AgentsReader, agentsReader, partition, type Read, snapshotAt } from '../support/agents-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Centre, startCentre } from '../support/polled-centre.ts';
import { type PublishedAgentEvents, publishedAgentEvents } from '../support/published-agent-events.ts';
import { logIn } from '../support/sandbox.ts';

const agents = 3_000;
/** The first slot in which they are there. */
const seenAt = '2026-11-21T10:00:15.000Z';
/** How long a transaction takes by the clock of the test. */
const transactionMs = 333;

let dynamodb: DynamodbProcess;
let tables: TestTables;
let centre: Centre;
let reader: AgentsReader;
let publishedEvents: PublishedAgentEvents;

beforeAll(async () => {
  // One of its own: it takes one write at a time, so the other tests would wait for all of these.
  dynamodb = await startDynamodb({ port: 0 });
  tables = await startTestTables(dynamodb.endpoint);
  reader = agentsReader(tables.client, tables.tableNames.agents);
  publishedEvents = await publishedAgentEvents(tables);
  const send = async (command: object, ...rest: readonly object[]) => {
    if (command instanceof TransactWriteItemsCommand) centre.advance(transactionMs);
    return Reflect.apply(tables.client.send, tables.client, [command, ...rest]);
  };
  centre = await startCentre(tables, { userName: 'demo', client: { send } as Pick<DynamoDBClient, 'send'> });
});
afterAll(async () => {
  publishedEvents.stop();
  await centre.stop();
  await tables.stop();
  await dynamodb.stop();
});

/** Reads a query on, page by page, to its end or until there are as many rows. */
const readAllPages = async (query: Parameters<AgentsReader['query']>[0], most = Number.POSITIVE_INFINITY) => {
  const rows: Facts[] = [];
  let page: Read | undefined;
  do {
    page = await reader.query({ ...query, ...(page && { ExclusiveStartKey: page.next }) });
    rows.push(...page.rows);
  } while (page.next !== undefined && rows.length < most);
  return rows;
};

/** Everybody who is there now, with the feed's row at the end. */
const floor = async () => {
  const rows = await readAllPages(partition('demo'));
  return { there: rows.slice(0, -1), feed: rows.at(-1) };
};

const feedNow = async () => (await reader.get({ pk: { S: 'demo' }, sk: { S: 'feed' } })).rows[0];

describe('three thousand agents who log in at once', () => {
  it('are all there after some slots, true for the one that saw them, and told one by one', async () => {
    centre.script(...Array.from({ length: agents }, (_, index) => logIn(`agent-${index}`)));
    await centre.poll();
    const partly = await floor();
    expect(partly.there.length).toBeGreaterThan(1_000);
    expect(partly.there.length).toBeLessThan(agents);
    expect(partly.feed).not.toHaveProperty('asOf');

    let slots = 1;
    for (; (await feedNow())?.['asOf'] === undefined && slots < 10; slots++)
      await Promise.all([centre.poll(), publishedEvents.events('demo')]);
    const { there, feed } = await floor();
    expect(slots).toBe(3);
    expect(new Set(there.map(({ agentId }) => agentId)).size).toBe(agents);
    expect(new Set(there.map(({ since }) => since))).toEqual(new Set([seenAt]));
    expect(feed).toMatchObject({ status: 'live', agentCount: agents, counts: { ready: agents } });

    const events = await publishedEvents.events('demo');
    expect(new Set(events.map(({ detail }) => detail['agentId'])).size).toBe(agents);
    expect(events).toHaveLength(agents);

    // The floor of a past moment is the newest one before it; its parts are read on until there are as many.
    const query = { ...snapshotAt('demo', seenAt), Limit: 1 };
    const parts = Number((await reader.query(query)).rows[0]?.['parts']);
    const whole = await readAllPages(query, parts);
    expect(whole.map(({ at, part }) => [at, part])).toEqual(
      Array.from({ length: parts }, (_, index) => [seenAt, parts - 1 - index]),
    );
    expect(parts).toBeGreaterThan(1);
    expect(whole.flatMap((row) => row['agents'])).toHaveLength(agents);
  }, 180_000);
});
