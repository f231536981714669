import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '../../functions/adapters/aws-clients.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import type { Answer, Handle } from '../../sandbox/frame/serve.ts';

type Strategy = Exclude<NonNullable<DynamoDBClientConfig['retryStrategy']>, { retry: unknown }>;
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>;

const tokenAfter = (retries: number): Token => ({ getRetryCount: () => retries, getRetryDelay: () => 0 });

/**
 * Retries what the SDK retries, as often as deployed, but without a delay: the SDK’s own strategy waits on a timer, and so
 * many faults would use up its quota of retries.
 */
const immediateRetries: Strategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  async refreshRetryTokenForRetry(token, { errorType }) {
    const tries = token.getRetryCount() + 1;
    const isTransient = errorType === 'THROTTLING' || errorType === 'TRANSIENT';
    if (!isTransient || tries >= clientSettings.maxAttempts) throw new Error('No retry token available');
    return tokenAfter(tries);
  },
  recordSuccess: () => undefined,
};

/** A request to a service, such as a local endpoint receives. */
export interface WireRequest extends Omit<Parameters<Handle>[0], 'closing'> {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to its service. The client treats what it throws as a failed connection. */
export type Carry = (request: WireRequest) => Promise<Answer>;

interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Each call names its process: clients of their own for every process would take longer than the calls. */
const Options = z.looseObject({ carry: z.custom<Carry>((value) => typeof value === 'function') });

const Signal = z.looseObject({ abortSignal: z.instanceof(AbortSignal) });

/** Replaces the network for a client. `carryFor` gets the options of the call. */
export const transport = (carryFor: (options: unknown) => Carry) => ({
  async handle({ headers, body = new Uint8Array() }: SdkRequest, options?: object) {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const { buffer, byteOffset, byteLength } = body;
    const answer = await carryFor(options)({
      operation,
      method: 'POST',
      path: '/',
      body: Buffer.from(buffer, byteOffset, byteLength),
      // As a server receives them.
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      signal: Signal.safeParse(options).data?.abortSignal,
    });
    const response = {
      statusCode: answer.status,
      headers: Object.fromEntries(Object.entries(answer.headers ?? {}).map(([name, value]) => [name, String(value)])),
      body: Buffer.from(String(answer.body ?? '')),
    };
    return { response };
  },
});

/** As deployed, except for the transport: no socket, no signature, and retries without a delay. */
const settings = {
  ...clientSettings,
  ...localClient('http://wire.invalid'),
  requestHandler: transport((options) => Options.parse(options).carry),
  retryStrategy: immediateRetries,
  signer: { sign: async <Request>(request: Request) => request },
  // Even for a logger that logs nothing the SDK makes a filtered copy of every request.
  logger: Object.create(null),
};

const shared = {
  dynamodb: new DynamoDBClient(settings),
  sqs: new SQSClient(settings),
  eventbridge: new EventBridgeClient(settings),
  secrets: new SecretsManagerClient(settings),
};

const carriedBy = <Of extends { send(command: never, options: object): Promise<unknown> }>(
  client: Of,
  carry: Carry,
): Pick<Of, 'send'> => ({
  send: ((command: never, options: object = {}) => client.send(command, { ...options, carry })) as Of['send'],
});

export type AwsService = keyof typeof shared;

/** The AWS clients of one process: the SDK’s own, with a transport for each service. */
export const awsClients = (carry: (service: AwsService) => Carry) => ({
  dynamodb: carriedBy(shared.dynamodb, carry('dynamodb')),
  sqs: carriedBy(shared.sqs, carry('sqs')),
  eventbridge: carriedBy(shared.eventbridge, carry('eventbridge')),
  secrets: carriedBy(shared.secrets, carry('secrets')),
});
