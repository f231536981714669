import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { once } from '../../lib/core/collections.ts';
import { clientSettings, connectedDynamodb } from '../adapters/aws-clients.ts';
import { ReceiveCallbackEnv, readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeReceiver } from './app.ts';

const env = readEnv(ReceiveCallbackEnv, process.env);

/** The deployed callback receiver. */
export const handler = composeReceiver({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('receive-callback', env),
  dynamodb: connectedDynamodb(process.env),
  secrets: new SecretsManagerClient(clientSettings),
  sqs: once(() => new SQSClient(clientSettings)),
});
