import { setImmediate as started } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
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

/**
 * Opens a client's connection to DynamoDB as soon as the function has started. With TLS that takes several times as
 * long as a write, and the first event does not wait for it. The request has no signature, and AWS answers it to
 * anybody. If it fails, the first write opens its connection itself; the promise resolves in either case.
 */
export const openConnection = ({ config }: DynamoDBClient): Promise<void> => {
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

const addressOf = async (config: DynamoDBClient['config']) => {
  if (config.endpoint !== undefined) return config.endpoint();
  const [Region, UseFIPS, UseDualStack] = await Promise.all([
    config.region(),
    config.useFipsEndpoint(),
    config.useDualstackEndpoint(),
  ]);
  return config.endpointProvider({ Region, UseFIPS, UseDualStack }).url;
};

/**
 * A deployed function's client of DynamoDB, whose connection is being opened. The SDK finds the address of an emulator only
 * with its first request, so this finds it before.
 */
export const connectedDynamodb = (environment: Readonly<Record<string, string | undefined>>): DynamoDBClient => {
  const endpoint = environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? environment['AWS_ENDPOINT_URL'];
  const client = new DynamoDBClient({ ...clientSettings, ...(endpoint !== undefined && { endpoint }) });
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

/** What every function is composed of. */
export interface FunctionParts<Env> {
  readonly env: Env;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
}

/** The same for a function whose writes must not take long. */
export interface PromptParts<Env> extends FunctionParts<Env> {
  /** How long its writes may take, in milliseconds, if not as long as deployed. */
  readonly storeDeadlineMs?: number;
}
