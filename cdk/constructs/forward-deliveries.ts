import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import { forwardsFailed, maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import { type Alarms, callfeedMetric, waitingIn } from '../monitoring.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { queueWithDeadLetters, serveQueue, serveStream } from './event-sources.ts';
import { ServiceFunction } from './service-function.ts';

/** Posts each delivery on to the addresses of its account: from the calls' stream into a queue, and from there. */
export class ForwardDeliveries extends Construct {
  readonly service: ServiceFunction;
  /** One message for each delivery and address. Those about one call for one address are sent in their order. */
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, calls, accounts } = core;
    const { queue, deadLetters } = queueWithDeadLetters(this, deploymentContext, {
      fifo: true,
      consumer: 'forward-deliveries',
      maxReceiveCount: maxForwardAttempts,
    });
    this.queue = queue;
    this.deadLetters = deadLetters;

    this.service = new ServiceFunction(this, 'Service', {
      core,
      name: 'forward-deliveries',
      encryptedIn: ['dynamodb', 'secretsmanager', 'sqs'],
      description: 'Posts the deliveries of calls on to other receivers.',
      environment: {
        CALLS_TABLE: calls.tableName,
        ACCOUNTS_SECRET_ARN: accounts.secretArn,
        FORWARD_QUEUE_URL: queue.queueUrl,
      } satisfies VariablesOf<typeof forwardDeliveriesEnv>,
    });
    const { service } = this;
    service.allow(calls.tableArn, 'Reads the call whose delivery a message names.', 'dynamodb:Query');
    const addresses = 'Reads the addresses of the accounts, and their keys.';
    service.allow(accounts.secretArn, addresses, 'secretsmanager:GetSecretValue');
    service.allow(queue.queueArn, 'Queues the deliveries that are to be sent.', 'sqs:SendMessage');
    service.allow(queue.queueArn, 'Waits longer after each failed attempt.', 'sqs:ChangeMessageVisibility');
    service.allowEverywhere('Finds the streams of the tables.', 'dynamodb:ListStreams');
    // Where it is switched on, no account has an address yet. A change during the deployment is not overlooked.
    serveStream(service, 'Calls', calls, callsTable.published);
    // An address that hangs takes ten seconds of a run. One message at a time, because a batch would wait for all of them.
    serveQueue(service, { queue, maxConcurrency: 10, batchSize: 1 });

    this.outputs = {
      ForwardingQueueUrl: [queue.queueUrl, 'Queue of deliveries that are to be forwarded.'],
      ForwardingDeadLettersUrl: [
        deadLetters.queueUrl,
        'Dead-letter queue of deliveries that could not be forwarded for a day.',
      ],
    };
    this.alarms = {
      ForwardingFails: {
        impact:
          'For half an hour deliveries to an address in forwardTo have failed. The receiver behind it gets its calls late.',
        first: 'dead-letters list forwarded',
        // The longest pause between two attempts is ten minutes.
        metric: callfeedMetric(deploymentContext, forwardsFailed, { minutes: 15 }),
        periods: 2,
      },
      ForwardingLate: {
        impact:
          'For half an hour deliveries to the addresses in forwardTo have not even been tried. They may be lost to them after a day. ' +
          'The tables and events are correct.',
        metric: untried(service, queue),
        periods: 2,
      },
      ForwardingDeadLettered: {
        impact:
          'Deliveries could not be forwarded for a day and are dead letters now. SQS deletes them after another 14 days.',
        first: 'dead-letters list forwarded',
        metric: waitingIn(deadLetters),
      },
    };
  }
}

/** 1 if the stream is five minutes behind, or if messages wait and none is taken; else 0. One that fails is taken every ten minutes. */
const untried = (service: ServiceFunction, queue: Queue): MathExpression =>
  new MathExpression({
    expression: `IF(FILL(age, 0) >= ${Duration.minutes(5).toMilliseconds()} OR (visible > 0 AND received < 1), 1, 0)`,
    usingMetrics: {
      age: service.function.metric('IteratorAge', { statistic: 'Maximum' }),
      visible: waitingIn(queue),
      received: queue.metricNumberOfMessagesReceived({ statistic: 'Sum' }),
    },
    label: 'Deliveries that are not tried',
    period: Duration.minutes(15),
  });
