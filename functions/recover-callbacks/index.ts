import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { recoverParked } from '../../lib/recover-parked.ts';
import { clientSettings } from '../adapters/aws-clients.ts';
import { dynamoStores } from '../adapters/dynamo-stores.ts';
import { jsonTelemetry } from '../adapters/json-telemetry.ts';
import { RecoverCallbacksEnv } from './env.ts';
import { createHandler } from './handler.ts';

const env = RecoverCallbacksEnv.parse(process.env);
const telemetry = jsonTelemetry({ function: 'recover-callbacks', deployment: env.DEPLOYMENT }, (line) =>
  process.stdout.write(line),
);

/** Recovery of parked callbacks, as deployed. */
export const handler = createHandler({
  telemetry,
  recover: recoverParked({
    telemetry,
    ...dynamoStores(new DynamoDBClient(clientSettings), env, () => new Date()),
  }),
});
