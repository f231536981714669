import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Read } from '../../client/index.ts';
import { tableKey } from '../../client/query-keys.ts';
import { allRows, tableReader } from '../../client/table-reader.ts';
import { scriptedClient } from '../support/watched-clients.ts';

const itemOf = (sk: string) => ({ pk: { S: 'demo' }, sk: { S: sk } });
const pause = () => Promise.reject(new Error('Nothing was left unread'));
const query = { ...tableKey, partition: 'demo' };

describe('allRows', () => {
  it('passes errors of DynamoDB through, and the signal to every request', async () => {
    const throttled = new Error('throttled');
    const { signal } = new AbortController();
    const options: unknown[] = [];
    const { client } = scriptedClient<DynamoDBClient>(
      () => ({ LastEvaluatedKey: itemOf('a') }),
      () => {
        throw throttled;
      },
    );
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
    const requested: Record<string, { Keys: { pk: { S: string } }[]; ConsistentRead: boolean }> =
      Object(input).RequestItems;
    return Object.entries(requested).map(([TableName, { Keys, ConsistentRead }]) => ({
      TableName,
      ids: Keys.map(({ pk }) => pk.S),
      ConsistentRead,
    }));
  };
  const answer =
    (found: number, unread: readonly string[] = []) =>
    () => ({
      Responses: { theirs: Array.from({ length: found }, () => itemOf('call')) },
      ...(unread.length > 0 && {
        UnprocessedKeys: { theirs: { Keys: unread.map((pk) => ({ pk: { S: pk }, sk: { S: 'call' } })) } },
      }),
      ConsumedCapacity: [{ CapacityUnits: 1.5 }],
    });

  it('are read a hundred at a time, and what was left unread again after a pause', async () => {
    const { client, sent } = scriptedClient<DynamoDBClient>(answer(98, ['7', '8']), answer(3, ['8']), answer(1));
    const reads: Read[] = [];
    const pauses: number[] = [];
    const reader = tableReader({
      dynamodb: client,
      table: 'calls',
      tableName: 'theirs',
      onRead: (one) => reads.push(one),
      pause: async (ms) => pauses.push(ms),
    });

    expect(await reader.rows(keys)).toHaveLength(102);
    expect(sent.flatMap(read)).toEqual([
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
