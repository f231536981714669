import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeForwarding, postForm } from './app.ts';
import { forwardDeliveriesEnv } from './environment.ts';

const env = readEnv(forwardDeliveriesEnv, process.env);

export const handler = composeForwarding({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('forward-deliveries', env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  sqs: connected(new SQSClient(deployedSettings(process.env, 'SQS'))),
  post: postForm(),
});
