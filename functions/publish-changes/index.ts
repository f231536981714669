import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composePublisher } from './app.ts';
import { publishChangesEnv } from './environment.ts';

const env = readEnv(publishChangesEnv, process.env);

export const handler = composePublisher({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('publish-changes', env),
  eventbridge: new EventBridgeClient(deployedSettings(process.env, 'EVENTBRIDGE')),
  dynamodb: connected(new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB'))),
});
