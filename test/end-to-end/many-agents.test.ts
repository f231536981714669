import { type DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../lib/storage/rows.ts';
import { type AgentsReader, agentsReader, partition, snapshotAt } from '../support/agents-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { type Centre, startCentre } from '../support/polled-centre.ts';
import { type PublishedAgentEvents, publishedAgentEvents } from '../support/published-agent-events.ts';
import { logIn } from '../support/sandbox.ts';

const agents = 300;
/** So many skills make the agents' rows, and the snapshot, longer than the megabyte that a page of a query holds. */
const skills = Array.from({ length: 50 }, (_, index) => `Skill number ${index} `.padEnd(80, '.'));
const seenAt = '2026-11-21T10:00:15.000Z';
/** How long a transaction of a hundred rows takes by the clock of the test: a slot has time for few of them. */
const transactionMs = 3_200;

let tables: TestTables;
let centre: Centre;
let reader: AgentsReader;
let publishedEvents: PublishedAgentEvents;

beforeAll(async () => {
  tables = await startTestTables();
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
});

/** Reads the pages of a query to its end, or until there are as many rows. */
const readAllPages = async (query: Parameters<AgentsReader['query']>[0], most = Number.POSITIVE_INFINITY) => {
  const rows: Row[] = [];
  let page: Awaited<ReturnType<AgentsReader['query']>> | undefined;
  do {
    page = await reader.query({ ...query, ...(page && { ExclusiveStartKey: page.next }) });
    rows.push(...page.rows);
  } while (page.next !== undefined && rows.length < most);
  return rows;
};

const readAgents = async () => {
  const rows = await readAllPages(partition('demo'));
  return { loggedIn: rows.slice(0, -1), feed: rows.at(-1) };
};

describe('many agents who log in at once', () => {
  it('have all their rows after some slots, as of the slot that saw them, and one event each', async () => {
    centre.script(...Array.from({ length: agents }, (_, index) => ({ ...logIn(`agent-${index}`), skills })));
    await centre.poll();
    const partly = await readAgents();
    expect(partly.loggedIn.length).toBeGreaterThan(agents / 3);
    expect(partly.loggedIn.length).toBeLessThan(agents);
    expect(partly.feed).not.toHaveProperty('asOf');

    let slots = 1;
    for (; (await reader.row('demo', 'feed'))?.['asOf'] === undefined && slots < 10; slots++)
      await Promise.all([centre.poll(), publishedEvents.events('demo')]);
    const { loggedIn, feed } = await readAgents();
    expect(slots).toBe(3);
    expect(new Set(loggedIn.map(({ agentId }) => agentId)).size).toBe(agents);
    expect(new Set(loggedIn.map(({ since }) => since))).toEqual(new Set([seenAt]));
    expect(feed).toMatchObject({ status: 'live', agentCount: agents, counts: { ready: agents } });

    const events = await publishedEvents.events('demo');
    expect(new Set(events.map(({ detail }) => detail['agentId'])).size).toBe(agents);
    expect(events).toHaveLength(agents);

    // A snapshot's parts count down, so the first row says how many rows to read.
    const query = { ...snapshotAt('demo', seenAt), Limit: 1 };
    const parts = Number((await reader.query(query)).rows[0]?.['parts']);
    const snapshot = await readAllPages(query, parts);
    expect(snapshot.map(({ at, part }) => [at, part])).toEqual(
      Array.from({ length: parts }, (_, index) => [seenAt, parts - 1 - index]),
    );
    expect(parts).toBeGreaterThan(1);
    expect(snapshot.flatMap((row) => row['agents'])).toHaveLength(agents);
  });
});
