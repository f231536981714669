import { setTimeout as pause } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { maxLoginsBytes } from '../../lib/agents/get-agent-logins.ts';
import { requestTimeoutMs } from '../../lib/telephony/service/service.ts';
import { clientSettings, connectedDynamodb } from '../adapters/aws-clients.ts';
import { PollAgentsEnv, readEnv } from '../adapters/env.ts';
import { deployedTelemetry } from '../adapters/json-telemetry.ts';
import { telephonyHttp } from '../adapters/telephony-http.ts';
import { composePoller } from './app.ts';

const env = readEnv(PollAgentsEnv, process.env);

/** The deployed poller. */
export const handler = composePoller({
  env,
  clock: () => new Date(),
  telemetry: deployedTelemetry('poll-agents', env),
  dynamodb: connectedDynamodb(process.env),
  secrets: new SecretsManagerClient(clientSettings),
  service: telephonyHttp({ timeoutMs: requestTimeoutMs, maxBytes: maxLoginsBytes }),
  pause: async (milliseconds) => pause(milliseconds),
});
