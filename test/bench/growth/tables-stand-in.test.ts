import {
  BatchWriteItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { carriedDynamodb } from '../../../bench/growth/stand-in/carried-dynamodb.ts';
import { tablesStandIn } from '../../../bench/growth/stand-in/tables-stand-in.ts';
import { agentsTable } from '../../../lib/contract/tables.ts';

const TableName = 'agents';

const started = () => {
  const tables = tablesStandIn({ [TableName]: agentsTable });
  const client = carriedDynamodb(async (request) => tables.answer(request));
  const skOf = async (between: Readonly<Record<string, { S: string }>> = {}) => {
    const KeyConditionExpression = ':from' in between ? 'pk = :pk AND sk BETWEEN :from AND :to' : 'pk = :pk';
    const ExpressionAttributeValues = { ':pk': { S: 'a' }, ...between };
    const { Items = [] } = await client.send(
      new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues, ConsistentRead: true }),
    );
    return Items.map(({ sk }) => sk?.S);
  };
  return { tables, client, skOf };
};

const row = (sk: string, version = 1, text = '') => ({
  pk: { S: 'a' },
  sk: { S: sk },
  version: { N: String(version) },
  text: { S: text },
});
const put = (sk: string, more: object = {}) => ({ TableName, Item: row(sk), ...more });
const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
const follows = (version: number) => ({
  ConditionExpression: 'version = :before',
  ExpressionAttributeValues: { ':before': { N: String(version) } },
});

describe('a put', () => {
  it('is refused where its condition does not hold, and shows the row if asked to', async () => {
    const { client, skOf } = started();
    await client.send(new PutItemCommand(put('1', isNew)));
    const again = { ...put('1', isNew), Item: row('1', 9), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

    await expect(client.send(new PutItemCommand(again))).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      Item: row('1'),
    });
    expect(await skOf()).toEqual(['1']);
  });

  it.each([
    [1, 'taken'],
    [2, 'refused'],
  ])('that follows version %s of a row in version 1 is %s', async (version, became) => {
    const { client } = started();
    await client.send(new PutItemCommand(put('1')));
    const next = client.send(new PutItemCommand({ ...put('1', follows(version)), Item: row('1', 2) }));

    expect(
      await next.then(
        () => 'taken',
        () => 'refused',
      ),
    ).toBe(became);
  });

  it('of more than 400 KB is refused', async () => {
    const large = { TableName, Item: row('1', 1, 'x'.repeat(400 * 1024)) };

    await expect(started().client.send(new PutItemCommand(large))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });
});

describe('a transaction', () => {
  it('puts and removes together', async () => {
    const { client, skOf } = started();
    await client.send(new PutItemCommand(put('1')));
    const Delete = { TableName, Key: { pk: { S: 'a' }, sk: { S: '1' } } };
    await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: put('2') }, { Delete }] }));

    expect(await skOf()).toEqual(['2']);
  });

  it('does nothing where one condition does not hold, and tells which', async () => {
    const { client, skOf } = started();
    await client.send(new PutItemCommand(put('1')));
    const TransactItems = [{ Put: put('2') }, { Put: put('1', isNew) }];

    await expect(client.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    expect(await skOf()).toEqual(['1']);
  });

  it.each([
    ['more than 100 rows', Array.from({ length: 101 }, (_, index) => ({ Put: put(String(index)) }))],
    ['a row twice', [{ Put: put('1') }, { Put: put('1') }]],
  ])('of %s is refused', async (_, TransactItems) => {
    const { client, skOf } = started();

    await expect(client.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    expect(await skOf()).toEqual([]);
  });
});

describe('a batch', () => {
  const batchOf = (count: number) =>
    new BatchWriteItemCommand({
      RequestItems: {
        [TableName]: Array.from({ length: count }, (_, index) => ({ PutRequest: { Item: row(String(index)) } })),
      },
    });

  it('puts each of its rows', async () => {
    const { client, skOf } = started();
    await client.send(batchOf(25));

    expect(await skOf()).toHaveLength(25);
  });

  it('of more than 25 rows is refused', async () => {
    await expect(started().client.send(batchOf(26))).rejects.toMatchObject({ name: 'ValidationException' });
  });
});

describe('a query', () => {
  it('answers the rows between two keys, in order', async () => {
    const { client, skOf } = started();
    for (const sk of ['3', '1', '2', '4']) await client.send(new PutItemCommand(put(sk)));

    expect(await skOf({ ':from': { S: '2' }, ':to': { S: '3' } })).toEqual(['2', '3']);
  });

  it('is answered page by page of a megabyte', async () => {
    const { client } = started();
    for (const sk of ['1', '2', '3', '4'])
      await client.send(new PutItemCommand({ TableName, Item: row(sk, 1, 'x'.repeat(390 * 1024)) }));
    const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'a' } } };
    const first = await client.send(new QueryCommand(query));
    const second = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: first.LastEvaluatedKey }));

    expect(first.Items?.map(({ sk }) => sk?.S)).toEqual(['1', '2', '3']);
    expect(second.Items?.map(({ sk }) => sk?.S)).toEqual(['4']);
    expect(second.LastEvaluatedKey).toBeUndefined();
  });
});

describe('what is in the tables', () => {
  it('comes back as it was kept, whatever was written since', async () => {
    const { tables, client, skOf } = started();
    await client.send(new PutItemCommand(put('1')));
    tables.keep('one row');
    await client.send(new PutItemCommand(put('2')));
    tables.restore('one row');
    await client.send(new PutItemCommand(put('3')));

    expect(await skOf()).toEqual(['1', '3']);
    tables.restore('one row');
    expect(await skOf()).toEqual(['1']);
  });

  it('is gone where nothing was kept', async () => {
    const { tables, client, skOf } = started();
    await client.send(new PutItemCommand(put('1')));
    tables.restore('nothing');

    expect(await skOf()).toEqual([]);
  });
});

describe('what no function asks', () => {
  it.each([
    ['another operation', 'Scan', {}],
    ['another condition', 'PutItem', put('1', { ConditionExpression: 'size(pk) > :one' })],
    ['another table', 'PutItem', { ...put('1'), TableName: 'others' }],
  ])('is no answer but a fault: %s', (_, operation, body) => {
    expect(() => started().tables.answer({ operation, body: JSON.stringify(body) })).toThrow(
      'The stand-in does not know',
    );
  });
});
