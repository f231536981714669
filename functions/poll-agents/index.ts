import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { requestTimeoutMs } from '../../lib/feed/claim.ts';
import { pollAgents } from '../../lib/poll-agents.ts';
import { accountsFrom } from '../adapters/accounts-from.ts';
import { clientSettings, storeDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoAgentTable } from '../adapters/dynamo-agent-table.ts';
import { jsonTelemetry } from '../adapters/json-telemetry.ts';
import { telephonyHttp } from '../adapters/telephony-http.ts';
import { PollAgentsEnv } from './env.ts';
import { createHandler } from './handler.ts';

const env = PollAgentsEnv.parse(process.env);
const clock = () => new Date();
const telemetry = jsonTelemetry({ function: 'poll-agents', deployment: env.DEPLOYMENT }, (line) =>
  process.stdout.write(line),
);

/** The poller of agents, as deployed. */
export const handler = createHandler({
  clock,
  telemetry,
  poll: pollAgents({
    clock,
    telemetry,
    accounts: accountsFrom(new SecretsManagerClient(clientSettings), env, { clock, telemetry }),
    table: dynamoAgentTable({
      client: new DynamoDBClient(clientSettings),
      tableName: env.AGENTS_TABLE,
      deadlineMs: storeDeadlineMs,
    }),
    service: telephonyHttp({ timeoutMs: requestTimeoutMs }),
    pause: async (milliseconds) => pause(milliseconds),
    retention: { floorDays: env.SNAPSHOT_RETENTION_DAYS, intervalDays: env.INTERVAL_RETENTION_DAYS },
  }),
});
