import { PutItemCommand, ScanCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Counts } from '../../../bench/costs/counts.ts';
import { meteredDynamodb } from '../../../bench/costs/metered-dynamodb.ts';
import { agentsTable, callsTable, type Table } from '../../../lib/contract/tables.ts';
import { startTestTables, type TestTables } from '../../support/sandbox-dynamodb.ts';

let tables: TestTables;

beforeAll(async () => {
  tables = await startTestTables();
});
afterAll(() => tables.stop());

const metered = (declaration: Table) => {
  const told: Partial<Counts>[] = [];
  const contradictions: string[] = [];
  const client = meteredDynamodb(
    { endpoint: tables.endpoint, tables: { [tables.tableNames.calls]: declaration } },
    { onCommand: (units) => told.push(units), onContradiction: (message) => contradictions.push(message) },
  );
  return { client, told, contradictions };
};

const item = (pk: string) => ({
  pk: { S: pk },
  sk: { S: 'leg#main' },
  accountCalls: { S: 'demo' },
  listedAt: { S: '2026-11-21T10:00:00.000Z' },
});

describe('a metered command', () => {
  it('is held against what DynamoDB Local tells of it', async () => {
    const { client, told, contradictions } = metered(callsTable);

    await client.send(new PutItemCommand({ TableName: tables.tableNames.calls, Item: item('held') }));

    expect(told).toMatchObject([{ tableWriteUnits: 1, indexWriteUnits: 1 }]);
    expect(contradictions).toEqual([]);
    client.destroy();
  });

  it('contradicts rules that forget an index', async () => {
    const { client, contradictions } = metered({ ...callsTable, indexes: agentsTable.indexes });

    await client.send(new PutItemCommand({ TableName: tables.tableNames.calls, Item: item('contradicted') }));

    expect(contradictions).toEqual(['DynamoDB Local tells 2 units of a write that by the rules takes 1']);
    client.destroy();
  });

  it('takes the units of its row when it is refused, and changes nothing', async () => {
    const { client, told } = metered(callsTable);
    const put = new PutItemCommand({
      TableName: tables.tableNames.calls,
      Item: { ...item('refused'), text: { S: 'x'.repeat(1_024) } },
      ConditionExpression: 'attribute_exists(pk)',
    });

    await expect(client.send(put)).rejects.toThrow('The conditional request failed');

    expect(told).toEqual([{ tableWriteUnits: 2 }]);
    client.destroy();
  });

  it('takes double in a transaction, for every row of it', async () => {
    const { client, told } = metered(callsTable);
    const TableName = tables.tableNames.calls;
    const TransactItems = ['one', 'two'].map((pk) => ({ Put: { TableName, Item: item(pk) } }));

    await client.send(new TransactWriteItemsCommand({ TransactItems }));

    expect(told).toMatchObject([{ tableWriteUnits: 4, indexWriteUnits: 4 }]);
    client.destroy();
  });

  it('of another kind is not passed over', async () => {
    const { client } = metered(callsTable);

    await expect(client.send(new ScanCommand({ TableName: tables.tableNames.calls }))).rejects.toThrow(
      'It is not known what a command with TableName takes',
    );
    client.destroy();
  });
});
