import { paginateQuery } from '@aws-sdk/client-dynamodb';
import type { Facts } from '../lib/core/collections.ts';
import { marshalled, unmarshalled } from '../lib/storage/attribute-values.ts';
import { callsTable } from '../lib/storage/tables.ts';
import type { Deployment } from './connection/deployment.ts';

/** Whether a row is that of a call or participant. */
export const isCallRow = ({ kind }: Facts): boolean => callsTable.published.some((published) => published === kind);

/** The rows of a call and its participants, by their partition key. */
export const rowsOfCall = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  pk: string,
): Promise<readonly Facts[]> => {
  const query = {
    TableName: tables.calls,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: marshalled({ ':pk': pk }),
  };
  const rows: Facts[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamodb }, query)) rows.push(...Items.map(unmarshalled));
  return rows.filter(isCallRow);
};
