import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll } from 'vitest';
import { serveConsole } from '../../../cli/console/serve.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { dynamoVersionedRows } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { accountIndex, accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { recordDelivery } from '../../../lib/calls/record-delivery.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import type { SandboxOptions } from '../../../sandbox/aws/sandbox-options.ts';
import { localClient } from '../../../sandbox/frame/local-aws.ts';
import { createQueue, type QueueOptions } from '../../../sandbox/queue/queue.ts';
import { queueAddress, sqsEndpoint } from '../../../sandbox/queue/sqs-endpoint.ts';
import type { Wire } from '../../../sandbox/simulator/posts.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { awsClients, type Carry, transport } from '../../support/aws-clients.ts';
import { startSharedSandbox, startTestTables } from '../../support/dynamodb-local.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { normalisedRecords } from '../../support/posted-records.ts';
import { eventLines, postCall } from '../../support/sandbox.ts';
import { cli, type Replaced } from './cli-run.ts';

/** The only account of these deployments. */
export const account: Account = {
  userName: 'demo',
  apiKeys: ['demo-key'],
  timeZone: 'Asia/Kolkata',
  token: { kind: 'none' },
};

/** Starts something for the tests of a file, and stops it after them. */
export const forThisFile = async <Started extends { stop(): unknown }>(
  starting: Promise<Started>,
): Promise<Started> => {
  const started = await starting;
  afterAll(() => started.stop());
  return started;
};

/** A console at a free port for the tests of a file. */
export const serveForThisFile = async (settings: Parameters<typeof serveConsole>[0]) => {
  const served = await serveConsole(settings, 0);
  afterAll(() => served.close());
  return served;
};

/** A sandbox for the tests of a file: the command line on it, its clients, and what it publishes. */
export const sandboxForThisFile = async (options: Partial<SandboxOptions> = {}) => {
  const { addresses } = await forThisFile(startSharedSandbox(options));
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const sqs = new SQSClient(localClient(addresses.sqs));
  return {
    addresses,
    dynamodb,
    at: (args: readonly string[], replaced: Replaced = {}) => cli([...args, '--endpoint', addresses.gateway], replaced),
    post: (content: object) => postCall(addresses.callbacks, content),
    put: (TableName: string, row: object) =>
      dynamodb.send(new PutItemCommand({ TableName, Item: marshalled({ ...row }) })),
    send: (QueueUrl: string, MessageBody: string, more: object = {}) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    eventLines: () => eventLines(addresses.events),
  };
};

const nowhere = 'http://127.0.0.1:9';

/** A deployment for commands that end before they call AWS. */
export const stubDeployment = (callsTable = 'calls'): Deployment => ({
  isPolling: true,
  dynamodb: new DynamoDBClient(localClient(nowhere)),
  sqs: new SQSClient(localClient(nowhere)),
  s3: new S3Client(localClient(nowhere)),
  bus: { kind: 'sandbox', eventsAddress: nowhere },
  tables: { calls: callsTable, agents: 'agents', quarantine: 'quarantine' },
  queues: { parking: 'parking', deadLetters: 'dead-letters', reconciliation: 'reconciliation' },
  retention: { callDays: 9, quarantineDays: 9 },
  accounts: async () => accountIndex([{ ...account, baseUrl: 'https://service.invalid' }]),
  fromArchive: () => 'archive',
});

const host = 'http://queues.invalid';

/** Queues where a receive does not wait: none gets messages meanwhile. */
export const withoutWaiting =
  (carry: Carry): Carry =>
  (request) => {
    const atOnce = request.body.toString().replace(/"WaitTimeSeconds":\d+/, '"WaitTimeSeconds":0');
    return carry({ ...request, body: Buffer.from(atOnce) });
  };

/**
 * A deployment without a sandbox, which takes seconds to start: tables in the run's DynamoDB Local, and queues in this
 * process by a clock that the test moves.
 */
export const startDeployment = async () => {
  const tables = await startTestTables();
  const clients = new Set<DynamoDBClient>();
  const time = { nowMs: Date.parse('2026-11-22T09:00:00.000Z') };
  const queueOf = (name: string, redrive?: QueueOptions['redrive']) =>
    createQueue({ name, visibilityMilliseconds: 30_000, now: () => time.nowMs, ...(redrive && { redrive }) });
  const deadLetters = queueOf('dead-letters');
  const queues = {
    parking: queueOf('parking', { maxReceiveCount: 1_000, to: deadLetters }),
    deadLetters,
    recordings: queueOf('recordings'),
    recordingsDeadLetters: queueOf('recordings-dead-letters'),
  };
  const endpoint = sqsEndpoint(Object.values(queues));
  const carry = withoutWaiting(endpoint);
  const accounts = accountIndex([account]);
  const record = recordDelivery({
    rows: dynamoVersionedRows(tables.client, tables.tableNames.calls),
    clock: () => new Date(time.nowMs),
    retentionDays: 9,
  });

  return {
    tables,
    queues,
    now: () => time.nowMs,
    advance(milliseconds: number) {
      time.nowMs += milliseconds;
    },
    /** Each command gets clients of its own, to which a test may add middleware. */
    async connect(): Promise<Deployment> {
      const dynamodb = new DynamoDBClient(localClient(tables.endpoint));
      clients.add(dynamodb);
      return {
        ...stubDeployment(),
        dynamodb,
        sqs: awsClients(() => carry).sqs as never,
        tables: tables.tableNames,
        queues: {
          parking: queueAddress(host, queues.parking.name),
          deadLetters: queueAddress(host, queues.deadLetters.name),
        },
        accounts: async () => accounts,
      };
    },
    /** Writes a row into a table as it is. */
    put: (table: keyof typeof tables.tableNames, row: object) =>
      tables.client.send(new PutItemCommand({ TableName: tables.tableNames[table], Item: marshalled({ ...row }) })),
    /** Stores the records of a post, as the receiver does. */
    async post(...records: readonly object[]) {
      for (const { key, delivery } of normalisedRecords(records, account, new Date(time.nowMs).toISOString())
        .deliveries)
        await record(key, delivery, AbortSignal.timeout(15_000));
    },
    async stop() {
      for (const client of clients) client.destroy();
      await tables.stop();
    },
  };
};

/** The SDK's client of DynamoDB, on the tables of a world. */
export const dynamodbOf = ({ services }: Pick<ReturnType<typeof createMemoryWorld>, 'services'>): DynamoDBClient =>
  new DynamoDBClient({
    ...localClient('http://wire.invalid'),
    requestHandler: transport(() => services.dynamodb),
  });

/** A deployment with tables in memory, whose receiver has got these posts at an instant. */
export const deploymentWith = async (
  account: Account,
  posts: readonly Pick<Wire, 'contentType' | 'body' | 'query'>[],
  now: string,
): Promise<Deployment> => {
  const world = createMemoryWorld({ startedAt: now, accounts: [account], accountsIn: 'environment' });
  const { receive } = world.start();
  for (const { body, query, contentType } of posts)
    await receive(httpApiEvent({ body, query, headers: { 'content-type': contentType } }));
  const dynamodb = dynamodbOf(world);
  const Item = marshalled({ ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) });
  await dynamodb.send(new PutItemCommand({ TableName: 'agents', Item }));
  return { ...stubDeployment(), dynamodb, accounts: async () => accountIndex([account]) };
};
