import { setTimeout as pause } from 'node:timers/promises';
import type { BatchWriteItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { dynamoAgentTable } from '../../../functions/adapters/dynamo-agent-table.ts';
import { scriptedClient } from '../../support/watched-clients.ts';

describe('dynamoAgentTable', () => {
  const setUp = (...answers: (() => unknown)[]) => {
    const { client, sent } = scriptedClient<DynamoDBClient>(...answers);
    return { sent, table: dynamoAgentTable({ client, tableName: 'agents', deadlineMs: 50_000 }) };
  };

  const agent = { pk: 'demo', sk: 'agent#1' };
  const agentItem = { pk: { S: 'demo' }, sk: { S: 'agent#1' } };
  const feed = (version: number) => ({ pk: 'demo', sk: 'feed', version });
  const feedItem = (version: number) => ({ pk: { S: 'demo' }, sk: { S: 'feed' }, version: { N: String(version) } });

  it('reads consistently, page by page', async () => {
    const { table, sent } = setUp(
      () => ({ Items: [agentItem], LastEvaluatedKey: agentItem }),
      () => ({ LastEvaluatedKey: feedItem(1) }),
      () => ({ Items: [feedItem(1)] }),
    );

    expect(await table.query('demo', { from: 'agent', to: 'feed' })).toEqual([agent, feed(1)]);

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
});

describe('dynamoAgentTable, for rows that are put or removed', () => {
  type Requests = NonNullable<BatchWriteItemCommandInput['RequestItems']>[string];

  /** A table of which `answer` is told each batch, and how many are under way with it. */
  const setUp = (answer: (batch: Requests, call: number) => Promise<Requests> | Requests, deadlineMs = 50_000) => {
    const seen = { batches: [] as Requests[], underWay: 0, mostUnderWay: 0 };
    const send = async ({ input }: { readonly input: BatchWriteItemCommandInput }) => {
      const batch = input.RequestItems?.['agents'] ?? [];
      seen.batches.push(batch);
      seen.underWay++;
      seen.mostUnderWay = Math.max(seen.mostUnderWay, seen.underWay);
      const unwritten = await Promise.resolve(answer(batch, seen.batches.length)).finally(() => seen.underWay--);
      return unwritten.length === 0 ? {} : { UnprocessedItems: { agents: unwritten } };
    };
    const client = { send } as unknown as Pick<DynamoDBClient, 'send'>;
    return { seen, table: dynamoAgentTable({ client, tableName: 'agents', deadlineMs }) };
  };

  const rows = (number: number, text = 'x') =>
    Array.from({ length: number }, (_, index) => ({ pk: 'demo', sk: `agent#${index}`, text }));

  const sizes = (batches: readonly Requests[]) => batches.map(({ length }) => length);

  const takesAll = async () => {
    await pause(1);
    return [];
  };

  it('sends 25 rows a call, some calls at a time', async () => {
    const { table, seen } = setUp(takesAll);

    await table.put(rows(1_030));

    expect(sizes(seen.batches)).toEqual([...Array.from({ length: 41 }, () => 25), 5]);
    expect(seen.mostUnderWay).toBe(16);
    expect(new Set(seen.batches.flat().map(({ PutRequest }) => PutRequest?.Item?.['sk']?.S)).size).toBe(1_030);
  });

  it('sends at most half of the 16 MB that a call may have', async () => {
    const { table, seen } = setUp(takesAll);

    await table.put(rows(50, 'é'.repeat(190_000)));

    expect(seen.batches.flat()).toHaveLength(50);
    for (const batch of seen.batches) expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(8_100_000);
  });

  it('sends only the rows again that a successful call left unwritten', async () => {
    const { table, seen } = setUp((batch, call) => (call <= 2 ? batch.slice(0, -5) : []));

    await table.put(rows(12));

    expect(sizes(seen.batches)).toEqual([12, 7, 2]);
    expect(seen.batches[2]).toEqual(seen.batches[0]?.slice(0, 2));
  });

  it('throws if rows are still unwritten at the deadline', async () => {
    const { table } = setUp((batch) => batch.slice(0, 3), 200);

    await expect(table.put(rows(12))).rejects.toThrow('DynamoDB left 3 of 12 rows unwritten');
  });

  it('after a failure starts nothing more, and throws when nothing is in flight', async () => {
    const { table, seen } = setUp(async (_batch, call) => {
      if (call === 3) throw new Error('throttled');
      await pause(50);
      return [];
    });

    await expect(table.put(rows(2_000))).rejects.toThrow('throttled');
    expect(seen.underWay).toBe(0);
    expect(seen.batches.length).toBe(16);
  });
});
