import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { ofPart, type Part } from '../problem.ts';

/** Where the clients of a deployment are, and with which credentials they ask. */
type Location = Pick<DynamoDBClientConfig, 'region' | 'profile' | 'credentials' | 'endpoint'>;

/**
 * Somebody waits for each answer: three attempts end within ten seconds, and the slowest answer of a service that works comes in
 * the first. Without `throwOnRequestTimeout` the SDK only logs a warning, and waits on. The socket's time-out is for an answer
 * that breaks off in the middle.
 */
const answerTimeoutMs = 2_800;

/** The settings of every client of a command. */
const clientSettings = {
  maxAttempts: 3,
  retryMode: 'standard',
  requestHandler: {
    connectionTimeout: answerTimeoutMs,
    requestTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
    throwOnRequestTimeout: true,
  },
} as const;

/** A client that is made for a command. Each kind declares its middleware by its own requests, which does not matter here. */
interface Client {
  readonly middlewareStack: { add(middleware: never, options: { readonly step: 'initialize' }): void };
}

/** A client of a command, which gives up soon. Its errors know of which part they are, as a message for people names it. */
export const namedClient = <Some extends Client>(
  part: Part,
  Made: new (settings: Location & typeof clientSettings) => Some,
  location: Location,
): Some => {
  const client = new Made({ ...location, ...clientSettings });
  const withPart = (next: (args: unknown) => Promise<unknown>) => (args: unknown) =>
    next(args).catch((error: unknown) => Promise.reject(ofPart(part, error)));
  client.middlewareStack.add(withPart as never, { step: 'initialize' });
  return client;
};

/** The clients that every command may need. In a sandbox each part has an address of its own. */
export const clientsOf = (dynamodb: Location, sqs: Location = dynamodb) => ({
  dynamodb: namedClient('DynamoDB', DynamoDBClient, dynamodb),
  sqs: namedClient('SQS', SQSClient, sqs),
});
