import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../lib/core/time.ts';
import type { TelephonyService } from '../../lib/service/service.ts';
import { storeDeadlineMs as deployedDeadlineMs, type PromptParts } from '../adapters/aws-clients.ts';
import { dynamoAgentTable } from '../adapters/dynamo-agent-table.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import { secretAccounts } from '../adapters/secret-accounts.ts';
import type { PollAgentsEnv } from './environment.ts';
import { pollAgents } from './poll-agents.ts';
import { tickLifeSeconds } from './ticks.ts';

interface Services {
  readonly poll: () => Promise<void>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
}

/** Polls the present slot once, however many ticks arrive. None is retried: the next one is on its way. */
export const createPollHandler = ({ poll, clock, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>(runSettings(telemetry)).handler(async ({ Records }) => {
    const now = clock();
    const fresh = Records.filter((tick) => ageSeconds(tick, now) < tickLifeSeconds).length;
    const dropped = Records.length - fresh;
    if (fresh > 0) await poll();
    telemetry.log({ level: 'info', message: 'Ticks handled', records: { fresh, dropped } });
    return { batchItemFailures: [] };
  });

/** Since the tick was sent, the queue's delay included. */
const ageSeconds = ({ attributes }: SQSRecord, now: Date): number =>
  (now.getTime() - Number(attributes.SentTimestamp)) / 1000;

export interface PollerParts extends PromptParts<PollAgentsEnv> {
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly service: TelephonyService;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export const composePoller = ({ env, dynamodb, secrets, ...ports }: PollerParts) => {
  const { clock, telemetry, service, pause, storeDeadlineMs: deadlineMs = deployedDeadlineMs } = ports;
  return createPollHandler({
    clock,
    telemetry,
    poll: pollAgents({
      env,
      clock,
      telemetry,
      service,
      pause,
      accounts: secretAccounts(secrets, env, { clock, telemetry }),
      table: dynamoAgentTable({ client: dynamodb, tableName: env.AGENTS_TABLE, deadlineMs }),
    }),
  });
};
