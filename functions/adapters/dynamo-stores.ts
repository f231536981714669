import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  isUnknownSender,
  type Quarantine,
  quarantineRow,
  unknownSenderEntriesPerMinute,
  unknownSenderMinute,
} from '../../lib/callback/quarantine.ts';
import type { QuarantineEntry } from '../../lib/callback/schema.ts';
import type { Stores } from '../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { Clock } from '../../lib/core/time.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { storeDeadlineMs } from './aws-clients.ts';
import { dynamoVersionedRows } from './dynamo-versioned-rows.ts';
import type { StoreEnv } from './env.ts';

/** The tables that the environment names. Together, the writes of one callback may take `deadlineMs`. */
export const dynamoStores = (
  client: Pick<DynamoDBClient, 'send'>,
  env: StoreEnv,
  clock: Clock,
  deadlineMs: number = storeDeadlineMs,
): Stores => ({
  calls: {
    record: recordDelivery({
      clock,
      rows: dynamoVersionedRows(client, env.CALLS_TABLE),
      retentionDays: env.CALL_RETENTION_DAYS,
    }),
  },
  deadline: () => AbortSignal.timeout(deadlineMs),
  quarantine: dynamoQuarantine({
    client,
    tableName: env.QUARANTINE_TABLE,
    retentionDays: env.QUARANTINE_RETENTION_DAYS,
  }),
});

/** The quarantine table, and for how many days it retains an entry. */
export interface QuarantineSettings {
  readonly client: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly retentionDays: number;
}

/** The quarantine table. A repeated entry of an account is one row. Entries of unknown senders are counted first. */
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

/** The number of this entry among those of unknown senders in its minute, or undefined above the limit. */
const countInMinute = async (
  { client, tableName }: QuarantineSettings,
  entry: QuarantineEntry,
  abortSignal: AbortSignal,
): Promise<number | undefined> => {
  const { id, expiresAt } = unknownSenderMinute(entry);
  const count = new UpdateItemCommand({
    TableName: tableName,
    Key: marshalled({ id }),
    UpdateExpression: 'SET expiresAt = :expiresAt ADD entryCount :one',
    ConditionExpression: 'attribute_not_exists(entryCount) OR entryCount < :limit',
    ExpressionAttributeValues: marshalled({
      ':expiresAt': expiresAt,
      ':one': 1,
      ':limit': unknownSenderEntriesPerMinute,
    }),
    ReturnValues: 'UPDATED_NEW',
  });
  const counted = await unlessConditionFails(client.send(count, { abortSignal }));
  return counted === undefined ? undefined : Number(counted.Attributes?.['entryCount']?.N);
};

/** The answer, or undefined where the condition failed: that is an expected result, not a fault. */
const unlessConditionFails = async <Answer>(answer: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
