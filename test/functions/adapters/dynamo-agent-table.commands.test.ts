import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { localClient } from '../../../sandbox/local-client.ts';
import { startTcpServer } from '../../support/local-server.ts';
import { scriptedClient } from '../../support/recording-client.ts';

const setUp = (...answers: (() => unknown)[]) => {
  const { client, sent } = scriptedClient<DynamoDBClient>(...answers);
  return { sent, table: dynamoAgentTable({ client, tableName: 'agents', deadlineMs: 1_000 }) };
};

const done = () => ({});

const cancelled = (...codes: string[]) => {
  throw new TransactionCanceledException({
    $metadata: {},
    message: 'cancelled',
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
};

const refusedAs = (name: string) => {
  throw new DynamoDBServiceException({ $metadata: {}, $fault: 'client', name, message: 'refused' });
};

const conditionFailed = () => {
  throw new ConditionalCheckFailedException({ $metadata: {}, message: 'refused' });
};

const agent = { pk: 'demo', sk: 'agent#1' };
const agentItem = { pk: { S: 'demo' }, sk: { S: 'agent#1' } };
const feed = (version: number) => ({ pk: 'demo', sk: 'feed', version });
const feedItem = (version: number) => ({ pk: { S: 'demo' }, sk: { S: 'feed' }, version: { N: String(version) } });
const agentTogether = { puts: [agent], removes: [] };

describe('dynamoAgentTable', () => {
  it('writes a row alone as a plain conditional put: a transaction costs double', async () => {
    const { table, sent } = setUp(done);

    await table.write(feed(1));
    await table.write(feed(8), { puts: [], removes: [] });

    expect(sent).toEqual([
      {
        name: 'PutItemCommand',
        input: { TableName: 'agents', Item: feedItem(1), ConditionExpression: 'attribute_not_exists(pk)' },
      },
      {
        name: 'PutItemCommand',
        input: {
          TableName: 'agents',
          Item: feedItem(8),
          ConditionExpression: 'version = :before',
          ExpressionAttributeValues: { ':before': { N: '7' } },
        },
      },
    ]);
  });

  it('writes other rows with it in one transaction, in which only its own version is a condition', async () => {
    const { table, sent } = setUp(done);

    const removes = [{ pk: 'demo', sk: 'agent#2', state: 'not part of the key' }];
    await table.write(feed(1), { puts: [agent], removes });

    expect(sent).toEqual([
      {
        name: 'TransactWriteItemsCommand',
        input: {
          TransactItems: [
            { Put: { TableName: 'agents', Item: feedItem(1), ConditionExpression: 'attribute_not_exists(pk)' } },
            { Put: { TableName: 'agents', Item: agentItem } },
            { Delete: { TableName: 'agents', Key: { pk: { S: 'demo' }, sk: { S: 'agent#2' } } } },
          ],
        },
      },
    ]);
  });

  it.each([
    ['a row that was there', undefined, conditionFailed],
    ['a row that a transaction is writing', undefined, () => refusedAs('TransactionConflictException')],
    ['a row of a transaction that was there', agentTogether, () => cancelled('ConditionalCheckFailed', 'None')],
    ['a transaction that collides with another write', agentTogether, () => cancelled('None', 'TransactionConflict')],
    ['a transaction still under way', agentTogether, () => refusedAs('TransactionInProgressException')],
  ])('is overtaken by %s', async (_title, together, refusal) => {
    const { table, sent } = setUp(refusal);

    expect(await table.write(feed(2), together)).toBe('overtaken');
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['throttling', undefined, () => refusedAs('ThrottlingException')],
    ['a row that can never be stored', undefined, () => refusedAs('ValidationException')],
    ['a transaction without capacity', agentTogether, () => cancelled('None', 'ThrottlingError')],
    ['a transaction with a row that can never be stored', agentTogether, () => cancelled('None', 'ValidationError')],
    ['a transaction cancelled for no told reason', agentTogether, () => cancelled()],
    ['an error that is not DynamoDB’s', undefined, () => Promise.reject(new TypeError('ECONNREFUSED'))],
  ])('throws for %s, which is nobody’s overtaking', async (_title, together, fault) => {
    await expect(setUp(fault).table.write(feed(2), together)).rejects.toThrow();
  });

  it('reads consistently, page by page', async () => {
    const { table, sent } = setUp(
      () => ({ Items: [agentItem], LastEvaluatedKey: agentItem }),
      () => ({ LastEvaluatedKey: feedItem(1) }),
      () => ({ Items: [feedItem(1)] }),
    );

    expect(await table.rows('demo', { from: 'agent', to: 'feed' })).toEqual([agent, feed(1)]);

    const query = {
      TableName: 'agents',
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': { S: 'demo' }, ':from': { S: 'agent' }, ':to': { S: 'feed' } },
    };
    expect(sent.map(({ input }) => input)).toEqual([
      query,
      { ...query, ExclusiveStartKey: agentItem },
      { ...query, ExclusiveStartKey: feedItem(1) },
    ]);
  });

  it('reads a whole partition by its key alone', async () => {
    const { table, sent } = setUp(done);

    expect(await table.rows('demo')).toEqual([]);
    expect(sent[0]?.input).toEqual({
      TableName: 'agents',
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'demo' } },
    });
  });

  it('ends a call that DynamoDB does not answer at its deadline, whatever is called', async () => {
    const client = new DynamoDBClient(localClient(await startTcpServer(() => undefined)));
    const table = dynamoAgentTable({ client, tableName: 'agents', deadlineMs: 100 });

    const calls = [table.rows('p'), table.write(feed(1)), table.write(feed(1), agentTogether), table.put([agent])];

    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ reason: { name: expect.stringMatching(/^(Abort|Timeout)Error$/) } });
    client.destroy();
  });
});
