import { createServer } from 'node:http';
import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import type { Tables } from '../../../sandbox/dynamodb/create-tables.ts';
import { result } from '../../../sandbox/http/aws-json.ts';
import { listen, localHost } from '../../../sandbox/http/listen.ts';
import { type Received, readBody, writeAnswer } from '../../../sandbox/http/serve.ts';
import { forwardDynamodb } from './forward-dynamodb.ts';
import {
  type AwsRequest,
  type AwsService,
  answerOthers,
  nothingConsumed,
  type Outcome,
  protocols,
  putEvents,
  type RecordedRequest,
} from './services.ts';

/** What the endpoint answers with. */
export interface AwsEndpointSettings {
  /** A running DynamoDB Local, and its tables by their names. Without it every write succeeds and every read is empty. */
  readonly dynamodb?: { readonly endpoint: string; readonly tables: Tables };
  /** The text of every secret. */
  readonly secret?: string;
}

/** A local endpoint in place of AWS, for functions that get its address as `AWS_ENDPOINT_URL`. */
export interface AwsEndpoint {
  readonly url: string;
  /** The requests since the last time, in the order in which they were answered. */
  takeRequests(): readonly RecordedRequest[];
  close(): Promise<void>;
}

const limitBytes = 32 * 1024 * 1024;

const Input = z.record(z.string(), z.unknown());

const services = new Map<string, AwsService>([
  [protocols.dynamodb.service, 'dynamodb'],
  [protocols.eventbridge.service, 'eventbridge'],
  [protocols.sqs.service, 'sqs'],
  [protocols.secretsmanager.service, 'secretsmanager'],
]);

/** Starts it on a free port of this machine. */
export const startAwsEndpoint = async ({ dynamodb, secret = '' }: AwsEndpointSettings = {}): Promise<AwsEndpoint> => {
  const forward = dynamodb && forwardDynamodb(dynamodb);
  let requests: RecordedRequest[] = [];

  const outcomeOf = async (sent: AwsRequest, received: Received): Promise<Outcome> => {
    if (sent.service === 'eventbridge') return putEvents(sent.input);
    if (sent.service !== 'dynamodb') return answerOthers(sent, secret);
    return forward === undefined ? emptyOutcome : forward(sent, received);
  };

  const server = createServer(async (request, response) => {
    const { method = 'POST', url: path = '/', headers } = request;
    try {
      const received = { method, path, headers, body: (await readBody(request, limitBytes)) ?? Buffer.alloc(0) };
      const sent = requestIn(received);
      const { answer, consumed } = await outcomeOf(sent, received);
      requests.push({ ...sent, ...consumed });
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

const emptyOutcome: Outcome = { answer: result(protocols.dynamodb, {}), consumed: nothingConsumed };

const requestIn = ({ headers, body }: Received): AwsRequest => {
  const target = String(headers['x-amz-target'] ?? '');
  const [prefix = '', operation = ''] = target.split('.');
  const service = services.get(prefix);
  if (service === undefined) throw new Error(`The endpoint does not know ${target || 'this protocol'}`);
  return { service, operation, input: Input.parse(tryParseJson(body.toString())) };
};
