import { AthenaClient } from '@aws-sdk/client-athena';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { type AttributeValue, DynamoDBClient, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Row } from '../../../lib/storage/rows.ts';
import { until } from '../../support/process-tree.ts';

export const region = 'us-east-1';

/** MiniStack's account, and the key of its root user, who may do everything. The functions' roles may not. */
export const awsAccount = '000000000000';
export const rootKey = { accessKeyId: 'test', secretAccessKey: 'test' };

export const clientsAt = (endpoint: string) => {
  const settings = { endpoint, region, credentials: rootKey };

  return {
    athena: new AthenaClient(settings),
    cloudFormation: new CloudFormationClient(settings),
    dynamodb: new DynamoDBClient(settings),
    eventBridge: new EventBridgeClient(settings),
    lambda: new LambdaClient(settings),
    logs: new CloudWatchLogsClient(settings),
    secrets: new SecretsManagerClient(settings),
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    sqs: new SQSClient(settings),
  };
};

export type Clients = ReturnType<typeof clientsAt>;

/** A key condition by attribute: each must equal its value. */
type Key = Readonly<Record<string, string>>;

const rowsOf = async (
  pages: AsyncIterable<{ readonly Items?: readonly Record<string, AttributeValue>[] | undefined }>,
) => {
  const rows: Row[] = [];
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

/** The rows of a table, in the order of their keys. */
export const allRows = async (client: DynamoDBClient, table: string) =>
  (await rowsOf(paginateScan({ client }, { TableName: table }))).toSorted((one, other) =>
    keyOf(one).localeCompare(keyOf(other)),
  );

const keyOf = ({ id, pk, sk }: Row): string => String(id ?? `${pk} ${sk}`);

type Variables = Readonly<Record<string, string>>;

/** Runs something while a function's environment has other values, and restores the former values in any case. */
export const withEnvironment = async (
  { lambda }: Clients,
  FunctionName: string,
  changed: Variables,
  act: () => Promise<void>,
): Promise<void> => {
  const configuration = () => lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const set = async (variables: Variables): Promise<void> => {
    const Environment = { Variables: { ...variables } };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
    await until(
      `the settings of ${FunctionName} are in force`,
      async () => (await configuration()).LastUpdateStatus,
      (status) => status === 'Successful',
    );
  };

  const original = (await configuration()).Environment?.Variables ?? {};
  await set({ ...original, ...changed });
  try {
    await act();
  } finally {
    await set(original);
  }
};
