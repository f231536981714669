import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { busEndpoint } from '../../sandbox/aws/event-bus.ts';
import { forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import { type AwsJson, result } from '../../sandbox/frame/aws-json.ts';
import { listen, localHost } from '../../sandbox/frame/listen.ts';
import type { Tables } from '../../sandbox/frame/local-aws.ts';
import { type Answer, type Received, readBody, writeAnswer } from '../../sandbox/frame/serve.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import { sqsEndpoint } from '../../sandbox/queue/sqs-endpoint.ts';
import { type Consumption, meteredTables, nothingConsumed } from '../meter/metered-tables.ts';

type AwsService = 'dynamodb' | 'eventbridge' | 'sqs' | 'secretsmanager';

interface AwsRequest {
  readonly service: AwsService;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface RecordedRequest extends AwsRequest, Consumption {
  readonly atMs: number;
}

interface Outcome {
  readonly answer: Answer;
  readonly consumed: Consumption;
}

export interface AwsEndpointSettings {
  /** A running DynamoDB Local, and its tables by their names. Without it every write succeeds and every read is empty. */
  readonly dynamodb?: { readonly endpoint: string; readonly tables: Tables };
  readonly secret?: string;
  /** How long each request takes, and how much longer the first one of a connection, in milliseconds; none by default. */
  readonly delays?: Delays;
}

interface Delays {
  readonly requestMs: number;
  readonly connectionMs: number;
}

/** As measured by others within a region: a small write, and the handshakes of TCP and TLS before it. */
export const delaysOfAws: Delays = { requestMs: 10, connectionMs: 40 };

const limitBytes = 32 * 1024 * 1024;

const Input = z.record(z.string(), z.unknown());

/** By the prefix of their header X-Amz-Target. */
const services: Readonly<Record<string, AwsService>> = {
  DynamoDB_20120810: 'dynamodb',
  AWSEvents: 'eventbridge',
  AmazonSQS: 'sqs',
  secretsmanager: 'secretsmanager',
};

const dynamodbProtocol: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

const noFaults = { draw: () => 'none' as const, untilLifted: async () => undefined };

const Entries = z.object({ Entries: z.array(z.unknown()) });

/** The bus and the queues of every deployment that is measured, as in the sandbox, and its secret. */
const createOthers = (secret: string) => {
  const queueNamed = (name: string) => createQueue({ name, visibilityMilliseconds: 30_000, now: Date.now });
  const queues = sqsEndpoint(['parking', 'reconciliation', 'forwarding.fifo'].map(queueNamed));
  const bus = busEndpoint({ name: 'callfeed', onEvents: () => undefined }, noFaults);
  const secretAnswer = JSON.stringify({ ARN: 'arn', Name: 'accounts', SecretString: secret });

  return async ({ service, input }: AwsRequest, received: Received): Promise<Outcome> => {
    if (service === 'secretsmanager') return { answer: { status: 200, body: secretAnswer }, consumed: nothingConsumed };
    if (service === 'sqs') return { answer: await queues(received), consumed: nothingConsumed };
    const counts = { events: Entries.parse(input).Entries.length };
    return { answer: await bus(received), consumed: { ...nothingConsumed, counts } };
  };
};

/** A local endpoint in place of AWS, for functions that get its address as `AWS_ENDPOINT_URL`. */
export const startAwsEndpoint = async ({ dynamodb, secret = '', delays }: AwsEndpointSettings = {}) => {
  const forward = dynamodb && forwardTo(dynamodb.endpoint);
  const metered = dynamodb && forward && meteredTables(forward, dynamodb.tables);
  let requests: RecordedRequest[] = [];

  const others = createOthers(secret);
  const connections = new WeakSet<Socket>();
  const outcomeOf = async (sent: AwsRequest, received: Received): Promise<Outcome> => {
    if (sent.service !== 'dynamodb') return others(sent, received);
    return metered === undefined ? emptyOutcome : metered(sent, received);
  };

  const server = createServer(async (request, response) => {
    const { method = 'POST', url: path = '/', headers, socket } = request;
    const atMs = performance.timeOrigin + performance.now();
    const isFirst = !connections.has(socket);
    connections.add(socket);
    if (delays !== undefined) await pause(delays.requestMs + (isFirst ? delays.connectionMs : 0));
    // A function that only opens its connection.
    if (method === 'GET') return void response.end();
    try {
      const received = { method, path, headers, body: (await readBody(request, limitBytes)) ?? Buffer.alloc(0) };
      const sent = requestIn(received);
      const { answer, consumed } = await outcomeOf(sent, received);
      requests.push({ ...sent, ...consumed, atMs });
      writeAnswer(response, answer);
    } catch (error) {
      // The message reaches the function's error: a request without an answer is a fault of the benchmark.
      writeAnswer(response, { status: 400, body: JSON.stringify({ __type: 'EndpointError', message: String(error) }) });
    }
  });
  const port = await listen(server, { number: 0, flag: 'AWS endpoint' });

  return {
    url: `http://${localHost}:${port}`,
    takeRequests() {
      const recorded = requests;
      requests = [];
      return recorded;
    },
    async close() {
      forward?.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};

const emptyOutcome: Outcome = { answer: result(dynamodbProtocol, {}), consumed: nothingConsumed };

const requestIn = ({ headers, body }: Received): AwsRequest => {
  const target = String(headers['x-amz-target'] ?? '');
  const [prefix = '', operation = ''] = target.split('.');
  const service = services[prefix];
  if (service === undefined) throw new Error(`The endpoint does not know ${target || 'this protocol'}`);
  return { service, operation, input: Input.parse(tryParseJson(body.toString())) };
};
