import { ConditionalCheckFailedException, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Quarantine, quarantineRow, type Stores } from '../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { Clock } from '../../lib/core/time.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { storeDeadlineMs } from './aws-clients.ts';
import { dynamoVersionedRows } from './dynamo-versioned-rows.ts';
import type { StoreEnv } from './env.ts';

/** The tables that the environment names. The writes of one item may take `deadlineMs`. */
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
  deadline: (mostMs = deadlineMs) => AbortSignal.timeout(Math.min(deadlineMs, mostMs)),
  quarantine: dynamoQuarantine(client, env.QUARANTINE_TABLE, env.QUARANTINE_RETENTION_DAYS),
});

/** A repeated entry is one row: the condition then fails, as it should. */
export const dynamoQuarantine = (
  client: Pick<DynamoDBClient, 'send'>,
  tableName: string,
  retentionDays: number,
): Quarantine => ({
  async store(entry, abortSignal) {
    const Item = marshalled(quarantineRow(entry, retentionDays));
    const put = new PutItemCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(id)' });
    try {
      await client.send(put, { abortSignal });
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  },
});
