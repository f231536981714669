import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { AccountBook } from '../../lib/account/account-book.ts';

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
  readonly accounts: () => Promise<AccountBook>;
  /** Where callbacks are posted to, with the callback secret where there is one; `{secret}` stands where it is known to lack. */
  readonly callbackAddress: (secret: string | undefined) => string;
  /** How whoever wants the events of some time once more gets them without the tables: a command, or where to look. */
  readonly fromArchive: (from: string, to: string) => string;
}
