import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import { maxParkedReceives } from '../../functions/event-sources.ts';
import type { receiveCallbackEnv } from '../../functions/receive-callback/environment.ts';
import type { recoverCallbacksEnv } from '../../functions/recover-callbacks/environment.ts';
import { callbackSecretHash } from '../../lib/accounts/callback-secret.ts';
import { accountRejected } from '../../lib/callback/authenticate-sender.ts';
import { callbackMetrics } from '../../lib/callback/reply.ts';
import type { Settings } from '../settings/settings.ts';
import type { Core, DeploymentContext } from './deployment-context.ts';
import { queueWithDeadLetters, serveQueue } from './event-sources.ts';
import { type Alarms, callfeedMetric, waitingIn } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';

export const callbackSecretEnvironment = ({
  callbackSecret,
  formerCallbackSecret,
}: Settings): { readonly CALLBACK_SECRET_SHA256?: string } => {
  const secrets = [callbackSecret, formerCallbackSecret].filter((secret) => secret !== undefined);
  return secrets.length > 0 ? { CALLBACK_SECRET_SHA256: callbackSecretHash(...secrets) } : {};
};

const storeEnvironment = ({ calls, quarantine }: Core) =>
  ({
    CALLS_TABLE: calls.tableName,
    QUARANTINE_TABLE: quarantine.tableName,
  }) satisfies VariablesOf<typeof recoverCallbacksEnv>;

/** Grants what storing needs. No read is needed: a failed conditional write returns the existing row. */
const allowStoring = (writer: ServiceFunction, { calls, quarantine }: Core): void => {
  writer.allow(calls.tableArn, 'Stores calls and participants.', 'dynamodb:PutItem');
  const entry = 'Removes the index entry of an agent that a later delivery removed from a call.';
  writer.allow(calls.tableArn, entry, 'dynamodb:DeleteItem');
  writer.allow(quarantine.tableArn, 'Stores callbacks that could not be read.', 'dynamodb:PutItem');
};

interface WithParking extends Core {
  readonly parking: ParkingQueue;
}

/** Receives callbacks: one durable write each, to the table or, while that is unavailable, to the parking queue. */
export class ReceiveCallback extends Construct {
  readonly service: ServiceFunction;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, core: WithParking) {
    super(scope, id);

    const { deploymentContext, accounts, parking, settings } = core;
    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'receive-callback',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Stores the call summaries that the telephony service posts.',
      ...(settings.receiverConcurrency !== undefined && {
        reservedConcurrentExecutions: settings.receiverConcurrency,
      }),
      environment: {
        ...storeEnvironment(core),
        PARKING_QUEUE_URL: parking.queue.queueUrl,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        ...callbackSecretEnvironment(settings),
      } satisfies VariablesOf<typeof receiveCallbackEnv>,
    });

    allowStoring(this.service, core);
    this.service.allow(parking.queue.queueArn, 'Parks calls while a table is unavailable.', 'sqs:SendMessage');
    this.service.allow(accounts.secretArn, 'Reads the accounts that may post.', 'secretsmanager:GetSecretValue');

    this.alarms = {
      AccountRejected: {
        impact:
          'Posts that name an account are not accepted, most likely because its key was changed at the telephony service. ' +
          'Its calls are not recorded.',
        metric: callfeedMetric(deploymentContext, accountRejected, { minutes: 60 }),
        threshold: 3,
      },
      CallsNotRecorded: {
        impact:
          'The telephony service posts callbacks, and none is accepted, or many cannot be read. Calls are missing.',
        first: 'quarantine list',
        metric: callsNotRecorded(deploymentContext),
      },
    };
  }
}

/** 1 if posts arrived in the hour and none was accepted (other posts come without calls too), or if many could not be read. */
const callsNotRecorded = (deploymentContext: DeploymentContext): MathExpression =>
  new MathExpression({
    // AWS does not document FILL for a metric without any value: functions emit together what an alarm compares.
    expression:
      'IF((FILL(accepted, 0) < 1 AND (FILL(rejected, 0) >= 3 OR FILL(unrecognised, 0) >= 30)) ' +
      'OR FILL(quarantined, 0) >= 10, 1, 0)',
    usingMetrics: {
      accepted: callfeedMetric(deploymentContext, callbackMetrics.accepted),
      rejected: callfeedMetric(deploymentContext, callbackMetrics.rejected),
      unrecognised: callfeedMetric(deploymentContext, callbackMetrics.unrecognised),
      quarantined: callfeedMetric(deploymentContext, callbackMetrics.quarantined),
    },
    label: 'Calls not recorded',
    period: Duration.hours(1),
  });

export class RecoverCallbacks extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, core: WithParking) {
    super(scope, id);

    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'recover-callbacks',
      encryptedIn: ['dynamodb', 'sqs'],
      description: 'Stores the callbacks that were parked while a table was unavailable.',
      environment: storeEnvironment(core),
    });
    allowStoring(this.service, core);
    // A backlog of hours must not overload the table that has just recovered, nor take the receiver's concurrency.
    serveQueue(this.service, { consumer: 'recover-callbacks', queue: core.parking.queue, maxConcurrency: 10 });
  }
}

/** Holds callbacks while the tables are unavailable. They were acknowledged, so this queue holds data that must not be lost. */
export class ParkingQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, deploymentContext: DeploymentContext) {
    super(scope, id);

    const reading = { consumer: 'recover-callbacks', maxReceiveCount: maxParkedReceives } as const;
    const { queue, deadLetters } = queueWithDeadLetters(this, deploymentContext, reading);
    this.queue = queue;
    this.deadLetters = deadLetters;
    this.alarms = {
      ParkedOverdue: {
        impact:
          'Calls have waited in the parking queue for half an hour, because a table accepts no writes or recovery fails. ' +
          'Readers and subscribers do not see them yet.',
        metric: unfinishedMessages(queue),
        periods: 6,
      },
      ParkedDeadLettered: {
        impact:
          'Calls could not be stored for a day and are dead letters now. SQS deletes them 14 days after they arrived.',
        first: 'dead-letters list parked',
        metric: waitingIn(deadLetters),
      },
    };
  }
}

/** The age of the oldest message is no use: SQS leaves out messages that were received three times, and these have waited longest. */
const unfinishedMessages = (queue: Queue): MathExpression =>
  new MathExpression({
    expression: 'visible + inFlight',
    usingMetrics: {
      visible: waitingIn(queue),
      inFlight: queue.metricApproximateNumberOfMessagesNotVisible({ statistic: 'Maximum' }),
    },
    label: 'Calls in the parking queue',
    period: Duration.minutes(5),
  });
