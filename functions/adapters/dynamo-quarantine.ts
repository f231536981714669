import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { quarantineRow } from '../../lib/callback/quarantine-entry.ts';
import type { Quarantine } from '../../lib/ports.ts';
import { marshalled } from './marshalling.ts';

/** Where quarantine is kept, and for how many days. */
export interface QuarantineSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
  readonly deadlineMs: number;
}

/** The quarantine table. A row that is there already stays: an account's is the same post, a stranger's place is taken. */
export const dynamoQuarantine = ({ client, tableName, retentionDays, deadlineMs }: QuarantineSettings): Quarantine => ({
  async keep(entry) {
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: marshalled(quarantineRow(entry, retentionDays)),
          ConditionExpression: 'attribute_not_exists(id)',
        }),
        { abortSignal: AbortSignal.timeout(deadlineMs) },
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (entry.account === undefined) return 'dropped';
    }
    return 'kept';
  },
});
