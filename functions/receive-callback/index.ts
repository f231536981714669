import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings, silent } from '../adapters/aws-clients.ts';
import { deployedTelemetry } from '../adapters/deployed-telemetry.ts';
import { composeReceiver } from './compose.ts';
import { ReceiveCallbackEnv } from './env.ts';

const env = ReceiveCallbackEnv.parse(process.env);

/** The callback receiver, as deployed. */
export const handler = composeReceiver({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('receive-callback', env),
  dynamodb: silent(new DynamoDBClient(clientSettings)),
  secrets: silent(new SecretsManagerClient(clientSettings)),
  sqs: silent(new SQSClient(clientSettings)),
});
