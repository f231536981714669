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
  type FaultFor,
  nothingConsumed,
  type Outcome,
  protocols,
  putEvents,
  type RecordedRequest,
  serviceError,
} from './services.ts';

/** What stands behind the wire. */
export interface AwsEndpointSettings {
  /** A running DynamoDB Local, and its tables by their names; without it every write succeeds and nothing is found. */
  readonly dynamodb?: { readonly endpoint: string; readonly tables: Tables };
  /** The text of every secret. */
  readonly secret?: string;
}

/** One endpoint that stands where AWS is, for whoever is given it as `AWS_ENDPOINT_URL`. */
export interface AwsEndpoint {
  readonly url: string;
  /** The requests since the last time, in the order in which they were done. */
  takeRequests(): readonly RecordedRequest[];
  /** From now on requests meet these fates; without an argument all are answered again. */
  fail(fateOf?: FaultFor): void;
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
  let calls: RecordedRequest[] = [];
  let fateOf: FaultFor | undefined;

  const outcomeOf = async (asked: AwsRequest, received: Received, fate: Awaited<ReturnType<FaultFor>>) => {
    if (asked.service === 'eventbridge') return putEvents(asked.input, fate);
    if (asked.service !== 'dynamodb') return answerOthers(asked, secret);
    return forward === undefined ? emptyOutcome : forward(asked, received);
  };

  const server = createServer(async (request, response) => {
    const { method = 'POST', url: path = '/', headers } = request;
    try {
      const received = { method, path, headers, body: (await readBody(request, limitBytes)) ?? Buffer.alloc(0) };
      const asked = requestIn(received);
      const fate = await fateOf?.(asked);
      if (fate === 'silent' || fate === 'before') {
        calls.push({ ...asked, ...nothingConsumed });
        if (fate === 'before') writeAnswer(response, serviceError(asked.service));
        return;
      }
      const { answer, taken } = await outcomeOf(asked, received, fate);
      calls.push({ ...asked, ...taken });
      if (fate === 'after') request.socket.destroy();
      else writeAnswer(response, answer);
    } catch (error) {
      // It is in the caller's error, then: what cannot be answered is a fault of the benchmark.
      writeAnswer(response, { status: 400, body: JSON.stringify({ __type: 'WireFault', message: String(error) }) });
    }
  });
  const port = await listen(server, { number: 0, flag: 'wire' });

  return {
    url: `http://${localHost}:${port}`,
    takeRequests() {
      const since = calls;
      calls = [];
      return since;
    },
    fail(next) {
      fateOf = next;
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

const emptyOutcome: Outcome = { answer: result(protocols.dynamodb, {}), taken: nothingConsumed };

const requestIn = ({ headers, body }: Received): AwsRequest => {
  const target = String(headers['x-amz-target'] ?? '');
  const [prefix = '', operation = ''] = target.split('.');
  const service = services.get(prefix);
  if (service === undefined) throw new Error(`Nothing here speaks ${target || 'other than the JSON protocol'}`);
  return { service, operation, input: Input.parse(tryParseJson(body.toString())) };
};
