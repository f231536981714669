import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PollAgentsEnv } from '../../functions/poll-agents/env.ts';
import type { Settings } from '../settings/settings.ts';
import { serveQueue } from './serve-queue.ts';
import { ServiceFunction } from './service-function.ts';
import type { Standards } from './standards.ts';
import { tickQueue } from './tick-queue.ts';
import { TickSchedule } from './tick-schedule.ts';

/** Where agents are kept, and whose are polled. */
export interface PollAgentsProps {
  readonly standards: Standards;
  readonly agents: TableV2;
  readonly accounts: Secret;
  readonly settings: Pick<Settings, 'snapshotRetentionDays' | 'intervalRetentionDays' | 'timeZone'>;
}

/** Asks the contact-centre service every 15 seconds who is logged in, and stores what has changed. */
export class PollAgents extends Construct {
  readonly service: ServiceFunction;
  readonly ticks: Queue;

  constructor(scope: Construct, id: string, { standards, agents, accounts, settings }: PollAgentsProps) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      standards,
      name: 'poll-agents',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Polls the states of agents, and stores what has changed.',
      environment: {
        AGENTS_TABLE: agents.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        SNAPSHOT_RETENTION_DAYS: String(settings.snapshotRetentionDays),
        INTERVAL_RETENTION_DAYS: String(settings.intervalRetentionDays),
        DEFAULT_TIME_ZONE: settings.timeZone,
      } satisfies PollAgentsEnv,
    });
    this.service.allow(agents.tableArn, 'Reads the floor that a new process does not know.', 'dynamodb:Query');
    // A transaction asks for the rights of what it does.
    this.service.allow(
      agents.tableArn,
      'Writes what has changed of agents, and the history of it.',
      'dynamodb:PutItem',
      'dynamodb:BatchWriteItem',
    );
    this.service.allow(agents.tableArn, 'Removes the rows of those who have left.', 'dynamodb:DeleteItem');
    this.service.allow(accounts.secretArn, 'Polls with the keys of the accounts.', 'secretsmanager:GetSecretValue');

    this.ticks = tickQueue(this, 'Ticks', standards);
    new TickSchedule(this, 'EveryMinute', { standards, queue: this.ticks });
    // Two runs at once are the least that can be set; the table keeps them from polling a slot twice.
    serveQueue(this.service, { queue: this.ticks, maxConcurrency: 2 });
  }
}
