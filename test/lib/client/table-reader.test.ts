import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Read } from '../../../lib/client/index.ts';
import { allRows, tableKey, tableReader } from '../../../lib/client/table-reader.ts';
import { scriptedClient } from '../../support/recorded-clients.ts';

const rowOf = (sk: string) => ({ pk: { S: 'demo' }, sk: { S: sk } });
const page =
  (sk: string, isLast = false) =>
  () => ({
    Items: [rowOf(sk)],
    ...(!isLast && { LastEvaluatedKey: rowOf(sk) }),
    ConsumedCapacity: { CapacityUnits: 128.5 },
  });
const pause = () => Promise.reject(new Error('Nothing was left unread'));
const query = { ...tableKey, partition: 'demo' };

describe('allRows', () => {
  it('reads every portion, each after the one before', async () => {
    const { client, sent } = scriptedClient<DynamoDBClient>(page('a'), page('b'), page('c'), page('d', true));
    const reads: Read[] = [];
    const reader = tableReader({
      dynamodb: client,
      table: 'agents',
      tableName: 'their-agents',
      onRead: (read) => reads.push(read),
      pause,
    });

    expect((await allRows(reader, query)).map(({ sk }) => sk)).toEqual(['a', 'b', 'c', 'd']);
    expect(sent.map(({ input }) => input)).toEqual(
      [undefined, 'a', 'b', 'c'].map((after) => ({
        TableName: 'their-agents',
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': 'pk' },
        ExpressionAttributeValues: { ':partition': { S: 'demo' } },
        ReturnConsumedCapacity: 'TOTAL',
        ...(after !== undefined && { ExclusiveStartKey: rowOf(after) }),
      })),
    );
    const read = { operation: 'Query', table: 'agents', index: undefined, rows: 1, units: 128.5 };
    expect(reads).toEqual([read, read, read, read]);
  });

  it('passes errors of DynamoDB through, and the signal to every request', async () => {
    const throttled = new Error('throttled');
    const { signal } = new AbortController();
    const options: unknown[] = [];
    const { client } = scriptedClient<DynamoDBClient>(page('a'), () => {
      throw throttled;
    });
    const send = (command: never, given: unknown) => {
      options.push(given);
      return client.send(command);
    };
    const dynamodb = { send } as unknown as typeof client;
    const reader = tableReader({ dynamodb, table: 'calls', tableName: 'calls', onRead: undefined, pause });

    await expect(allRows(reader, query, signal)).rejects.toBe(throttled);
    expect(options).toEqual([{ abortSignal: signal }, { abortSignal: signal }]);
  });
});

describe('the rows of some keys', () => {
  const keys = Array.from({ length: 102 }, (_, index) => ({ pk: String(index), sk: 'call' }));
  const read = ({ input }: { readonly input: unknown }) => {
    const [[TableName, { Keys, ConsistentRead }] = ['', { Keys: [], ConsistentRead: false }]] = Object.entries(
      Object(input).RequestItems as Record<string, { Keys: { pk: { S: string } }[]; ConsistentRead: boolean }>,
    );
    return { TableName, ids: Keys.map(({ pk }) => pk.S), ConsistentRead };
  };
  const answer =
    (found: number, unread: readonly string[] = []) =>
    () => ({
      Responses: { theirs: Array.from({ length: found }, () => rowOf('call')) },
      ...(unread.length > 0 && {
        UnprocessedKeys: { theirs: { Keys: unread.map((pk) => ({ pk: { S: pk }, sk: { S: 'call' } })) } },
      }),
      ConsumedCapacity: [{ CapacityUnits: 1.5 }],
    });

  it('are read a hundred at a time, and what was left unread again after a pause', async () => {
    const { client, sent } = scriptedClient<DynamoDBClient>(answer(98, ['7', '8']), answer(3, ['8']), answer(1));
    const [reads, pauses]: [Read[], number[]] = [[], []];
    const reader = tableReader({
      dynamodb: client,
      table: 'calls',
      tableName: 'theirs',
      onRead: (one) => reads.push(one),
      pause: async (ms) => pauses.push(ms),
    });

    expect(await reader.rows(keys)).toHaveLength(102);
    expect(sent.map(read)).toEqual([
      { TableName: 'theirs', ids: keys.slice(0, 100).map(({ pk }) => pk), ConsistentRead: true },
      { TableName: 'theirs', ids: ['100', '101', '7', '8'], ConsistentRead: true },
      { TableName: 'theirs', ids: ['8'], ConsistentRead: true },
    ]);
    expect(pauses).toEqual([100, 100]);
    expect(reads.map(({ operation, rows, units }) => [operation, rows, units])).toEqual([
      ['BatchGetItem', 98, 1.5],
      ['BatchGetItem', 3, 1.5],
      ['BatchGetItem', 1, 1.5],
    ]);
  });
});
