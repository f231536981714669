import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { once } from '../../lib/core/collections.ts';
import { deployedSettings, openConnection, withoutLogger } from '../adapters/aws-clients.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeReceiver } from './app.ts';
import { ReceiveCallbackEnv } from './env.ts';

const env = ReceiveCallbackEnv.parse(process.env);
const settings = deployedSettings(process.env);
const dynamodb = withoutLogger(new DynamoDBClient(settings));
void openConnection(dynamodb, process.env['AWS_ENDPOINT_URL']);

/** The deployed callback receiver. */
export const handler = composeReceiver({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('receive-callback', env),
  dynamodb,
  secrets: withoutLogger(new SecretsManagerClient(settings)),
  sqs: once(() => withoutLogger(new SQSClient(settings))),
});
