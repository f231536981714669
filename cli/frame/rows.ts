import { ConditionalCheckFailedException, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { partitionKey } from '../../lib/calls/call-keys.ts';
import { marshalled, type Row, type RowKey, unmarshalled } from '../../lib/storage/rows.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import type { Deployment } from './deployment.ts';

/** What reading and writing rows needs of a deployment. */
export type DeployedTables = Pick<Deployment, 'dynamodb' | 'tables'>;

export type RowId = RowKey | { readonly id: string };

export const rowAt = async (
  { dynamodb }: Pick<DeployedTables, 'dynamodb'>,
  TableName: string,
  key: RowId,
): Promise<Row | undefined> => {
  const get = new GetItemCommand({ TableName, Key: marshalled({ ...key }), ConsistentRead: true });
  const { Item } = await dynamodb.send(get);
  return Item && unmarshalled(Item);
};

export const isWritten = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};

/** Nobody waits for a reply, so a slow table gets more time than in the receiver. */
export const storeDeadline = (): AbortSignal => AbortSignal.timeout(15_000);

export const callPorts = ({ dynamodb, tables, retention }: Deployment, clock: () => Date) => ({
  clock,
  rows: dynamoVersionedRows(dynamodb, tables.calls),
  retentionDays: retention.callDays,
});

export const isCallRow = ({ kind }: Row): boolean => callsTable.published.some((published) => published === kind);

export const rowsOfPartition = async ({ dynamodb, tables }: DeployedTables, pk: string): Promise<readonly Row[]> => {
  const query = {
    TableName: tables.calls,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: marshalled({ ':pk': pk }),
  };
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, query)) rows.push(...Items.map(unmarshalled));
  return rows;
};

export interface CallName {
  readonly account: string;
  readonly callId: string;
}

export const rowsOfCall = async (deployment: DeployedTables, { account, callId }: CallName): Promise<readonly Row[]> =>
  (await rowsOfPartition(deployment, partitionKey(account, callId))).filter(isCallRow);
