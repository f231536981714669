import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { type Row, unmarshalled } from '../../lib/storage/rows.ts';

/** Every row of a table as it is now. */
export const allRows = async (client: DynamoDBClient, TableName: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    rows.push(...Items.map(unmarshalled));
  return rows;
};
