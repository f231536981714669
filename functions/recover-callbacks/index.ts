import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deployedSettings, openConnection, withoutLogger } from '../adapters/aws-clients.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeRecovery } from './app.ts';
import { RecoverCallbacksEnv } from './env.ts';

const env = RecoverCallbacksEnv.parse(process.env);
const settings = deployedSettings(process.env);
const dynamodb = withoutLogger(new DynamoDBClient(settings));
void openConnection(dynamodb, process.env['AWS_ENDPOINT_URL']);

/** The deployed recovery of parked callbacks. */
export const handler = composeRecovery({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('recover-callbacks', env),
  dynamodb,
});
