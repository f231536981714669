import { type AttributeValue, type DynamoDBClient, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Facts } from '../../lib/record/delivery.ts';

/** A key condition by attribute: each must equal its value. */
type Key = Readonly<Record<string, string>>;

const rowsOf = async (
  pages: AsyncIterable<{ readonly Items?: readonly Record<string, AttributeValue>[] | undefined }>,
) => {
  const rows: Facts[] = [];
  for await (const { Items = [] } of pages) rows.push(...Items.map((item) => unmarshall(item)));
  return rows;
};

/** The rows of a table or index under a key, in the order of their sort keys. */
export const rowsUnder = (client: DynamoDBClient, table: string, key: Key, index?: string) => {
  const attributes = Object.entries(key);

  return rowsOf(
    paginateQuery(
      { client },
      {
        TableName: table,
        IndexName: index,
        KeyConditionExpression: attributes.map((_, at) => `#${at} = :${at}`).join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(attributes.map(([name], at) => [`#${at}`, name])),
        ExpressionAttributeValues: Object.fromEntries(attributes.map(([, value], at) => [`:${at}`, { S: value }])),
      },
    ),
  );
};

/** Every row of a table. */
export const allRows = (client: DynamoDBClient, table: string) =>
  rowsOf(paginateScan({ client }, { TableName: table }));
