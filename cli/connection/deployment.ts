import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { AccountIndex } from '../../lib/accounts/account-index.ts';

/** Where to find a deployment, as the user says. */
export interface DeploymentLocation {
  readonly stack: string;
  /** Of a running sandbox; then the others are of no account. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** Where events go: a sandbox keeps all of them at an address, EventBridge keeps none for whoever comes later. */
export type Bus =
  | { readonly kind: 'sandbox'; readonly name: string }
  | { readonly kind: 'event-bridge'; readonly name: string; readonly client: Pick<EventBridgeClient, 'send'> };

/** A running Callfeed: where its parts are, whoever made them. */
export interface Deployment {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  /** The name of a sandbox's bus is the address at which it keeps the events. */
  readonly bus: Bus;
  readonly tables: { readonly calls: string; readonly agents: string; readonly quarantine: string };
  readonly queues: { readonly parking: string; readonly deadLetters: string };
  /** For how many days it keeps rows. */
  readonly retention: { readonly callDays: number; readonly quarantineDays: number };
  /** The accounts that it serves. */
  readonly accounts: () => Promise<AccountIndex>;
  /** Where callbacks are posted to, with the callback secret where there is one; `{secret}` stands where it is known to lack. */
  readonly callbackAddress: (secret: string | undefined) => string;
  /** How whoever wants the events of some time once more gets them without the tables: a command, or where to look. */
  readonly fromArchive: (from: string, to: string) => string;
}

/** The address that callbacks are posted to, below the one that a deployment has. */
export const callbackAddress = (base: string, secret: string | undefined): string =>
  [base.replace(/\/$/, ''), ...(secret === undefined ? [] : [encodeURIComponent(secret)]), 'callDetails'].join('/');
