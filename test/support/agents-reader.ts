import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import type { Facts } from '../../lib/record/delivery.ts';
import { itemBytes } from './row-limits.ts';

type Item = Record<string, AttributeValue>;

/** What one request returned, and what it took. */
export interface Read {
  readonly rows: readonly Facts[];
  readonly units: number | undefined;
  readonly next: Item | undefined;
}

const bytesPerUnit = 4096;

/** DynamoDB's price of an eventually consistent read: what is returned, and nothing besides it, in half units of 4 KB. */
const priceOf = (items: readonly Item[]): number =>
  Math.ceil(items.reduce((bytes, item) => bytes + itemBytes(item), 0) / bytesPerUnit) / 2;

/** Reads a table of agents as another service does. Whatever it asks must read no more than it returns. */
export const agentsReader = (client: DynamoDBClient, TableName: string) => ({
  /** One query, or the page of it after `ExclusiveStartKey`. */
  async query(input: Omit<QueryCommandInput, 'TableName'>): Promise<Read> {
    const answer = await client.send(new QueryCommand({ TableName, ReturnConsumedCapacity: 'TOTAL', ...input }));
    const { Items = [], Count, ScannedCount, ConsumedCapacity, LastEvaluatedKey } = answer;
    const units = ConsumedCapacity?.CapacityUnits;

    expect([ScannedCount, Items.length]).toEqual([Count, Count]);
    // By half a unit at most: DynamoDB Local weighs some numbers otherwise than AWS documents.
    expect(Math.abs(Number(units) - priceOf(Items)), 'capacity units').toBeLessThanOrEqual(0.5);
    return { rows: Items.map((item) => unmarshall(item)), units, next: LastEvaluatedKey };
  },
  /** One row. */
  async get(Key: GetItemCommandInput['Key']): Promise<Read> {
    const { Item, ConsumedCapacity } = await client.send(
      new GetItemCommand({ TableName, ReturnConsumedCapacity: 'TOTAL', Key }),
    );
    return {
      rows: Item === undefined ? [] : [unmarshall(Item)],
      units: ConsumedCapacity?.CapacityUnits,
      next: undefined,
    };
  },
});

export type AgentsReader = ReturnType<typeof agentsReader>;
