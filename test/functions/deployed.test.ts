import type { IncomingMessage } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { FunctionName } from '../../functions/timeouts.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import type { Answer } from '../../sandbox/http/serve.ts';
import { applyEnvironment, functionEnvironment } from '../../sandbox/lambda/function-environment.ts';
import { captureFunctionOutput, loadFunction } from '../../sandbox/lambda/runtime.ts';
import { sqsRecord } from '../../sandbox/queue/queue-reader.ts';
import { queueUrl } from '../../sandbox/queue/sqs-endpoint.ts';
import { accountsSecretArn } from '../deployment/environment.ts';
import { noFault } from '../deployment/fault.ts';
import { createMemoryWorld } from '../deployment/memory-world.ts';
import { call, postedValue } from '../deployment/telephony.ts';
import { tokenAccount } from '../fixtures/accounts.ts';
import { keyedDelivery, summaryWith } from '../support/call-records.ts';
import { formOf, httpApiEvent } from '../support/http-api-event.ts';
import { startHttpServer } from '../support/local-servers.ts';
import { watchedLimits } from '../support/watched-limits.ts';

const startedAt = '2026-11-20T06:00:01.000Z';
const folder = new URL('../../functions/', import.meta.url);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

interface Sender {
  readonly config: {
    readonly maxAttempts: () => Promise<number>;
    readonly requestHandler: { readonly httpHandlerConfigs: () => object };
    readonly serviceId: string;
  };
}

/** The clients of AWS that send something, with their settings, and the commands that have no limit of their own. */
const watchedClients = () => {
  const senders = new Set<Sender['config']>();
  const unlimited = new Set<string>();
  const { prototype } = Object.getPrototypeOf(DynamoDBClient);
  const send: (...args: unknown[]) => unknown = prototype.send;
  vi.spyOn(prototype, 'send').mockImplementation(function (this: Sender, ...args: unknown[]) {
    const [command, options] = args;
    senders.add(this.config);
    if (Object(options).abortSignal === undefined) unlimited.add(Object(command).constructor.name);
    return send.apply(this, args);
  });
  const settings = async () => {
    const all: Record<string, object> = {};
    for (const { maxAttempts, requestHandler, serviceId } of senders) {
      const { connectionTimeout, requestTimeout, throwOnRequestTimeout } = Object(requestHandler.httpHandlerConfigs());
      all[serviceId] = { attempts: await maxAttempts(), connectionTimeout, requestTimeout, throwOnRequestTimeout };
    }
    return all;
  };
  return { settings, unlimited: () => [...unlimited] };
};

const services = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  secretsmanager: 'secrets',
  AWSEvents: 'eventbridge',
} as const;

const isService = (name: string): name is keyof typeof services => Object.hasOwn(services, name);

type Part = 'table' | 'receiver' | 'host';

const reported = {
  CallID: '7',
  CallDate: '2026-11-19',
  StartTime: '10:00:00',
  EndTime: '10:01:00',
  Status: 'Answered',
};

/** What other parts than AWS answer, by the beginning of the path. */
const answersWithout = (down: readonly Part[]): Readonly<Record<string, Pick<Answer, 'status' | 'body'>>> => ({
  ca_apis: { status: 200, body: '{"status":"success","message":[],"token":"t"}' },
  ca_reports: { status: 200, body: JSON.stringify({ status: 'success', totalCount: 1, details: [reported] }) },
  receiver: { status: down.includes('receiver') ? 500 : 200 },
  s3: { status: 200 },
  recording: down.includes('host') ? { status: 404 } : { status: 200, body: Buffer.alloc(1_000, 0xff) },
});

/** AWS, the telephony service, a receiver and a host of recordings at one address. `down` has those that fail. */
const startSurroundings = async (down: readonly Part[]) => {
  const requests: string[] = [];
  const answers = answersWithout(down);
  const answerTo = async (request: IncomingMessage): Promise<Pick<Answer, 'status' | 'body'>> => {
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const [service = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
    if (isService(service)) {
      // Each service has an address of its own, as in the sandbox.
      if (!path.startsWith(`/${services[service]}`)) return { status: 404 };
      requests.push(operation);
      const isDown = service === 'DynamoDB_20120810' && down.includes('table');
      return isDown ? { status: 500 } : world.services[services[service]]({ method, path, headers, body });
    }
    // A function opens its connection so.
    if (method === 'GET' && path === '/') return { status: 200 };
    const place = Object.keys(answers).find((name) => path.startsWith(`/${name}`)) ?? 'recording';
    requests.push(`${method} ${place}`);
    return answers[place] ?? { status: 404 };
  };
  const { url } = await startHttpServer(async (request, response) => {
    const { status, body = '' } = await answerTo(request);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', etag: '"1"' }).end(body);
  });
  const accounts = [{ ...tokenAccount, baseUrl: url, forwardTo: [`${url}/receiver`] }];
  const world = createMemoryWorld({ startedAt, accounts, accountsIn: 'secret' });
  return { world, url, requests };
};

type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

/** A piece of work that a function does again and again. */
interface Work {
  readonly name: FunctionName;
  readonly down?: readonly Part[];
  readonly prepare?: (around: Surroundings) => Promise<unknown>;
  /** The event that brings it for the first or the second time. */
  readonly event: (around: Surroundings, time: number) => unknown;
  /** What it sends, each once and sorted, and the limits that it sets for that, in milliseconds. */
  readonly requests: readonly string[];
  readonly limits: readonly number[];
}

/** The limits that are deployed, as numbers: whoever changes one changes it here too. */
const [accountsMs, tableMs, queueMs, parkingMs] = [1_500, 2_500, 2_500, 3_000];
const [serviceMs, reportMs, pageMs, receiverMs, recordingMs] = [4_000, 20_000, 25_000, 10_000, 300_000];

const postOf = (id: number, host = 'recordings.example.com') =>
  httpApiEvent({
    body: formOf(postedValue(call({ monitorUCID: String(id), AudioFile: `https://${host}/${id}.mp3` }).answered())),
  });

/** Two calls are stored. */
const stored =
  (host?: string) =>
  async ({ world }: Surroundings) => {
    const { receive } = world.start(noFault);
    for (const id of [1, 2]) await receive(postOf(id, host));
  };

/** Two calls are stored, and their deliveries are in the queue of forwarding. */
const queued = async (around: Surroundings) => {
  await stored()(around);
  for (const time of [1, 2]) await around.world.start(noFault).forward(changeOf(around, time) as never);
};

const changeOf = ({ world }: Surroundings, time: number) => {
  const row = world.rows('calls').find(({ kind, callId }) => kind === 'call' && callId === String(time));
  return { Records: [{ dynamodb: { SequenceNumber: '1', NewImage: marshalled(row ?? {}) } }] };
};

const message = (body: unknown) => ({
  Records: [{ messageId: 'm', receiptHandle: 'r', body: JSON.stringify(body), attributes: {} }],
});

const queuedDelivery = ({ world }: Surroundings) => ({
  Records: world.forwarding.receive(1).map((one) => sqsRecord(world.forwarding.name, one)),
});

const recordingMessage = (_around: Surroundings, time: number) => message({ account: 'demo', callId: String(time) });

const works: Readonly<Record<string, Work>> = {
  'stores a callback': {
    name: 'receive-callback',
    event: (_around, time) => postOf(time),
    requests: ['GetSecretValue', 'PutItem'],
    limits: [accountsMs, tableMs],
  },
  'parks a callback': {
    name: 'receive-callback',
    down: ['table'],
    event: (_around, time) => postOf(time),
    requests: ['GetSecretValue', 'PutItem', 'SendMessageBatch'],
    limits: [accountsMs, tableMs, parkingMs],
  },
  'stores what was parked': {
    name: 'recover-callbacks',
    event: (_around, time) =>
      message({ kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: String(time) })) }),
    requests: ['PutItem'],
    limits: [tableMs],
  },
  'publishes a change': {
    name: 'publish-changes',
    prepare: stored(),
    event: changeOf,
    requests: ['PutEvents', 'UpdateItem'],
    limits: [tableMs],
  },
  'polls the agents': {
    name: 'poll-agents',
    event: () => ({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] }),
    requests: ['BatchWriteItem', 'GetSecretValue', 'POST ca_apis', 'PutItem', 'Query', 'TransactWriteItems'],
    limits: [accountsMs, tableMs, serviceMs],
  },
  'begins a reconciliation': {
    name: 'reconcile-calls',
    event: () => message({ kind: 'all' }),
    requests: ['GetSecretValue', 'SendMessage'],
    limits: [accountsMs, queueMs],
  },
  'reads a day of the report': {
    name: 'reconcile-calls',
    event: (_around, time) => message({ kind: 'start', account: 'demo', run: String(time), days: ['2026-11-19'] }),
    requests: ['BatchGetItem', 'GET ca_reports', 'GetSecretValue', 'PutItem', 'Query'],
    limits: [accountsMs, tableMs, reportMs, pageMs],
  },
  'queues a delivery': {
    name: 'forward-deliveries',
    prepare: stored(),
    event: changeOf,
    requests: ['GetSecretValue', 'SendMessageBatch'],
    limits: [accountsMs, queueMs],
  },
  'posts a delivery': {
    name: 'forward-deliveries',
    prepare: queued,
    event: queuedDelivery,
    requests: ['GetSecretValue', 'POST receiver', 'Query'],
    limits: [accountsMs, tableMs, receiverMs],
  },
  'lets a delivery wait': {
    name: 'forward-deliveries',
    down: ['receiver'],
    prepare: queued,
    event: queuedDelivery,
    requests: ['ChangeMessageVisibility', 'GetSecretValue', 'POST receiver', 'Query'],
    limits: [accountsMs, tableMs, receiverMs],
  },
  'archives a recording': {
    name: 'archive-recordings',
    prepare: stored(),
    event: recordingMessage,
    requests: ['GET recording', 'PUT s3', 'PutItem', 'Query'],
    limits: [tableMs, recordingMs],
  },
  'lets a recording wait': {
    name: 'archive-recordings',
    down: ['host'],
    prepare: stored(),
    event: recordingMessage,
    requests: ['ChangeMessageVisibility', 'GET recording', 'PutItem', 'Query'],
    limits: [tableMs, recordingMs],
  },
  'gives a recording up': {
    name: 'archive-recordings',
    prepare: stored('elsewhere.example.com'),
    event: recordingMessage,
    requests: ['PutItem', 'Query', 'SendMessage'],
    limits: [tableMs, recordingMs],
  },
};

const environmentOf = ({ world, url }: Surroundings) => ({
  ...functionEnvironment({
    ...{ dynamodbUrl: `${url}/dynamodb`, queueUrl: `${url}/sqs`, busUrl: `${url}/eventbridge`, s3Url: `${url}/s3` },
    ...{ simulatorUrl: url, busName: 'callfeed' },
    parkingQueueUrl: queueUrl(url, world.parking.name),
    reconciliationQueueUrl: queueUrl(url, world.reconciliation.name),
    forwardingQueueUrl: queueUrl(url, world.forwarding.name),
    recordingsQueueUrl: queueUrl(url, world.recordingQueue.name),
    recordingsDeadLettersUrl: queueUrl(url, world.recordingDeadLetters.name),
    tableNames: { calls: 'calls', agents: 'agents', quarantine: 'quarantine' },
    accountsSecret: { url: `${url}/secrets`, arn: accountsSecretArn },
    callbackSecret: undefined,
  }),
  RECORDING_HOSTS: 'recordings.example.com',
});

/** The settings of a deployed client: few, short attempts. A part of a recording takes longer. */
const settings = { attempts: 2, connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true };
const settingsOfS3 = { ...settings, requestTimeout: 60_000 };

/** What a deployed function sends with the time limits of its client only. */
const withoutLimit = ['PutEventsCommand', 'PutObjectCommand'];

const distinct = <Of>(list: readonly Of[]): readonly Of[] => [...new Set(list)];

it.each(Object.entries(works))('%s: each time within a new limit, as deployed', async (_title, work) => {
  const around = await startSurroundings(work.down ?? []);
  await work.prepare?.(around);
  const output = captureFunctionOutput(() => undefined);
  const restore = applyEnvironment(environmentOf(around));
  onTestFinished(() => {
    output.release();
    restore();
  });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(startedAt) });
  const limits = watchedLimits();
  const clients = watchedClients();
  const invoke = await loadFunction(folder, work.name, output);
  await invoke(work.event(around, 1));

  // Every limit of before is over, and the accounts are old.
  limits.pass();
  vi.setSystemTime(Date.now() + 600_000);
  const before = { limits: limits.count(), requests: around.requests.length };
  await invoke(work.event(around, 2));

  expect(distinct(around.requests.slice(before.requests)).toSorted()).toEqual(work.requests);
  expect(distinct(limits.since(before.limits)).toSorted((a, b) => a - b)).toEqual(work.limits);
  for (const [service, own] of Object.entries(await clients.settings()))
    expect([service, own]).toEqual([service, service === 'S3' ? settingsOfS3 : settings]);
  expect(clients.unlimited().filter((command) => !withoutLimit.includes(command))).toEqual([]);
});
