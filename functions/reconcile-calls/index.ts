import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { requestTimeoutMs } from '../../lib/service/service.ts';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { telephonyHttp } from '../adapters/telephony-http.ts';
import { composeReconciliation } from './app.ts';
import { reconcileCallsEnv } from './environment.ts';
import { reportTimeoutMs } from './reconciliation.ts';

const env = readEnv(reconcileCallsEnv, process.env);

export const handler = composeReconciliation({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('reconcile-calls', env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  sqs: connected(new SQSClient(deployedSettings(process.env, 'SQS'))),
  report: telephonyHttp({ timeoutMs: reportTimeoutMs }),
  service: telephonyHttp({ timeoutMs: requestTimeoutMs }),
});
