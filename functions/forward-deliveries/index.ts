import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '../adapters/aws-clients.ts';
import { ForwardDeliveriesEnv, readEnv } from '../adapters/env.ts';
import { forwardHttp } from '../adapters/forward-http.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { composeForwarding } from './app.ts';

const env = readEnv(ForwardDeliveriesEnv, process.env);

/** The deployed forwarding of deliveries. */
export const handler = composeForwarding({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('forward-deliveries', env),
  dynamodb: new DynamoDBClient(clientSettings),
  secrets: new SecretsManagerClient(clientSettings),
  sqs: new SQSClient(clientSettings),
  post: forwardHttp(),
});
