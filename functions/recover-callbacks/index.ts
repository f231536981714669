import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { recoverParked } from '../../lib/recover-parked.ts';
import { clientSettings, storeDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoCallStore } from '../adapters/dynamo-call-store.ts';
import { dynamoQuarantine } from '../adapters/dynamo-quarantine.ts';
import { jsonTelemetry } from '../adapters/json-telemetry.ts';
import { RecoverCallbacksEnv } from './env.ts';
import { createHandler } from './handler.ts';

const env = RecoverCallbacksEnv.parse(process.env);
const telemetry = jsonTelemetry('recover-callbacks', (line) => process.stdout.write(line));
const client = new DynamoDBClient(clientSettings);

/** Recovery of parked callbacks, as deployed. */
export const handler = createHandler({
  telemetry,
  recover: recoverParked({
    telemetry,
    calls: dynamoCallStore({
      client,
      clock: () => new Date(),
      tableName: env.CALLS_TABLE,
      retentionDays: env.CALL_RETENTION_DAYS,
      deadlineMs: storeDeadlineMs,
    }),
    quarantine: dynamoQuarantine({
      client,
      tableName: env.QUARANTINE_TABLE,
      retentionDays: env.QUARANTINE_RETENTION_DAYS,
      deadlineMs: storeDeadlineMs,
    }),
  }),
});
