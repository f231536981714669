import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { requestTimeoutMs } from '../../lib/service/service.ts';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { telephonyHttp } from '../adapters/telephony-http.ts';
import { composeReconciliation } from './app.ts';
import { reconcileCallsEnv } from './environment.ts';
import { reportTimeoutMs } from './reconciliation.ts';

export const handler = composeReconciliation({
  ...deployedParts('reconcile-calls', reconcileCallsEnv, process.env),
  dynamodb: new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB')),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  sqs: connected(new SQSClient(deployedSettings(process.env, 'SQS'))),
  report: telephonyHttp({ timeoutMs: reportTimeoutMs }),
  service: telephonyHttp({ timeoutMs: requestTimeoutMs }),
});
