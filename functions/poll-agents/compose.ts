import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type * as z from 'zod';
import { pollAgents } from '../../lib/poll-agents.ts';
import type { Clock, TelephonyService } from '../../lib/ports.ts';
import { accountsFrom } from '../adapters/accounts-from.ts';
import { storeDeadlineMs as deployedDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoAgentTable } from '../adapters/dynamo-agent-table.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import type { PollAgentsEnv } from './env.ts';
import { createHandler } from './handler.ts';

/** What the poller is made of. */
export interface PollerParts {
  readonly env: z.output<typeof PollAgentsEnv>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly service: TelephonyService;
  /** Resolves after so many milliseconds. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** How long the table may take, if not as long as deployed. */
  readonly storeDeadlineMs?: number;
}

/** The poller of agents over these clients. */
export const composePoller = ({ env, dynamodb, secrets, ...ports }: PollerParts) => {
  const { clock, telemetry, service, pause, storeDeadlineMs: deadlineMs = deployedDeadlineMs } = ports;
  return createHandler({
    clock,
    telemetry,
    poll: pollAgents({
      clock,
      telemetry,
      service,
      pause,
      accounts: accountsFrom(secrets, env, { clock, telemetry }),
      table: dynamoAgentTable({ client: dynamodb, tableName: env.AGENTS_TABLE, deadlineMs }),
      retention: { floorDays: env.SNAPSHOT_RETENTION_DAYS, intervalDays: env.INTERVAL_RETENTION_DAYS },
    }),
  });
};
