import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Stores } from '../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../lib/calls/record-delivery.ts';
import type { Clock } from '../../lib/core/time.ts';
import { storeDeadlineMs } from './aws-clients.ts';
import { dynamoQuarantine } from './dynamo-quarantine.ts';
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
