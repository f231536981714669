import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings, withoutLogger } from '../adapters/aws-clients.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeReceiver } from './app.ts';
import { ReceiveCallbackEnv } from './env.ts';

const env = ReceiveCallbackEnv.parse(process.env);

/** The deployed callback receiver. */
export const handler = composeReceiver({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('receive-callback', env),
  dynamodb: withoutLogger(new DynamoDBClient(clientSettings)),
  secrets: withoutLogger(new SecretsManagerClient(clientSettings)),
  sqs: withoutLogger(new SQSClient(clientSettings)),
});
