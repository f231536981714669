import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import { type ReconcileMessage, reportMetrics } from '../../functions/reconcile-calls/reconcile-calls.ts';
import { callbackSecretEnvironment } from './callback-functions.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { QueueSchedule, serveQueue, transientQueue, visibilityTimeoutFor } from './event-sources.ts';
import { type Alarms, callfeedMetric } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';

/** When each schedule begins, in UTC, the time until it begins again, and over which alarms judge several runs or one. */
const schedules = {
  // Not at the full hour, at which everybody else's schedules ask the service for reports.
  hourly: { at: { minute: '17' }, period: Duration.hours(1), judgedOver: Duration.hours(3) },
  // At 03:00 local time the service moves a finished day, which may look smaller meanwhile. At 05:30 UTC that is over from
  // Asia to Europe, and hours away in North America.
  daily: { at: { minute: '30', hour: '5' }, period: Duration.days(1), judgedOver: Duration.days(1) },
};

export class ReconcileCalls extends Construct {
  readonly service: ServiceFunction;
  /** Takes the schedule's messages, an operator's, and those by which the function goes on with a run. */
  readonly queue: Queue;
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, calls, agents, accounts, settings } = core;
    const { at, period, judgedOver } = schedules[settings.reconciliation === 'daily' ? 'daily' : 'hourly'];
    this.queue = transientQueue(this, 'Queue', deploymentContext, {
      retentionPeriod: period,
      visibilityTimeout: visibilityTimeoutFor('reconcile-calls'),
      whyNoDeadLetters:
        'A lost message only delays: the table has what is left, and the next schedule goes on with it.',
    });

    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'reconcile-calls',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Stores the calls of the service’s report whose callback never came.',
      environment: {
        CALLS_TABLE: calls.tableName,
        AGENTS_TABLE: agents.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        RECONCILE_QUEUE_URL: this.queue.queueUrl,
        ...callbackSecretEnvironment(settings),
      } satisfies VariablesOf<typeof reconcileCallsEnv>,
    });
    const { service } = this;
    service.allow(calls.tableArn, 'Reads the calls of a page of the report.', 'dynamodb:BatchGetItem');
    service.allow(calls.tableArn, 'Stores calls that are missing or incomplete.', 'dynamodb:PutItem');
    const entry = 'Removes the index entry of an agent who is no longer part of a call.';
    service.allow(calls.tableArn, entry, 'dynamodb:DeleteItem');
    service.allow(agents.tableArn, 'Reads how far a reconciliation is, and the token.', 'dynamodb:Query');
    service.allow(agents.tableArn, 'Writes how far a reconciliation is, and the token.', 'dynamodb:PutItem');
    service.allow(accounts.secretArn, 'Requests the report with the accounts’ keys.', 'secretsmanager:GetSecretValue');
    service.allow(this.queue.queueArn, 'Goes on once the rate limit has room.', 'sqs:SendMessage');

    new QueueSchedule(this, 'Schedule', {
      deploymentContext,
      queue: this.queue,
      description: 'Begins the reconciliation of calls.',
      schedule: ScheduleExpression.cron(at),
      request: { MessageBody: JSON.stringify({ kind: 'all' } satisfies ReconcileMessage) },
      maxEventAge: Duration.hours(1),
      why: 'Begins the reconciliation of calls.',
    });
    // Accounts are reconciled side by side, but must not take the receiver's concurrency.
    serveQueue(service, { consumer: 'reconcile-calls', queue: this.queue, maxConcurrency: 5 });

    this.outputs = {
      ReconciliationQueueUrl: [
        this.queue.queueUrl,
        'Queue of the messages that start and continue the reconciliation of calls.',
      ],
    };
    this.alarms = {
      CallbacksMissing: {
        impact:
          'Callbacks are not arriving. The service’s report has many calls that nobody posted; their rows and events come late.',
        // For at least five new calls, and for more than a fifth of them, no callback came.
        metric: new MathExpression({
          expression: 'IF(found >= 5 AND found * 5 > reported, 1, 0)',
          usingMetrics: {
            found: callfeedMetric(deploymentContext, reportMetrics.found),
            reported: callfeedMetric(deploymentContext, reportMetrics.new),
          },
          label: 'Callbacks missing',
          period: judgedOver,
        }),
      },
      ReconciliationSilent: {
        impact: 'The service’s call report is not read to its end. Calls whose callback never arrives stay missing.',
        metric: callfeedMetric(deploymentContext, reportMetrics.runsCompleted, { minutes: judgedOver.toMinutes() }),
        periods: 2,
        below: true,
        raisedWithoutData: true,
      },
    };
  }
}
