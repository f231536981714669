import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { composeForwarding, postForm } from './app.ts';
import { forwardDeliveriesEnv } from './environment.ts';

export const handler = composeForwarding({
  ...deployedParts('forward-deliveries', forwardDeliveriesEnv, process.env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  sqs: connected(new SQSClient(deployedSettings(process.env, 'SQS'))),
  post: postForm(),
});
