import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { dynamoQuarantine, dynamoStores } from '../../../functions/adapters/dynamo-stores.ts';
import type { QuarantineEntry } from '../../../lib/callback/schema.ts';
import { quarantineEntry } from '../../../lib/callback/store-or-park.ts';
import { contentHash } from '../../../lib/core/encoding.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { keyedDelivery, summaryWith } from '../../support/posted-records.ts';
import { recordingClient } from '../../support/watched-clients.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await startTestTables();
});

afterAll(() => tables.stop());

const newCallId = () => BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 14)}`).toString();

/** The calls' table in DynamoDB, a call that no other test uses, and the names of the requests sent. */
const setUp = () => {
  const { calls: callsTable } = tables.tableNames;
  const { client, sent } = recordingClient(tables.client);
  const env = {
    CALLS_TABLE: callsTable,
    CALL_RETENTION_DAYS: 10,
    QUARANTINE_TABLE: tables.tableNames.quarantine,
    QUARANTINE_RETENTION_DAYS: 10,
  };
  const { calls } = dynamoStores(client, env, () => new Date('2026-11-20T06:00:01.000Z'));
  const monitorUCID = newCallId();
  return {
    requests: () => sent.splice(0).map(({ name }) => name),
    receive: (fields: object = {}, ms = 0) => {
      const receivedAt = `2026-11-20T06:00:00.${String(ms).padStart(3, '0')}Z`;
      const { key, delivery } = keyedDelivery(summaryWith({ ...fields, monitorUCID }), receivedAt);
      return calls.record(key, delivery, generousDeadline());
    },
    rows: (suffix = '') =>
      dynamoAgentTable({ client: tables.client, tableName: callsTable, deadlineMs: 15_000 }).query(
        `demo#${monitorUCID}${suffix}`,
      ),
  };
};

describe('calls in DynamoDB', () => {
  it('take one request for a new call, one for its repeat, and two for a revision', async () => {
    const { receive, requests, rows } = setUp();

    expect([await receive(), requests()]).toEqual(['stored', ['PutItemCommand']]);
    expect([await receive(), requests()]).toEqual(['duplicate', ['PutItemCommand']]);
    const late = await receive({ Disposition: 'Sale' }, 1);

    expect([late, requests()]).toEqual(['stored', ['PutItemCommand', 'PutItemCommand']]);
    expect(await rows()).toMatchObject([{ sk: 'call', revision: 2, dispositions: ['Sale'] }]);
  });

  it('take one transaction for a call of several agents', async () => {
    const { receive, requests, rows } = setUp();
    await receive({ AgentID: 'a1 -> a2 -> a3', Status: 'NotAnswered' });
    expect(requests()).toEqual(['TransactWriteItemsCommand']);

    await receive({ AgentID: 'a1 -> a4' }, 1);

    expect(requests()).toHaveLength(2);
    expect((await rows('#agents')).map(({ sk, agentCalls }) => [sk, agentCalls])).toEqual([['a4', 'demo#a4']]);
  });

  it('merge transfers that arrive at once, though their transactions collide', async () => {
    const { receive, rows } = setUp();

    const outcomes = await Promise.all(
      ['a1 -> a2', 'a1 -> a2 -> a3', 'a2 -> a3'].map((AgentID, ms) => receive({ AgentID }, ms)),
    );

    expect(outcomes).toEqual(['stored', 'stored', 'stored']);
    expect(await rows()).toMatchObject([{ agentIds: ['a2', 'a3'], version: 3 }]);
    expect((await rows('#agents')).map(({ sk }) => sk)).toEqual(['a3']);
  });

  it.each([
    ['the longest names that a post can hold', 'a', 'n'.repeat(1_800)],
    ['long ids and names of three bytes a character', '字'.repeat(90), '字'.repeat(300)],
  ])('hold a call of fifty agents with %s', async (_title, id, name) => {
    const { receive, rows } = setUp();
    const chain = (text: string) => Array.from({ length: 50 }, (_, index) => `${text}${index}`).join(' -> ');
    const [AgentID, AgentName, Disposition] = [id, name, name].map(chain);

    expect(await receive({ AgentID, AgentName, Disposition })).toBe('stored');
    expect(await rows('#agents')).toHaveLength(49);
  });

  it('list a call under no customer if the number is too long for a key', async () => {
    const { receive, rows } = setUp();

    expect(await receive({ CallerID: '9'.repeat(5_000) })).toBe('stored');
    expect((await rows())[0]).not.toHaveProperty('customerCalls');
  });

  it('reject a call that is larger than a row', async () => {
    expect(await setUp().receive({ Comments: 'é'.repeat(210_000) })).toBe('rejected');
  });
});

const receivedAt = '2026-11-20T06:00:00.000Z';

const store = (entry: QuarantineEntry) => {
  const { client, tableNames } = tables;
  const quarantine = dynamoQuarantine(client, tableNames.quarantine, 30);
  return quarantine.store(quarantineEntry(entry), generousDeadline());
};

const rows = async () => {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.tableNames.quarantine, ConsistentRead: true }),
  );
  return Items.map((item) => unmarshall(item));
};

describe('dynamoQuarantine', () => {
  beforeEach(async () => {
    tables = await startTestTables();
  });

  it('stores an entry of an account whole, and leaves the row as it is when the entry is repeated', async () => {
    const entry = { reason: 'broken-json', account: 'demo', body: `{"x": ${'y'.repeat(200_000)}`, receivedAt };
    const repeated = { ...entry, receivedAt: '2026-11-21T06:00:00.000Z' };

    await store(entry);
    await store(repeated);

    const expiresAt = Date.parse('2026-12-20T06:00:00Z') / 1_000;
    expect(await rows()).toEqual([{ ...entry, id: expect.stringMatching(/^[0-9a-f]{32,}$/), expiresAt }]);
  });

  it('stores a row of the largest size that an entry can have', async () => {
    const body = Array.from({ length: 30_000 }, (_, index) => contentHash(index)).join('');
    const keyFingerprints = Array(20).fill('c48a01f4');
    await store({ reason: 'body-too-large', account: 'a'.repeat(255), keyFingerprints, body, receivedAt });

    expect(await rows()).toMatchObject([{ bytes: 960_000 }]);
  });
});
