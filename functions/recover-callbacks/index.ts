import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composeRecovery } from './app.ts';
import { recoverCallbacksEnv } from './environment.ts';

export const handler = composeRecovery({
  ...deployedParts('recover-callbacks', recoverCallbacksEnv, process.env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
});
