import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { maxLoginsBytes } from '../../lib/agents/get-agent-logins.ts';
import { requestTimeoutMs } from '../../lib/service/service.ts';
import { connected, deployedSettings } from '../adapters/aws-clients.ts';
import { deployedParts } from '../adapters/json-telemetry.ts';
import { telephonyHttp } from '../adapters/telephony-http.ts';
import { composePoller } from './app.ts';
import { pollAgentsEnv } from './environment.ts';

export const handler = composePoller({
  ...deployedParts('poll-agents', pollAgentsEnv, process.env),
  dynamodb: connected(new DynamoDBClient(deployedSettings(process.env, 'DYNAMODB'))),
  secrets: new SecretsManagerClient(deployedSettings(process.env, 'SECRETS_MANAGER')),
  service: telephonyHttp({ timeoutMs: requestTimeoutMs, maxBytes: maxLoginsBytes }),
  pause: async (milliseconds) => pause(milliseconds),
});
