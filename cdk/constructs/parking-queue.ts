import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type DeploymentContext, privateQueue } from './deployment-context.ts';

/** How long one run of the consumer may take. */
export interface ParkingQueueProps {
  readonly deploymentContext: DeploymentContext;
  readonly consumerTimeout: Duration;
}

/**
 * One try every six minutes for a day, which is longer than any known outage of DynamoDB. With a usual count such as 5,
 * an outage of half an hour would send every parked callback to the dead letters. Somebody would then have to redrive
 * them.
 */
const maxReceiveCount = 240;

/** Holds callbacks while the tables are unavailable. They were acknowledged, so this queue holds data that must not be lost. */
export class ParkingQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { deploymentContext, consumerTimeout }: ParkingQueueProps) {
    super(scope, id);

    this.deadLetters = privateQueue(this, 'DeadLetters', { deploymentContext });
    this.queue = privateQueue(this, 'Queue', {
      deploymentContext,
      // Six times the consumer's timeout: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
  }
}
