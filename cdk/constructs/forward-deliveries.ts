import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import type { forwardDeliveriesEnv } from '../../functions/forward-deliveries/environment.ts';
import {
  forwardingDelay,
  forwardsFailed,
  maxForwardAttempts,
} from '../../functions/forward-deliveries/forward-delivery.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import type { Core, Outputs } from './deployment-context.ts';
import { queueWithDeadLetters, serveQueue, serveStream } from './event-sources.ts';
import { type Alarms, callfeedMetric, delayed, untaken, waitingIn } from './monitoring.ts';
import { ServiceFunction } from './service-function.ts';

/** Posts each delivery on to the addresses of its account: from the calls' stream into a queue, and from the queue to the addresses. */
export class ForwardDeliveries extends Construct {
  readonly service: ServiceFunction;
  /** One message for each delivery and address. Those about one call for one address are sent in their order. */
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly alarms: Alarms;
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, core: Core) {
    super(scope, id);

    const { deploymentContext, calls, accounts, settings } = core;
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
    service.allow(
      accounts.secretArn,
      'Reads the addresses of the accounts, and their keys.',
      'secretsmanager:GetSecretValue',
    );
    service.allow(queue.queueArn, 'Queues the deliveries that are to be sent.', 'sqs:SendMessage');
    service.allow(queue.queueArn, 'Waits longer after each failed attempt.', 'sqs:ChangeMessageVisibility');
    service.allowEverywhere('Finds the streams of the tables.', 'dynamodb:ListStreams');
    // The stream is read from its oldest change on, so that no call is overlooked that is written while this is deployed.
    // When forwarding is switched on, no account has an address yet, so the older changes are sent nowhere.
    serveStream(service, {
      consumer: 'forward-deliveries',
      id: 'Calls',
      table: calls,
      kinds: callsTable.published,
    });
    serveQueue(service, { consumer: 'forward-deliveries', queue, maxConcurrency: settings.forwardingConcurrency });

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
          'Deliveries to the addresses in forwardTo wait for more than a quarter of an hour before they are tried. More may come than ' +
          'forwarding can send. The tables and events are correct.',
        ...delayed(deploymentContext, forwardingDelay),
      },
      ForwardingStopped: {
        impact:
          'For half an hour deliveries to the addresses in forwardTo have waited, and none has been tried. SQS deletes them after ' +
          '14 days. The tables and events are correct.',
        ...untaken(queue),
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
