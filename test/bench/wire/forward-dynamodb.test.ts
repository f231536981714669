import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWire, type Wire } from '../../../bench/wire/start-wire.ts';
import { callsTable } from '../../../lib/contract/tables.ts';
import { localClient } from '../../../sandbox/local-client.ts';
import { startTestTables, type TestTables } from '../../support/sandbox-dynamodb.ts';

let tables: TestTables;
let wire: Wire;
let client: DynamoDBClient;
let TableName: string;

beforeAll(async () => {
  tables = await startTestTables();
  TableName = tables.tableNames.calls;
  wire = await startWire({ dynamodb: { endpoint: tables.endpoint, tables: { [TableName]: callsTable } } });
  client = new DynamoDBClient({ ...localClient(wire.url), maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await wire.close();
  await tables.stop();
});
beforeEach(() => {
  wire.fail();
  wire.taken();
});

const keyOf = (pk: string) => ({ pk: { S: pk }, sk: { S: 'call' } });
/** In one index, and of so many kilobytes. */
const rowOf = (pk: string, kilobytes = 1) => ({
  ...keyOf(pk),
  accountCalls: { S: 'demo' },
  listedAt: { S: '2026-11-20T06:00:00.000Z' },
  filling: { S: 'x'.repeat(kilobytes * 1024 - 200) },
});
const put = (Item: ReturnType<typeof rowOf>, more = {}) =>
  client.send(new PutItemCommand({ TableName, Item, ...more }));
const onlyNew = { ConditionExpression: 'attribute_not_exists(pk)' };

describe('a wire to DynamoDB Local', () => {
  it('tells the units of a new row, and how many of them are the index’s', async () => {
    await put(rowOf('new', 2));

    expect(wire.taken()).toMatchObject([{ operation: 'PutItem', writeUnits: 3, indexWriteUnits: 1, readUnits: 0 }]);
    expect((await tables.client.send(new GetItemCommand({ TableName, Key: keyOf('new') }))).Item).toBeDefined();
  });

  it('tells the units of a read', async () => {
    await put(rowOf('read'));
    wire.taken();
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'read' } } };
    await client.send(new QueryCommand({ TableName, ConsistentRead: true, ...query }));

    expect(wire.taken()).toMatchObject([{ writeUnits: 0, readUnits: 1 }]);
  });

  it('charges a refused write for the row that is there, which only who asks gets to see', async () => {
    await put(rowOf('there', 3));
    wire.taken();

    const refused = await put(rowOf('there'), onlyNew).catch((error: unknown) => error);
    const shown = await put(rowOf('there'), { ...onlyNew, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }).catch(
      (error: unknown) => error,
    );

    expect(refused).toBeInstanceOf(ConditionalCheckFailedException);
    expect(refused).not.toHaveProperty('Item', expect.anything());
    expect(shown).toHaveProperty('Item', rowOf('there', 3));
    const taken = { writeUnits: 3, indexWriteUnits: 0 };
    expect(wire.taken()).toMatchObject([taken, taken]);
  });

  it('charges a transaction twice, by the rows as they were', async () => {
    await put(rowOf('moved', 3));
    wire.taken();

    const both = [rowOf('moved', 1), rowOf('joined', 2)].map((Item) => ({ Put: { TableName, Item } }));
    await client.send(new TransactWriteItemsCommand({ TransactItems: both }));

    // Three kilobytes replaced by one, and two new ones; one of the index’s entries is new, the other stays.
    expect(wire.taken()).toMatchObject([{ writeUnits: 2 * (3 + 2 + 1), indexWriteUnits: 2 }]);
  });

  it('charges a refused transaction for its rows alone', async () => {
    await put(rowOf('known'));
    wire.taken();
    const TransactItems = [{ Put: { TableName, Item: rowOf('known'), ...onlyNew } }];
    const refused = client.send(new TransactWriteItemsCommand({ TransactItems }));

    await expect(refused).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(wire.taken()).toMatchObject([{ writeUnits: 2, indexWriteUnits: 0 }]);
  });

  it('cuts the connection after the effect', async () => {
    wire.fail(() => 'after');

    await expect(put(rowOf('cut'))).rejects.toThrow();
    expect(wire.taken()).toMatchObject([{ writeUnits: 2 }]);
    expect((await tables.client.send(new GetItemCommand({ TableName, Key: keyOf('cut') }))).Item).toBeDefined();
  });
});
