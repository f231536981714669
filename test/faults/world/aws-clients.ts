import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '../../../functions/adapters/aws-clients.ts';
import type { Answer } from '../../../sandbox/http/serve.ts';
import { localClient } from '../../../sandbox/local-aws.ts';

type Strategy = Exclude<NonNullable<DynamoDBClientConfig['retryStrategy']>, { retry: unknown }>;
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>;

const tokenAfter = (retries: number): Token => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * Tries again what the SDK tries again, as often as deployed, but at once: the SDK's own strategy waits on a timer, and
 * its quota of retries would be used up by so many faults.
 */
const immediateRetries: Strategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  async refreshRetryTokenForRetry(token, { errorType }) {
    const tries = token.getRetryCount() + 1;
    const isPassing = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isPassing || tries >= clientSettings.maxAttempts) throw new Error('No retry token available');
    return tokenAfter(tries);
  },
  recordSuccess: () => undefined,
};

/** A request of an AWS client, as far as a service looks at it. */
export interface WireRequest {
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Carries a request to its service, or not; what it throws, the client takes for a failure of the connection. */
export type Carry = (request: WireRequest) => Promise<Answer>;

/** What the SDK hands over, as far as it is looked at. */
interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Whose request it is comes with each call, since to make clients for every process would take longer than the calls. */
const Options = z.looseObject({ carry: z.custom<Carry>((value) => typeof value === 'function') });

const requestHandler = {
  async handle({ headers, body = new Uint8Array() }: SdkRequest, options?: object) {
    const { carry } = Options.parse(options);
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const { buffer, byteOffset, byteLength } = body;
    const answer = await carry({ operation, headers, body: Buffer.from(buffer, byteOffset, byteLength) });
    const response = {
      statusCode: answer.status,
      headers: Object.fromEntries(Object.entries(answer.headers ?? {}).map(([name, value]) => [name, String(value)])),
      body: Buffer.from(answer.body ?? ''),
    };
    return { response };
  },
};

/** As deployed, but for the way: no socket, no signature, and a second try without a pause. */
const settings = {
  ...clientSettings,
  ...localClient('http://wire.invalid'),
  requestHandler,
  retryStrategy: immediateRetries,
  signer: { sign: async <Request>(request: Request) => request },
  // Even a logger that logs nothing is handed a filtered copy of every request.
  logger: Object.create(null),
};

const shared = {
  dynamodb: new DynamoDBClient(settings),
  sqs: new SQSClient(settings),
  eventbridge: new EventBridgeClient(settings),
  secrets: new SecretsManagerClient(settings),
};

interface Client {
  send(command: never, options: object): Promise<unknown>;
}

/** The client as one process has it. */
const carriedBy = <Of extends Client>(client: Of, carry: Carry): Pick<Of, 'send'> => ({
  send: ((command: never, options: object = {}) => client.send(command, { ...options, carry })) as Of['send'],
});

/** The AWS clients of one process: the SDK's own, whose requests are carried by what is given for each service. */
export const awsClients = (carry: (service: 'dynamodb' | 'sqs' | 'eventbridge') => Carry) => ({
  dynamodb: carriedBy(shared.dynamodb, carry('dynamodb')),
  sqs: carriedBy(shared.sqs, carry('sqs')),
  eventbridge: carriedBy(shared.eventbridge, carry('eventbridge')),
  secrets: shared.secrets,
});
