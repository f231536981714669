import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { type DeadLetterQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** What a queue of ours may choose. */
export interface PrivateQueueProps {
  readonly deadLetterQueue?: DeadLetterQueue;
  readonly visibilityTimeout?: Duration;
}

/** An encrypted queue that keeps what it holds for as long as SQS can (14 days), and longer than the stack. */
export const privateQueue = (scope: Construct, id: string, props: PrivateQueueProps = {}): Queue =>
  new Queue(scope, id, {
    ...props,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    removalPolicy: RemovalPolicy.RETAIN,
  });
