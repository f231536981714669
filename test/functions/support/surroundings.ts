import type { IncomingMessage } from 'node:http';
import { onTestFinished, vi } from 'vitest';
import type { FunctionName } from '../../../functions/limits.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import type { Answer } from '../../../sandbox/frame/serve.ts';
import { applyEnvironment, functionEnvironment } from '../../../sandbox/functions/function-environment.ts';
import { captureFunctionOutput } from '../../../sandbox/functions/function-output.ts';
import { loadFunction } from '../../../sandbox/functions/load-function.ts';
import { sqsRecord } from '../../../sandbox/queue/queue-reader.ts';
import { queueAddress } from '../../../sandbox/queue/sqs-endpoint.ts';
import { call, postedValue } from '../../deployment/telephony.ts';
import { accountsSecretArn, createMemoryWorld } from '../../deployment/world.ts';
import { tokenAccount } from '../../fixtures/accounts.ts';
import { formOf, httpApiEvent, startHttpServer } from '../../support/local-servers.ts';

/** When the functions run. */
export const startedAt = '2026-11-20T06:00:01.000Z';

const folder = new URL('../../../functions/', import.meta.url);

const services = {
  DynamoDB_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
  secretsmanager: 'secrets',
  AWSEvents: 'eventbridge',
} as const;

const isService = (name: string): name is keyof typeof services => Object.hasOwn(services, name);

export type Part = 'table' | 'bus' | 'receiver' | 'host';

const partOf: Partial<Record<keyof typeof services, Part>> = { DynamoDB_20120810: 'table', AWSEvents: 'bus' };

const reported = {
  CallID: '7',
  CallDate: '2026-11-19',
  StartTime: '10:00:00',
  EndTime: '10:01:00',
  Status: 'Answered',
};

/** How long answers are, in bytes. */
interface Lengths {
  readonly recording?: number;
  /** Of the list of agents, at least. */
  readonly logins?: number;
}

/** What other parts than AWS answer, by the beginning of the path. */
const answersWithout = (
  down: readonly Part[],
  { recording = 1_000, logins = 0 }: Lengths,
): Readonly<Record<string, Pick<Answer, 'status' | 'body'>>> => ({
  ca_apis: {
    status: 200,
    body: '{"status":"success","message":[{"AgentId":"asha","AgentState":"READY"}],"token":"t"}'.padEnd(logins),
  },
  ca_reports: { status: 200, body: JSON.stringify({ status: 'success', totalCount: 1, details: [reported] }) },
  receiver: { status: down.includes('receiver') ? 500 : 200 },
  s3: { status: 200 },
  recording: down.includes('host') ? { status: 404 } : { status: 200, body: Buffer.alloc(recording, 0xff) },
});

/** AWS, the telephony service, a receiver and a host of recordings at one address. `down` has those that fail. */
export const startSurroundings = async (down: readonly Part[] = [], lengths: Lengths = {}) => {
  const requests: string[] = [];
  const answers = answersWithout(down, lengths);
  const answerTo = async (request: IncomingMessage): Promise<Pick<Answer, 'status' | 'body'>> => {
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const [service = '', operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
    if (isService(service)) {
      // Each service has an address of its own, as in the sandbox.
      if (!path.startsWith(`/${services[service]}`)) return { status: 404 };
      requests.push(operation);
      const part = partOf[service];
      const isDown = part !== undefined && down.includes(part);
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
  RECORDINGS_BUCKET: 'callfeed-recordings',
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
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(startedAt) });
  return loadFunction(folder, name, output);
};
