import { Duration } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { privateQueue, type Standards } from './standards.ts';

/** Who empties the queue, and how long one run of it may take. */
export interface ParkingQueueProps {
  readonly standards: Standards;
  readonly consumerTimeout: Duration;
}

/**
 * A day of tries at one every six minutes: longer than any outage of DynamoDB on record. A count meant for bad messages,
 * such as 5, would set aside every parked callback within half an hour of an outage, for somebody to redrive by hand.
 */
const maxReceiveCount = 240;

/** Where callbacks wait while the tables are unavailable. They were acknowledged, so this is data, not a buffer. */
export class ParkingQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { standards, consumerTimeout }: ParkingQueueProps) {
    super(scope, id);

    this.deadLetters = privateQueue(this, 'DeadLetters', { standards });
    this.queue = privateQueue(this, 'Queue', {
      standards,
      // Six times the consumer's timeout: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * 6),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: maxReceiveCount },
    });
  }
}
