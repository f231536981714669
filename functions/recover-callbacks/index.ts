import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deployedSettings } from '../adapters/aws-clients.ts';
import { readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeRecovery } from './app.ts';
import { recoverCallbacksEnv } from './environment.ts';

const env = readEnv(recoverCallbacksEnv, process.env);

export const handler = composeRecovery({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('recover-callbacks', env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
});
