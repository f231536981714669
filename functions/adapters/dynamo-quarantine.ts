import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { QuarantineEntry } from '../../lib/callback/parked.ts';
import {
  isUnknownSender,
  type Quarantine,
  quarantineRow,
  unknownSenderEntriesPerMinute,
  unknownSenderMinute,
} from '../../lib/callback/quarantine.ts';
import { marshalled } from './marshalling.ts';

/** Where quarantine is kept, and for how many days. */
export interface QuarantineSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
}

/** The quarantine table. What an account sent is one row however often it comes; what strangers sent is counted first. */
export const dynamoQuarantine = (settings: QuarantineSettings): Quarantine => ({
  async store(entry, abortSignal) {
    const { client, tableName, retentionDays } = settings;
    const number = isUnknownSender(entry) ? await countInMinute(settings, entry, abortSignal) : 0;
    if (number === undefined) return 'dropped';

    const Item = marshalled(quarantineRow(entry, retentionDays, number));
    const put = new PutItemCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(id)' });
    await unlessConditionFails(client.send(put, { abortSignal }));
    return 'stored';
  },
});

/** Which of the minute's posts of strangers this is, or undefined once there have been enough. */
const countInMinute = async (
  { client, tableName }: QuarantineSettings,
  entry: QuarantineEntry,
  abortSignal: AbortSignal,
): Promise<number | undefined> => {
  const { id, expiresAt } = unknownSenderMinute(entry);
  const count = new UpdateItemCommand({
    TableName: tableName,
    Key: marshalled({ id }),
    UpdateExpression: 'SET expiresAt = :expiresAt ADD kept :one',
    ConditionExpression: 'attribute_not_exists(kept) OR kept < :most',
    ExpressionAttributeValues: marshalled({
      ':expiresAt': expiresAt,
      ':one': 1,
      ':most': unknownSenderEntriesPerMinute,
    }),
    ReturnValues: 'UPDATED_NEW',
  });
  const counted = await unlessConditionFails(client.send(count, { abortSignal }));
  return counted === undefined ? undefined : Number(counted.Attributes?.['kept']?.N);
};

/** A refused condition is an answer, not a fault. */
const unlessConditionFails = async <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
