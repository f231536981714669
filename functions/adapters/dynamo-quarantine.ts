import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  isStrangers,
  type QuarantineEntry,
  quarantineRow,
  strangersMinute,
  strangersPerMinute,
} from '../../lib/callback/quarantine-entry.ts';
import type { Quarantine } from '../../lib/ports.ts';
import { marshalled } from './marshalling.ts';

/** Where quarantine is kept, and for how many days. */
export interface QuarantineSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
}

/** The quarantine table. What an account sent is one row however often it comes; what strangers sent is counted first. */
export const dynamoQuarantine = (settings: QuarantineSettings): Quarantine => ({
  async keep(entry, abortSignal) {
    const { client, tableName, retentionDays } = settings;
    const number = isStrangers(entry) ? await numberInMinute(settings, entry, abortSignal) : 0;
    if (number === undefined) return 'dropped';

    const Item = marshalled(quarantineRow(entry, retentionDays, number));
    const put = new PutItemCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(id)' });
    await unlessRefused(client.send(put, { abortSignal }));
    return 'kept';
  },
});

/** Which of the minute's posts of strangers this is, or undefined once there have been enough. */
const numberInMinute = async (
  { client, tableName }: QuarantineSettings,
  entry: QuarantineEntry,
  abortSignal: AbortSignal,
): Promise<number | undefined> => {
  const { id, expiresAt } = strangersMinute(entry);
  const count = new UpdateItemCommand({
    TableName: tableName,
    Key: marshalled({ id }),
    UpdateExpression: 'SET expiresAt = :expiresAt ADD kept :one',
    ConditionExpression: 'attribute_not_exists(kept) OR kept < :most',
    ExpressionAttributeValues: marshalled({ ':expiresAt': expiresAt, ':one': 1, ':most': strangersPerMinute }),
    ReturnValues: 'UPDATED_NEW',
  });
  const counted = await unlessRefused(client.send(count, { abortSignal }));
  return counted === undefined ? undefined : Number(counted.Attributes?.['kept']?.N);
};

/** A refused condition is an answer, not a fault. */
const unlessRefused = async <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
