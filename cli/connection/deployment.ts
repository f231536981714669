import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { AccountBook } from '../../lib/account/account-book.ts';

/** A running Callfeed: where its parts are, whoever made them. */
export interface Deployment {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly tables: { readonly calls: string; readonly agents: string; readonly quarantine: string };
  readonly queues: { readonly parking: string; readonly deadLetters: string };
  /** For how many days it keeps rows. */
  readonly retention: { readonly callDays: number; readonly quarantineDays: number };
  /** The accounts that it serves. */
  readonly accounts: () => Promise<AccountBook>;
  /** How whoever wants the events of some time once more gets them without the tables: a command, or where to look. */
  readonly fromArchive: (from: string, to: string) => string;
}
