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

/** The table of agents, the accounts to poll, and how long history is retained. */
export interface PollAgentsProps {
  readonly standards: Standards;
  readonly agents: TableV2;
  readonly accounts: Secret;
  readonly settings: Pick<Settings, 'snapshotRetentionDays' | 'intervalRetentionDays'>;
}

/** Polls the telephony service every 15 seconds for the logged-in agents, and stores the changes. */
export class PollAgents extends Construct {
  readonly service: ServiceFunction;
  readonly ticks: Queue;

  constructor(scope: Construct, id: string, { standards, agents, accounts, settings }: PollAgentsProps) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      standards,
      name: 'poll-agents',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Polls the states of agents and stores the changes.',
      environment: {
        AGENTS_TABLE: agents.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        SNAPSHOT_RETENTION_DAYS: String(settings.snapshotRetentionDays),
        INTERVAL_RETENTION_DAYS: String(settings.intervalRetentionDays),
      } satisfies PollAgentsEnv,
    });
    this.service.allow(agents.tableArn, 'Reads the agents when a new process starts.', 'dynamodb:Query');
    // A transaction needs the permissions of its single writes.
    this.service.allow(
      agents.tableArn,
      'Writes the changes of agents and their history.',
      'dynamodb:PutItem',
      'dynamodb:BatchWriteItem',
    );
    this.service.allow(agents.tableArn, 'Removes the rows of agents who logged out.', 'dynamodb:DeleteItem');
    this.service.allow(accounts.secretArn, 'Polls with the keys of the accounts.', 'secretsmanager:GetSecretValue');

    this.ticks = tickQueue(this, 'Ticks', standards);
    new TickSchedule(this, 'EveryMinute', { standards, queue: this.ticks });
    // Lambda accepts no less than two concurrent runs. The table prevents that both poll the same slot.
    serveQueue(this.service, { queue: this.ticks, maxConcurrency: 2 });
  }
}

/**
 * The queue in which ticks wait for their slots. A tick is worthless once its slot is over, because a late poll would use
 * up the rate limit of the next one. The queue therefore has no dead letters and is deleted with the stack.
 */
const tickQueue = (scope: Construct, id: string, standards: Standards): Queue => {
  const queue = new Queue(scope, id, {
    ...queueEncryption(standards),
    enforceSSL: true,
    retentionPeriod: Duration.seconds(tickLifeSeconds),
    // The shortest that Lambda accepts. The tick of a failed run may serve the next slot, if that is still free.
    visibilityTimeout: timeoutOf('poll-agents'),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'A tick is worthless once its slot is over, and the next tick follows. No tick needs a dead-letter queue.',
  });

  return queue;
};

/** The queue that receives the ticks. */
interface TickScheduleProps {
  readonly standards: Standards;
  readonly queue: Queue;
}

/** Sends the ticks of two minutes at once, each delayed to its slot, because a schedule runs at most once a minute. */
class TickSchedule extends Construct {
  constructor(scope: Construct, id: string, { standards, queue }: TickScheduleProps) {
    super(scope, id);

    const { account } = Stack.of(this);
    const conditions = { StringEquals: { 'aws:SourceAccount': account } };
    // CDK's own role would be shared by every such target in the stack.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }) });
    const permissions = this.permissionsFor(queue, standards);
    for (const permission of permissions) explain(role, permission);

    new Schedule(this, 'Schedule', {
      description: 'Ticks for the polls of a minute.',
      schedule: ScheduleExpression.rate(Duration.minutes(scheduleMinutes)),
      target: new Universal({
        service: 'sqs',
        action: 'sendMessageBatch',
        input: ScheduleTargetInput.fromObject({ QueueUrl: queue.queueUrl, Entries: tickEntries }),
        role,
        policyStatements: permissions.map(statementOf),
        // The next ticks are sent after a minute.
        maxEventAge: Duration.minutes(scheduleMinutes),
        retryAttempts: 3,
      }),
    });
  }

  private permissionsFor({ queueArn }: Queue, { encryptionKey }: Standards): readonly Permission[] {
    const send: Permission = { actions: ['sqs:SendMessage'], resource: queueArn, why: 'Sends ticks to their queue.' };
    if (encryptionKey === undefined) return [send];

    return [send, keyPermission(encryptionKey, ['kms:Decrypt', 'kms:GenerateDataKey'], ['sqs'])];
  }
}
