import { setImmediate as started } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../lib/core/time.ts';
import type { BufferedTelemetry } from './json-telemetry.ts';

/**
 * Few, short attempts: a reply must be fast, and every caller recovers from a slow service.
 * Without `throwOnRequestTimeout` the SDK only logs a warning when `requestTimeout` has passed, and waits on.
 */
export const clientSettings = {
  maxAttempts: 2,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} as const;

/** As the variable with the address of its emulator names it. */
type Service = 'DYNAMODB' | 'EVENTBRIDGE' | 'S3' | 'SECRETS_MANAGER' | 'SQS';

/**
 * The settings of a deployed function. The SDK would look for each in the environment and in files: 4 % of a start's
 * processor time. `bench/lambda` finds a setting that is missing here.
 */
export const deployedSettings = (environment: Readonly<Record<string, string | undefined>>, service: Service) => ({
  ...clientSettings,
  ...endpointOf(environment[`AWS_ENDPOINT_URL_${service}`] ?? environment['AWS_ENDPOINT_URL']),
  useFipsEndpoint: environment['AWS_USE_FIPS_ENDPOINT'] === 'true',
  useDualstackEndpoint: environment['AWS_USE_DUALSTACK_ENDPOINT'] === 'true',
  accountIdEndpointMode: 'preferred' as const,
  authSchemePreference: [],
  disableClockSkewCorrection: false,
  userAgentAppId: async () => undefined,
  // Only EventBridge's client asks for it.
  sigv4aSigningRegionSet: async () => undefined,
});

const endpointOf = (endpoint: string | undefined) =>
  endpoint === undefined ? { ignoreConfiguredEndpointUrls: true } : { endpoint };

type Client = DynamoDBClient | SQSClient;

/**
 * Opens a client's connection at the start: with TLS that takes several times as long as a request. AWS answers a request
 * without a signature to anybody. The promise resolves even if it fails: the first request then opens its own.
 */
export const openConnection = ({ config }: Client): Promise<void> => {
  const open = async () => {
    const { protocol, hostname, port } = await addressOf(config);
    const address = { protocol, hostname, ...(port && { port: Number(port) }), path: '/', query: {} };
    const { response } = await config.requestHandler.handle({ ...address, method: 'GET', headers: { host: hostname } });
    await config.streamCollector(response.body);
  };
  return started()
    .then(open)
    .catch(() => undefined);
};

const addressOf = async (config: Client['config']) => {
  if (config.endpoint !== undefined) return config.endpoint();
  const [Region, UseFIPS, UseDualStack] = await Promise.all([
    config.region(),
    config.useFipsEndpoint(),
    config.useDualstackEndpoint(),
  ]);
  return config.endpointProvider({ Region, UseFIPS, UseDualStack }).url;
};

/** A client whose connection is being opened, for a function that needs it after an answer of another service only. */
export const connected = <Some extends Client>(client: Some): Some => {
  void openConnection(client);
  return client;
};

/** Milliseconds for a reading of the accounts, and for the writes of one record. */
export const accountsDeadlineMs = 1_500;
export const storeDeadlineMs = 2_500;

/** Milliseconds at the end of a receiver's run that are kept for parking, and for the reply: what can be parked is no 5xx. */
export const parkingReserveMs = 3_000;
export const replyReserveMs = 1_000;

export interface FunctionParts<Env> {
  readonly env: Env;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
}

export interface PromptParts<Env> extends FunctionParts<Env> {
  readonly storeDeadlineMs?: number;
}
