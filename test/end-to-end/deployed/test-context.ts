import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
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
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/json.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import type { Simulator } from '../../../sandbox/simulator/index.ts';
import { until } from '../../support/process-tree.ts';
import type { Outputs } from './deployment.ts';

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

/** A callback as the telephony service sends it, as text: JavaScript cannot hold the digits of its ids. */
export const example = (name: 'call-summary' | 'with-disposition' | 'poorer-copy' | 'advanced-callback'): string =>
  readFileSync(join(import.meta.dirname, '../../../sandbox/examples', `${name}.json`), 'utf8');

export const account = { userName: 'demo', apiKey: 'demo-key' };

/** The one host whose recordings are archived. No example has recordings there. */
export const recordingHost = 'archive.example.com';

/** The personal data of the examples: numbers, names, a comment, recordings. */
export const personalTexts = ['090000000', 'Asha', 'Ravi', 'Wants a call back', 'recordings.example.com'];

export const callSummary = (callId: string): string =>
  JSON.stringify({
    monitorUCID: callId,
    UserName: account.userName,
    Apikey: account.apiKey,
    Type: 'Inbound',
    Status: 'Answered',
    AgentID: 'asha',
    CallerID: '09000000044',
    StartTime: '2026-11-20 12:00:00',
    EndTime: '2026-11-20 12:02:00',
    CallDuration: '00:02:00',
  });

/** The events that a subscriber gets, by their cause: type, call or agent, revision or version. */
export const expectedEvents = {
  ofPosts: [
    'Call Summary Recorded 12345678901234567890 1',
    'Call Summary Revised 12345678901234567890 2',
    'Call Summary Recorded 41781234567890123 1',
    'Call Participant Recorded 41781234567890123 1',
  ],
  ofAgents: [
    'Agent Logged In asha 1',
    'Agent State Changed asha 2',
    'Agent Logged In ravi 1',
    'Agent Logged Out ravi 2',
  ],
  ofRecordings: ['Call Summary Recorded 51781234567890010 1', 'Call Recording Archived 51781234567890010 1'],
  ofParked: ['Call Summary Recorded 51781234567890001 1'],
  ofForwarded: [
    'Call Summary Recorded 51781234567890005 1',
    'Call Summary Revised 51781234567890005 2',
    'Call Summary Recorded 51781234567890006 1',
    'Call Participant Recorded 51781234567890006 1',
  ],
  ofRelease: ['Call Summary Recorded 51781234567890004 1'],
  ofNextVersion: ['Call Summary Recorded 51781234567890003 1'],
} as const;

export interface TestContext {
  /** The address of the emulated AWS. */
  readonly endpoint: string;
  readonly clients: Clients;
  readonly outputs: Outputs;
  readonly api: CallbackApi;
  readonly simulator: Simulator;
  readonly subscriber: Subscriber;
}

/** The answer of the deployed API. `body` is a JSON value, or the text if it is not JSON. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface CallbackApi {
  /** Posts JSON text as the telephony service does, in the form field `data`. */
  readonly post: (json: string, path?: string) => Promise<Answer>;
  readonly get: (path: string) => Promise<Answer>;
}

/** The API at its address. MiniStack finds the API by the header Host, since no name server knows its name. */
export const callbackApi = (url: string, endpoint: string): CallbackApi => {
  const { host } = new URL(url);

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { host, ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) };
      // Not `new URL(path, endpoint)`, in which a path with two slashes at its beginning is a host.
      const sent = request(`${endpoint}${path}`, { method, headers }, (response) => {
        response
          .setEncoding('utf8')
          .toArray()
          .then((parts) => {
            const text = parts.join('');
            resolve({ status: response.statusCode ?? 0, body: tryParseJson(text) ?? text });
          }, reject);
      });
      sent.on('error', reject).end(body);
    });

  return {
    post: (json, path = '/callDetails') => send('POST', path, new URLSearchParams({ data: json }).toString()),
    get: (path) => send('GET', path),
  };
};

export const Event = z.object({
  id: z.string(),
  source: z.string(),
  'detail-type': z.string(),
  detail: z.looseObject({ id: z.string() }),
});

export type Event = Readonly<z.infer<typeof Event>>;

export interface Subscriber {
  readonly events: () => Promise<readonly Event[]>;
}
