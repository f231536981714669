import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { tickLifeSeconds } from '../../functions/poll-agents/ticks.ts';
import { queueEncryption } from './private-queue.ts';
import { timeoutOf } from './service-function.ts';
import type { Standards } from './standards.ts';

/**
 * Where ticks wait for their slots. It has no dead letters and goes with the stack, as a tick is worth nothing once its
 * slot is over: to poll later on its account would take the place of a poll that is due.
 */
export const tickQueue = (scope: Construct, id: string, standards: Standards): Queue => {
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
