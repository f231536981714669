import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composePublisher } from './app.ts';
import { publishChangesEnv } from './environment.ts';

export const handler = composePublisher({
  ...deployedParts('publish-changes', publishChangesEnv, process.env),
  eventbridge: new EventBridgeClient(deployedSettings(process.env, 'EVENTBRIDGE')),
  dynamodb: connected(new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB'))),
});
