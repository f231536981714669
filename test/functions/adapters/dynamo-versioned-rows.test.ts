import {
  type BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { dynamoVersionedRows, readRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { startTestTables, type TestTables } from '../../support/dynamodb-local.ts';
import { generousDeadline } from '../../support/memory-ports.ts';
import { memoryVersionedRows } from '../../support/memory-versioned-rows.ts';
import { scriptedClient } from '../../support/recorded-clients.ts';
import { versionedRowsContract } from './versioned-rows-contract.ts';

describe('versioned rows', () => {
  let tables: TestTables;

  beforeAll(async () => {
    tables = await startTestTables();
  });

  afterAll(() => tables.stop());

  versionedRowsContract('dynamoVersionedRows', () => {
    const { client, tableNames } = tables;
    const { query } = dynamoAgentTable({ client, tableName: tableNames.agents, deadlineMs: 15_000 });
    return { ...dynamoVersionedRows(client, tableNames.agents), read: query };
  });

  versionedRowsContract('memoryVersionedRows', () => {
    const rows = memoryVersionedRows();
    return { ...rows, read: async (pk) => rows.select((key) => key.pk === pk) };
  });
});

describe('dynamoVersionedRows', () => {
  const row = (version: number) => ({ pk: 'demo', sk: 'main', version });
  const item = (version: number) => ({ pk: { S: 'demo' }, sk: { S: 'main' }, version: { N: String(version) } });
  const alone = { puts: [], removes: [] };
  const withOther = { puts: [{ pk: 'demo', sk: 'other' }], removes: [] };

  const put = async (version: number, alongside: typeof withOther, answer: () => unknown = () => ({})) => {
    const { client, sent } = scriptedClient<DynamoDBClient>(answer);
    return {
      result: await dynamoVersionedRows(client, 't').putNextVersion(row(version), alongside, generousDeadline()),
      sent,
    };
  };

  const ifNew = { ConditionExpression: 'attribute_not_exists(pk)' };
  const ifVersion7 = {
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': { N: '7' } },
  };

  it.each([
    [1, ifNew],
    [8, ifVersion7],
  ])(
    'writes version %i of a row alone as a plain conditional put: a transaction costs double',
    async (version, condition) => {
      const { result, sent } = await put(version, alone);

      const input = {
        TableName: 't',
        Item: item(version),
        ...condition,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      expect(result).toEqual({ kind: 'written' });
      expect(sent).toEqual([{ name: 'PutItemCommand', input }]);
    },
  );

  it('writes other rows with it in one transaction, whose only condition is the row’s version', async () => {
    const removes = [{ pk: 'demo', sk: 'old', state: 'not part of the key' }];
    const { sent } = await put(8, { ...withOther, removes } as never);

    const conditional = {
      TableName: 't',
      Item: item(8),
      ...ifVersion7,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
    expect(sent).toEqual([
      {
        name: 'TransactWriteItemsCommand',
        input: {
          TransactItems: [
            { Put: conditional },
            { Put: { TableName: 't', Item: { pk: { S: 'demo' }, sk: { S: 'other' } } } },
            { Delete: { TableName: 't', Key: { pk: { S: 'demo' }, sk: { S: 'old' } } } },
          ],
        },
      },
    ]);
  });

  const metadata = { $metadata: {}, message: 'rejected' };

  const failure = (name: string) => () => {
    throw new DynamoDBServiceException({ ...metadata, $fault: 'client', name });
  };

  const conditionFailed = (Item?: ReturnType<typeof item>) => () => {
    throw new ConditionalCheckFailedException({ ...metadata, ...(Item && { Item }) });
  };

  const cancelled =
    (...reasons: readonly (string | { readonly Code: string; readonly Item: ReturnType<typeof item> })[]) =>
    () => {
      const CancellationReasons = reasons.map((reason) => (typeof reason === 'string' ? { Code: reason } : reason));
      throw new TransactionCanceledException({ ...metadata, CancellationReasons });
    };

  it.each([
    ['a row that is there', alone, conditionFailed(item(5)), row(5)],
    ['a row that was there and is gone', alone, conditionFailed(), undefined],
    ['a row that a transaction is writing', alone, failure('TransactionConflictException'), undefined],
    [
      'a row that is there, in a transaction',
      withOther,
      cancelled({ Code: 'ConditionalCheckFailed', Item: item(5) }, 'None'),
      row(5),
    ],
    ['a row that is gone, in a transaction', withOther, cancelled('ConditionalCheckFailed', 'None'), undefined],
    ['a transaction that collides with another write', withOther, cancelled('None', 'TransactionConflict'), undefined],
    ['the same transaction, still in progress', withOther, failure('TransactionInProgressException'), undefined],
  ])('conflicts with %s, after one call', async (_title, alongside, answer, shown) => {
    const { result, sent } = await put(2, alongside, answer);

    expect(result).toEqual({ kind: 'conflict', row: shown });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['a put', alone, failure('ValidationException')],
    ['a transaction', withOther, cancelled('None', 'ValidationError')],
  ])('rejects %s that DynamoDB can never accept', async (_title, alongside, answer) => {
    expect((await put(2, alongside, answer)).result).toEqual({ kind: 'rejected' });
  });

  it.each([
    ['throttling', alone, failure('ThrottlingException')],
    ['a transaction without capacity', withOther, cancelled('None', 'ThrottlingError')],
    ['a transaction cancelled without a reason', withOther, cancelled()],
    ['an error that is not DynamoDB’s', alone, () => Promise.reject(new TypeError('ECONNREFUSED'))],
  ])('throws for %s', async (_title, alongside, answer) => {
    await expect(put(2, alongside, answer)).rejects.toThrow();
  });
});

describe('readRows', () => {
  it('reads a hundred keys a call, and those again that DynamoDB left unread', async () => {
    const keys = Array.from({ length: 101 }, (_, index) => ({ pk: String(index), sk: 'call' }));
    const asked: number[] = [];
    const client = {
      send: async ({ input }: BatchGetItemCommand) => {
        const Keys = input.RequestItems?.['calls']?.Keys ?? [];
        asked.push(Keys.length);
        const isFirst = asked.length === 1;
        return {
          Responses: { calls: isFirst ? Keys.slice(3) : Keys },
          ...(isFirst && { UnprocessedKeys: { calls: { Keys: Keys.slice(0, 3) } } }),
        };
      },
    };

    const rows = await readRows(client as never, 'calls')(keys, generousDeadline());
    expect(asked).toEqual([100, 3, 1]);
    expect(new Set(rows.map(({ pk }) => pk))).toEqual(new Set(keys.map(({ pk }) => pk)));
  });
});
