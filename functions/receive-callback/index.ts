import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { once } from '../../lib/core/collections.ts';
import { askForOffsetsFirst } from '../../lib/core/time.ts';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composeReceiver } from './app.ts';
import { dateOffsets, receiveCallbackEnv } from './environment.ts';

askForOffsetsFirst(dateOffsets);

export const handler = composeReceiver({
  ...deployedParts('receive-callback', receiveCallbackEnv, process.env),
  dynamodb: connected(new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB'))),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  sqs: once(() => new SQSClient(deployedSettings(process.env, 'SQS'))),
});
