import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Key, Table } from '../../lib/storage/tables.ts';

export type Tables = Readonly<Record<string, Table>>;

/** Creates the tables that do not exist yet. Tables of an earlier run stay, and get the indexes that they lack. */
export const createTables = async (client: DynamoDBClient, tables: Tables): Promise<void> => {
  await Promise.all(Object.entries(tables).map(([name, table]) => createTable(client, name, table)));
};

const createTable = async (client: DynamoDBClient, name: string, table: Table): Promise<void> => {
  try {
    await client.send(new CreateTableCommand(createTableInput(name, table)));
  } catch (error) {
    if (error instanceof ResourceInUseException) return addIndexes(client, name, table);
    throw error;
  }
  const TimeToLiveSpecification = { AttributeName: table.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
};

/** DynamoDB makes one index an update, and takes the next update when that index is ready. */
const addIndexes = async (client: DynamoDBClient, name: string, table: Table): Promise<void> => {
  const { Table: existing } = await client.send(new DescribeTableCommand({ TableName: name }));
  const present = new Set(existing?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  const { AttributeDefinitions, GlobalSecondaryIndexes = [] } = createTableInput(name, table);
  for (const Create of GlobalSecondaryIndexes.filter(({ IndexName }) => !present.has(IndexName))) {
    const GlobalSecondaryIndexUpdates = [{ Create }];
    await client.send(new UpdateTableCommand({ TableName: name, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
    await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 60 }, { TableName: name });
  }
};

export const createTableInput = (name: string, table: Table): CreateTableCommandInput => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: keySchema(table.key),
  AttributeDefinitions: attributesOf(table).map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  ...(table.published.length > 0 && {
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  }),
  ...(table.indexes.length > 0 && {
    GlobalSecondaryIndexes: table.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.key),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.projection] },
    })),
  }),
});

const keySchema = ({ partition, sort }: Key): KeySchemaElement[] => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' } as const]),
];

const attributesOf = ({ key, indexes }: Table): string[] => {
  const keys: readonly Key[] = [key, ...indexes.map((index) => index.key)];
  return [...new Set(keys.flatMap(({ partition, sort }) => (sort === undefined ? [partition] : [partition, sort])))];
};
