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
import type { Facts } from '../../lib/core/collections.ts';
import { itemBytes } from './dynamodb-limits.ts';

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

/** Everything in a partition. */
export const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** Who is in a state. */
export const inState = (key: string) => ({
  IndexName: 'byState',
  KeyConditionExpression: 'agentsInState = :key',
  ExpressionAttributeValues: { ':key': { S: key } },
});

/** The parts of floors that were kept up to a moment, newest first. */
export const snapshotAt = (account: string, moment: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk <= :moment',
  ExpressionAttributeValues: { ':pk': { S: `${account}#floor` }, ':moment': { S: `${moment}~` } },
  ScanIndexForward: false,
});

const between = (pk: string, from: string, to: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
  ExpressionAttributeValues: { ':pk': { S: pk }, ':from': { S: from }, ':to': { S: to } },
});

/** An agent's pieces of time. BETWEEN includes both of its ends, and a stretch begins at the next midnight. */
export const intervalsOf = (agentId: string, from: string, to: string) => between(`demo#agent#${agentId}`, from, to);

/** What became of the feed. */
export const feedChanges = (from: string, to: string) => between('demo#feed', from, to);
