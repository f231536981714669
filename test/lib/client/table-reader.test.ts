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
    const reader = tableReader({ dynamodb, table: 'calls', tableName: 'calls', onRead: undefined });

    await expect(allRows(reader, query, signal)).rejects.toBe(throttled);
    expect(options).toEqual([{ abortSignal: signal }, { abortSignal: signal }]);
  });
});
