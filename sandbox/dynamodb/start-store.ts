import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Key, Table } from '../../lib/storage/tables.ts';
import { type AwsJson, failure } from '../frame/aws-json.ts';
import { type FaultAnswers, type FaultBoard, withFaults } from '../frame/faults.ts';
import type { Closers } from '../frame/lifecycle.ts';
import {
  localAccessKey,
  localClient,
  localRegion,
  sandboxTables,
  type Tables,
  tableNames,
} from '../frame/local-aws.ts';
import { type Answer, type Handle, serve } from '../frame/serve.ts';
import { accessKeyOf } from './access-key.ts';
import { startDynamodb } from './start-dynamodb.ts';

interface StoreOptions {
  /** At which readers find the tables. */
  readonly port: number;
  /** Created if missing. Without it all data stays in memory. */
  readonly dataFolder: string | undefined;
}

/** Functions use `faultyUrl`. Both proxies ask with the key of the tables, whatever key they are asked with. */
export const startStore = async ({ port, dataFolder }: StoreOptions, board: FaultBoard, closers: Closers) => {
  const accessKey = accessKeyOf(dataFolder);
  const dynamodb = await startDynamodb(dataFolder);
  closers.add(dynamodb.stop);

  const client = new DynamoDBClient(localClient(dynamodb.endpoint, accessKey));
  closers.add(() => client.destroy());
  await createTables(client, sandboxTables);
  const { calls, agents } = tableNames;
  const streamArns = { calls: await streamArn(client, calls), agents: await streamArn(client, agents) };

  const forward = forwardTo(dynamodb.endpoint, accessKey);
  closers.add(forward.close);
  const readers = await serve(forward, { number: port, flag: '--dynamodb-port' });
  closers.add(readers.close);
  const proxy = await serve(withFaults(board, 'dynamodb', dynamodbFaults, forward));
  closers.add(proxy.close);

  return { url: readers.url, faultyUrl: proxy.url, streamArns, ended: dynamodb.ended };
};

export type Store = Awaited<ReturnType<typeof startStore>>;

const streamArn = async (client: DynamoDBClient, TableName: string): Promise<string> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.LatestStreamArn === undefined)
    throw new Error(`The stored table ${TableName} has no stream. Choose another --data folder.`);
  return Table.LatestStreamArn;
};

const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)));

/** DynamoDB Local takes the access key and the region from this header, and checks no signature. */
const authorizationOf = (accessKey: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/${localRegion}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`;

/** Forwards requests of any credentials, or none, as those of the access key. */
export const forwardTo = (endpoint: string, accessKey = localAccessKey): Handle & { close(): void } => {
  const agent = new Agent({ keepAlive: true });
  const authorization = authorizationOf(accessKey);

  const forward: Handle = ({ method, path, headers, body }) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = { ...endToEnd(headers), authorization };
      request(new URL(path, endpoint), { method, agent, headers: sent }, (incoming) => {
        const { statusCode: status = 502, headers } = incoming;
        buffer(incoming).then((body) => resolve({ status, headers: endToEnd(headers), body }), reject);
      })
        .once('error', reject)
        .end(body);
    });

  return Object.assign(forward, { close: () => agent.destroy() });
};

const version = '20120810';
const namespace = `com.amazonaws.dynamodb.v${version}`;
const dynamodb: AwsJson = { version: '1.0', service: `DynamoDB_${version}`, namespace };

const overThroughput = 'The level of configured provisioned throughput for the table was exceeded.';
export const dynamodbFaults: FaultAnswers = {
  throttle: failure(dynamodb, 400, 'ProvisionedThroughputExceededException', overThroughput),
  error: failure(dynamodb, 500, 'InternalServerError', 'Internal server error'),
};

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
