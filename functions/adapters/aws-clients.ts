import { setImmediate as started } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Clock } from '../../lib/core/time.ts';
import type { BufferedTelemetry } from './json-telemetry.ts';

/**
 * The settings of every AWS client: few, short attempts. A reply must be fast. Every caller can recover from a slow
 * service: by parking, or by the next delivery of the stream or queue. Without `throwOnRequestTimeout` the SDK only
 * logs a warning when `requestTimeout` has passed, and waits on.
 */
export const clientSettings = {
  maxAttempts: 2,
  retryMode: 'standard',
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} as const;

/** As the variable with the address of its emulator names it. */
type Service = 'DYNAMODB' | 'EVENTBRIDGE' | 'S3' | 'SECRETS_MANAGER' | 'SQS';

/**
 * The settings of a deployed function's client. The SDK would look for each of these in the environment and in files, one
 * after the other, while the first event waits: 4 % of the processor time of a start. Other variables of the SDK have no
 * effect: the stack sets none. `bench/lambda` finds a setting that is missing here, because the SDK then looks for a file.
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
 * Opens a client's connection as soon as the function has started. With TLS that takes several times as long as a request,
 * and the first event does not wait for it. The request has no signature, and AWS answers it to anybody. If it fails, the
 * first request opens its connection itself; the promise resolves in either case.
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

/**
 * How long each step of a callback may take, in milliseconds. Their sum, with the accounts read twice, is less than the
 * receiver's time-out. So a callback that can be parked never ends in a 5xx.
 */
export const accountsDeadlineMs = 1_500;
export const storeDeadlineMs = 2_500;
export const parkingDeadlineMs = 3_000;

export interface FunctionParts<Env> {
  readonly env: Env;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
}

export interface PromptParts<Env> extends FunctionParts<Env> {
  readonly storeDeadlineMs?: number;
}
