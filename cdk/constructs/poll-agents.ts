import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Universal } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { PollAgentsEnv } from '../../functions/poll-agents/env.ts';
import { scheduleMinutes, tickEntries, tickLifeSeconds } from '../../functions/poll-agents/ticks.ts';
import type { Settings } from '../settings/settings.ts';
import { explain, keyPermission, type Permission, statementOf } from './permission.ts';
import { ServiceFunction, serveQueue, timeoutOf } from './service-function.ts';
import { queueEncryption, type Standards } from './standards.ts';

/**
 * Where ticks wait for their slots. It has no dead letters and goes with the stack, as a tick is worth nothing once its
 * slot is over: to poll later on its account would take the place of a poll that is due.
 */
const tickQueue = (scope: Construct, id: string, standards: Standards): Queue => {
  const queue = new Queue(scope, id, {
    ...queueEncryption(standards),
    enforceSSL: true,
    retentionPeriod: Duration.seconds(tickLifeSeconds),
    // The least that Lambda takes. A failed run's tick may well serve the next slot, if that is not served already.
    visibilityTimeout: timeoutOf('poll-agents'),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason:
      'A tick is worth nothing once its slot is over, and the next one is on its way: none is worth setting aside.',
  });

  return queue;
};

/** Where ticks go. */
export interface TickScheduleProps {
  readonly standards: Standards;
  readonly queue: Queue;
}

/** Sends the ticks of two minutes at once, each with the delay to its slot: no schedule is finer than a minute. */
export class TickSchedule extends Construct {
  constructor(scope: Construct, id: string, { standards, queue }: TickScheduleProps) {
    super(scope, id);

    const { account } = Stack.of(this);
    const conditions = { StringEquals: { 'aws:SourceAccount': account } };
    // The role that CDK would make belongs to the stack, and is shared by whatever else in it has such a target.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }) });
    const rights = this.rightsTo(queue, standards);
    for (const right of rights) explain(role, right);

    new Schedule(this, 'Schedule', {
      description: 'Ticks for the polls of a minute.',
      schedule: ScheduleExpression.rate(Duration.minutes(scheduleMinutes)),
      target: new Universal({
        service: 'sqs',
        action: 'sendMessageBatch',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, Entries: tickEntries }),
        role,
        policyStatements: rights.map(statementOf),
        // After a minute the next ones are sent.
        maxEventAge: Duration.minutes(scheduleMinutes),
        retryAttempts: 3,
      }),
    });
  }

  private rightsTo({ queueArn }: Queue, { encryptionKey }: Standards): readonly Permission[] {
    const send: Permission = { actions: ['sqs:SendMessage'], resource: queueArn, why: 'Sends ticks to their queue.' };
    if (encryptionKey === undefined) return [send];

    return [send, keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['sqs'])];
  }
}

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
