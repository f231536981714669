import { type DynamoDBClient, GetItemCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect } from 'vitest';
import type { Row } from '../../lib/storage/rows.ts';

/** Reads a table as another service does. A query must read no more than it returns. */
export const agentsReader = (client: DynamoDBClient, TableName: string) => ({
  /** One query, or the page of it after `ExclusiveStartKey`. */
  async query(input: Omit<QueryCommandInput, 'TableName'>) {
    const { Items = [], ScannedCount, LastEvaluatedKey } = await client.send(new QueryCommand({ TableName, ...input }));

    expect(ScannedCount).toBe(Items.length);
    return { rows: Items.map((item): Row => unmarshall(item)), next: LastEvaluatedKey };
  },
  async row(pk: string, sk: string): Promise<Row | undefined> {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
    return Item && unmarshall(Item);
  },
});

export type AgentsReader = ReturnType<typeof agentsReader>;

/** Everything in a partition. */
export const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: pk } },
});

/** The parts of snapshots up to an instant, newest first. */
export const snapshotAt = (account: string, at: string) => ({
  KeyConditionExpression: 'pk = :pk AND sk <= :at',
  ExpressionAttributeValues: { ':pk': { S: `${account}#floor` }, ':at': { S: `${at}~` } },
  ScanIndexForward: false,
});
