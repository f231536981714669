import { onTestFinished, vi } from 'vitest';
import type { FunctionName } from '../../../functions/limits.ts';
import { marshalled, type Row } from '../../../lib/storage/rows.ts';
import type { Answer, Handle, Received } from '../../../sandbox/frame/serve.ts';
import { applyEnvironment, functionEnvironment } from '../../../sandbox/functions/function-environment.ts';
import { captureFunctionOutput } from '../../../sandbox/functions/function-output.ts';
import { loadFunction } from '../../../sandbox/functions/load-function.ts';
import { sqsRecord } from '../../../sandbox/queue/queue-reader.ts';
import { queueAddress } from '../../../sandbox/queue/sqs-endpoint.ts';
import { openObjects } from '../../../sandbox/s3/object-store.ts';
import { s3Endpoint } from '../../../sandbox/s3/s3-endpoint.ts';
import { call, postedValue } from '../../deployment/telephony.ts';
import { accountsSecretArn, createMemoryWorld } from '../../deployment/world.ts';
import { tokenAccount } from '../../fixtures/accounts.ts';
import { formOf, httpApiEvent } from '../../support/local-servers.ts';
import { type Asked, awsOperation, awsServices, s3Operation, startOddServer } from '../../support/odd-answers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** When the functions run. */
export const startedAt = '2026-11-20T06:00:01.000Z';

const folder = new URL('../../../functions/', import.meta.url);

export const isOfAws = (service: string): boolean =>
  service === 's3' || Object.values<string>(awsServices).includes(service);

export type Part = 'table' | 'bus' | 'receiver' | 'host';

const serviceOf: Readonly<Record<Part, string>> = {
  table: 'dynamodb',
  bus: 'eventbridge',
  receiver: 'receiver',
  host: 'recording',
};

const bucket = 'callfeed-recordings';

const reported = {
  CallID: '7',
  CallDate: '2026-11-19',
  StartTime: '10:00:00',
  EndTime: '10:01:00',
  Status: 'Answered',
};

/** With their intervals they are more rows than one transaction takes. */
const agents = Array.from({ length: 60 }, (_, index) => ({ AgentId: `agent-${index}`, AgentState: 'READY' }));

/** How long answers are, in bytes. */
interface Lengths {
  readonly recording?: number;
  /** Of the list of agents, at least. */
  readonly logins?: number;
}

/** What other parts than AWS answer, by the beginning of the path. */
const hostAnswers = ({ recording = 1_000, logins = 0 }: Lengths): Readonly<Record<string, Answer>> => ({
  ca_apis: {
    status: 200,
    body: JSON.stringify({ status: 'success', message: agents, token: 't' }).padEnd(logins),
  },
  ca_reports: { status: 200, body: JSON.stringify({ status: 'success', totalCount: 1, details: [reported] }) },
  receiver: { status: 200 },
  recording: { status: 200, body: Buffer.alloc(recording, 0xff) },
});

/** The service and the operation of a request; the host and the method where it is none of AWS. */
const nameOf = ({ method, path, headers }: Received): Asked | undefined => {
  // A function opens its connection so.
  if (method === 'GET' && path === '/') return undefined;
  const asked = awsOperation({ headers });
  if (asked !== undefined) return asked;
  if (path.startsWith('/s3/')) return { service: 's3', operation: s3Operation({ method, path }) };
  const host = ['ca_apis', 'ca_reports', 'receiver'].find((name) => path.startsWith(`/${name}`)) ?? 'recording';
  return { service: host, operation: `${method} ${host}` };
};

/** AWS, the telephony service, a receiver and a host of recordings at one address. `down` has those that fail. */
export const startSurroundings = async (
  down: readonly Part[] = [],
  lengths: Lengths = {},
  meaning: (handle: Handle) => Handle = (handle) => handle,
) => {
  const hosts = hostAnswers(lengths);
  const files = temporaryFolder('objects');
  onTestFinished(files.remove);
  const objects = openObjects(files.path);
  const s3 = s3Endpoint(bucket, objects);
  const posted: string[] = [];
  const isOfService = (name: string): name is keyof typeof world.services => Object.hasOwn(world.services, name);
  const answer = async (request: Received, { service, operation }: Asked): Promise<Answer> => {
    if (operation === '') return { status: 200 };
    if (service === 's3') return s3({ ...request, path: request.path.replace('/s3', '') });
    if (service === 'receiver') posted.push(request.body.toString());
    if (!isOfService(service)) return hosts[service] ?? { status: 404 };
    // Each service has an address of its own, as in the sandbox.
    if (!request.path.startsWith(`/${service}`)) return { status: 404 };
    return meaning(world.services[service])(request);
  };
  const server = await startOddServer({ nameOf, answer });
  const isDown = (service: string) => down.some((part) => serviceOf[part] === service);
  if (down.length > 0)
    server.answers(({ service }) =>
      isDown(service) ? ({ response }) => void response.writeHead(failedWith(service)).end() : undefined,
    );
  const accounts = [{ ...tokenAccount, baseUrl: server.url, forwardTo: [`${server.url}/receiver`] }];
  const world = createMemoryWorld({ startedAt, accounts, accountsIn: 'secret' });
  return { world, objects, server, url: server.url, posted: () => posted };
};

const failedWith = (service: string): number => (service === 'recording' ? 404 : 500);

export type Surroundings = Awaited<ReturnType<typeof startSurroundings>>;

export const postOf = (id: number, host = 'recordings.example.com') =>
  httpApiEvent({
    body: formOf(postedValue(call({ monitorUCID: String(id), AudioFile: `https://${host}/${id}.mp3` }).answered())),
  });

/** Two calls are stored. */
export const stored =
  (host?: string) =>
  async ({ world }: Surroundings) => {
    const { receive } = world.start();
    for (const id of [1, 2]) await receive(postOf(id, host));
  };

/** Two calls are stored, and their deliveries are in the queue of forwarding. */
export const queued = async (around: Surroundings) => {
  await stored()(around);
  for (const time of [1, 2]) await around.world.start().forward(changeOf(around, time) as never);
};

export const changeOf = ({ world }: Surroundings, time: number) => {
  const row = world.rows('calls').find(({ kind, callId }) => kind === 'call' && callId === String(time));
  return { Records: [{ dynamodb: { SequenceNumber: '1', NewImage: marshalled(row ?? {}) } }] };
};

export const message = (body: unknown) => ({
  Records: [{ messageId: 'm', receiptHandle: 'r', body: JSON.stringify(body), attributes: {} }],
});

export const queuedDelivery = ({ world }: Surroundings) => ({
  Records: world.forwarding.receive(1).map((one) => sqsRecord(world.forwarding.name, one)),
});

export const recordingMessage = (_around: Surroundings, time: number) =>
  message({ account: 'demo', callId: String(time) });

const environmentOf = ({ world, url }: Surroundings) => ({
  ...functionEnvironment({
    urls: {
      dynamodb: `${url}/dynamodb`,
      sqs: `${url}/sqs`,
      eventbridge: `${url}/eventbridge`,
      s3: `${url}/s3`,
      secretsmanager: `${url}/secrets`,
      parkingQueue: queueAddress(url, world.parking.name),
    },
    accountsSecretArn,
    callbackSecret: undefined,
  }),
  CALLS_TABLE: 'calls',
  AGENTS_TABLE: 'agents',
  QUARANTINE_TABLE: 'quarantine',
  RECONCILE_QUEUE_URL: queueAddress(url, world.reconciliation.name),
  SETTLE_SECONDS: '30',
  FORWARD_QUEUE_URL: queueAddress(url, world.forwarding.name),
  RECORDINGS_BUCKET: bucket,
  RECORDINGS_QUEUE_URL: queueAddress(url, world.recordingQueue.name),
  RECORDINGS_DEAD_LETTERS_URL: queueAddress(url, world.recordingDeadLetters.name),
  RECORDINGS_THROUGH: url,
  RECORDING_HOSTS: 'recordings.example.com',
});

/** Loads a function with the environment of a deployment and more, at `startedAt`. `output` gets what it writes. */
export const loadDeployed = async (
  around: Surroundings,
  name: FunctionName,
  more: Readonly<Record<string, string>> = {},
  onOutput: (text: string) => void = () => undefined,
) => {
  const output = captureFunctionOutput((_name, text) => onOutput(text));
  const restore = applyEnvironment({ ...environmentOf(around), ...more });
  onTestFinished(() => {
    output.release();
    restore();
    vi.useRealTimers();
  });
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(startedAt) });
  return loadFunction(folder, name, output);
};

/** Writes a row as it is. */
export const putRow = async ({ world }: Surroundings, TableName: string, row: Row): Promise<void> => {
  const body = Buffer.from(JSON.stringify({ TableName, Item: marshalled(row) }));
  const headers = { 'x-amz-target': 'DynamoDB_20120810.PutItem' };
  await world.services.dynamodb({ method: 'POST', path: '/', headers, body });
};
