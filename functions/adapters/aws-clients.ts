import type { Readable } from 'node:stream';
import { setImmediate as started } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

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

/** The variables of Lambda's environment that AWS clients need. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A service of AWS, as the variable with the address of its emulator names it. */
type Service = 'DYNAMODB' | 'EVENTBRIDGE' | 'SECRETS_MANAGER' | 'SQS';

/**
 * The settings of a deployed function's client. The SDK would look for each of these in the environment and in files by
 * itself, one after the other, while the first event waits. It would also load Node's web streams to read an answer. Other
 * variables of the SDK have no effect: the stack sets none.
 */
export const deployedSettings = (environment: Environment, service: Service) => ({
  ...clientSettings,
  ...(environment['AWS_REGION'] !== undefined && { region: environment['AWS_REGION'] }),
  ...endpointOf(environment[`AWS_ENDPOINT_URL_${service}`] ?? environment['AWS_ENDPOINT_URL']),
  useFipsEndpoint: environment['AWS_USE_FIPS_ENDPOINT'] === 'true',
  useDualstackEndpoint: environment['AWS_USE_DUALSTACK_ENDPOINT'] === 'true',
  accountIdEndpointMode: 'preferred' as const,
  authSchemePreference: async (): Promise<string[]> => [],
  disableClockSkewCorrection: false,
  userAgentAppId: async () => undefined,
  // Only EventBridge's client asks for it.
  sigv4aSigningRegionSet: async () => undefined,
  streamCollector: collected,
});

/** All bytes of an answer. Node's `toArray` would first make an iterator of it. */
const collected = (answer: Readable) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const parts: Buffer[] = [];
    answer.on('data', (part) => parts.push(part));
    answer.once('end', () => resolve(Buffer.concat(parts)));
    answer.once('error', reject);
  });

/** The address of an emulator or, without one, that of AWS. */
const endpointOf = (endpoint: string | undefined) =>
  endpoint === undefined ? { ignoreConfiguredEndpointUrls: true } : { endpoint };

/** The part of an AWS client that `withoutLogger` needs. */
interface Client {
  readonly middlewareStack: { remove(name: string): boolean };
}

/** A client without a log: the SDK copies every request and answer for its log, even if nobody reads it. */
export const withoutLogger = <Some extends Client>(client: Some): Some => {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/**
 * Opens a client's connection to DynamoDB as soon as the function has started, so that the first event does not wait
 * for it: with TLS it takes several times as long as a write. The request has no signature, and AWS answers it to
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

/** A deployed function's client of DynamoDB, whose connection is being opened. */
export const connectedDynamodb = (environment: Environment): DynamoDBClient => {
  const client = withoutLogger(new DynamoDBClient(deployedSettings(environment, 'DYNAMODB')));
  void openConnection(client);
  return client;
};

/**
 * How long each step of a callback may take, in milliseconds. Their sum, with the accounts read twice, is less than the
 * receiver's time-out: a callback that can be parked must not end in a 5xx.
 */
export const accountsDeadlineMs = 1_500;
export const storeDeadlineMs = 2_500;
export const parkingDeadlineMs = 3_000;
