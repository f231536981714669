import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { clientSettings } from '../../functions/adapters/aws-clients.ts';
import type { RecordingBucket } from '../../functions/archive-recordings/archive-recordings.ts';
import type { RecordingObject } from '../../functions/archive-recordings/recording-row.ts';
import { sha256 } from '../../lib/core/encoding.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import type { RecordingProblem } from '../../lib/recordings/schema.ts';
import type { Answer } from '../../sandbox/http/serve.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import type { FaultyProcess } from './fault.ts';

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

export interface WireRequest {
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request to its service, or injects a fault. The client treats what it throws as a failed connection. */
export type Carry = (request: WireRequest) => Promise<Answer>;

interface SdkRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Each call names its process: clients of their own for every process would take longer than the calls. */
const Options = z.looseObject({ carry: z.custom<Carry>((value) => typeof value === 'function') });

const Signal = z.looseObject({ abortSignal: z.instanceof(AbortSignal) });

/** As a server receives them. */
const lowerCase = (headers: SdkRequest['headers']): SdkRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Replaces the network for a client. `carryFor` gets the options of the call. */
export const transport = (carryFor: (options: unknown) => Carry) => ({
  async handle({ headers, body = new Uint8Array() }: SdkRequest, options?: object) {
    const operation = headers['x-amz-target']?.split('.')[1] ?? '';
    const { buffer, byteOffset, byteLength } = body;
    const answer = await carryFor(options)({
      ...{ operation, headers: lowerCase(headers), body: Buffer.from(buffer, byteOffset, byteLength) },
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

interface Client {
  send(command: never, options: object): Promise<unknown>;
}

const carriedBy = <Of extends Client>(client: Of, carry: Carry): Pick<Of, 'send'> => ({
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

/** What a host answers for a URL: the whole recording, or why there is none. */
export type RecordingHost = (url: string) => Result<string, RecordingProblem>;

/** The bucket of recordings in memory, and the host that they come from. */
export interface RecordingStore {
  /** The recordings by key. */
  readonly objects: Map<string, string>;
  /** The URLs that were asked for, in order. */
  readonly asked: string[];
  readonly host: RecordingHost;
}

export const recordingStore = (host: RecordingHost = () => fail('not-found')): RecordingStore => ({
  objects: new Map(),
  asked: [],
  host,
});

const described = (body: string): RecordingObject => ({
  bucket: 'recordings',
  contentType: 'audio/mpeg',
  sizeBytes: body.length,
  sha256: sha256(body).toString('hex'),
});

/** The bucket as one process uses it, which may crash at each of its effects. An object is never overwritten. */
export const faultyBucket = (
  { call }: Pick<FaultyProcess, 'call'>,
  { objects, asked, host }: RecordingStore,
): RecordingBucket => {
  const effect = <Of>(service: 'recordings' | 's3', operation: string, act: () => Of): Promise<Of> =>
    call({ service, operation, body: () => '' }, async (fault) => {
      if (fault === 'fail' || fault === 'throttle') throw new Error('503');
      return act();
    });
  const existing = (objectKey: string): RecordingObject | undefined => {
    const body = objects.get(objectKey);
    return body === undefined ? undefined : described(body);
  };
  return {
    existing: (objectKey) => effect('s3', 'GetObject', () => existing(objectKey)),
    async copy(url, objectKey) {
      const answer = await effect('recordings', 'GET', () => {
        asked.push(url);
        return host(url);
      });
      if (!answer.ok) return answer;
      return effect('s3', 'PutObject', () => {
        if (!objects.has(objectKey)) objects.set(objectKey, answer.value);
        return ok(existing(objectKey) ?? described(answer.value));
      });
    },
    remove: (objectKey) => effect('s3', 'DeleteObject', () => void objects.delete(objectKey)),
  };
};
