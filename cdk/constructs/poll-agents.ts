import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { PollAgentsEnv } from '../../functions/poll-agents/env.ts';
import type { Settings } from '../config.ts';
import { ServiceFunction } from './service-function.ts';
import { tickQueue } from './tick-queue.ts';
import { TickSchedule } from './tick-schedule.ts';

/** Where agents are kept, and whose are polled. */
export interface PollAgentsProps {
  readonly agents: TableV2;
  readonly accounts: Secret;
  readonly settings: Pick<Settings, 'snapshotRetentionDays' | 'intervalRetentionDays'>;
}

/** Asks the contact-centre service every 15 seconds who is logged in, and stores what has changed. */
export class PollAgents extends Construct {
  constructor(scope: Construct, id: string, { agents, accounts, settings }: PollAgentsProps) {
    super(scope, id);

    const poller = new ServiceFunction(this, 'Service', {
      name: 'poll-agents',
      description: 'Polls the states of agents, and stores what has changed.',
      environment: {
        AGENTS_TABLE: agents.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        SNAPSHOT_RETENTION_DAYS: String(settings.snapshotRetentionDays),
        INTERVAL_RETENTION_DAYS: String(settings.intervalRetentionDays),
      } satisfies PollAgentsEnv,
    });
    // A transaction asks for the rights of what it does.
    poller.allow(
      agents.tableArn,
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:DeleteItem',
      'dynamodb:BatchWriteItem',
    );
    poller.allow(accounts.secretArn, 'secretsmanager:GetSecretValue');

    const queue = tickQueue(this, 'Ticks');
    new TickSchedule(this, 'EveryMinute', { queue });
    // Two runs at once are the least that can be set; the table keeps them from polling a slot twice.
    poller.function.addEventSource(
      new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true, maxConcurrency: 2 }),
    );
  }
}
