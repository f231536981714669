import type { AthenaClient } from '@aws-sdk/client-athena';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { secretText } from '../../functions/adapters/secret-accounts.ts';
import { type AccountIndex, accountIndex } from '../../lib/accounts/account-index.ts';
import { parseAccounts, rejectPlaceholder } from '../../lib/accounts/accounts.ts';
import { commandText } from '../../lib/core/command-text.ts';
import { ofPart, type Part, Problem } from './problem.ts';

export const defaultStack = 'callfeed-prod';

export interface DeploymentLocation {
  readonly stack: string;
  /** The address of a running sandbox; overrides the others. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** A sandbox stores every event and serves them at an address; EventBridge stores none. */
export type Bus =
  | { readonly kind: 'sandbox'; readonly eventsAddress: string }
  | { readonly kind: 'event-bridge'; readonly name: string; readonly client: Pick<EventBridgeClient, 'send'> };

export interface AthenaLocation {
  readonly client: Pick<AthenaClient, 'send'>;
  readonly database: string;
  readonly workGroup: string;
}

export interface Deployment {
  /** The version of Callfeed that is deployed; undefined for one that did not say it yet. */
  readonly version?: string | undefined;
  /** Whether it polls the agents of the accounts that have an address for that. */
  readonly isPolling: boolean;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly bus: Bus;
  readonly tables: { readonly calls: string; readonly agents: string; readonly quarantine: string };
  readonly queues: {
    readonly parking: string;
    readonly deadLetters: string;
    readonly reconciliation?: string | undefined;
    readonly forwarding?: { readonly queue: string; readonly deadLetters: string } | undefined;
  };
  readonly recordings?: { readonly bucket: string; readonly queue: string; readonly deadLetters: string } | undefined;
  readonly s3: S3Client;
  /** Where questions are asked; absent where analytics are off, and in a sandbox. */
  readonly analytics?: AthenaLocation | undefined;
  readonly retention: { readonly callDays: number; readonly quarantineDays: number };
  /** For how many days the archive of events stores them; undefined if there is no archive. */
  readonly archiveDays?: number | undefined;
  readonly accounts: () => Promise<AccountIndex>;
  /** A command that gets the published events of some time without the tables. Instants are ISO. */
  readonly fromArchive: (from: string, to: string) => string;
}

/** A queue with its dead letters, where a deployment has both. */
export const pairOf = (queue: string | undefined, deadLetters: string | undefined) =>
  queue === undefined || deadLetters === undefined ? undefined : { queue, deadLetters };

export const locationOptions = ({ stack, endpoint, region, profile }: DeploymentLocation): readonly string[] => {
  const needsStack = endpoint === undefined && stack !== defaultStack;
  return givenOptions({ endpoint, stack: needsStack ? stack : undefined, region, profile });
};

export const givenOptions = (values: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));

export const commandLine = (location: DeploymentLocation, ...words: readonly string[]): string =>
  commandText(['npx', 'callfeed', ...words, ...locationOptions(location)]);

type Location = Pick<DynamoDBClientConfig, 'region' | 'profile' | 'credentials' | 'endpoint'>;

/** Three attempts end within ten seconds. The SDK only warns without `throwOnRequestTimeout`; answers may also break off. */
const answerTimeoutMs = 2_800;

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

/** A client of a command, which gives up soon. Each of its errors carries the name of the part that failed, which a message for people shows. */
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

export const clientsOf = (dynamodb: Location, sqs: Location = dynamodb) => ({
  dynamodb: namedClient('DynamoDB', DynamoDBClient, dynamodb),
  sqs: namedClient('SQS', SQSClient, sqs),
});

const secretDeadlineMs = 10_000;

/** The accounts that the functions use: both read them from the same secret. Throws a problem that names its faulty field. */
export const accountsInSecret = (location: Location, secretArn: string): (() => Promise<AccountIndex>) => {
  const client = namedClient('Secrets Manager', SecretsManagerClient, location);
  const readSecret = secretText(client, secretArn, secretDeadlineMs);
  return async () => {
    const json = await readSecret();
    rejectPlaceholder(json);
    const accounts = parseAccounts(json);
    if (!accounts.ok) throw new Problem(`The accounts’ secret is invalid at ${accounts.problem}.`);
    return accountIndex(accounts.value);
  };
};
