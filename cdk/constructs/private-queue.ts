import { Duration } from 'aws-cdk-lib';
import { type DeadLetterQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { keptData, type Standards } from './standards.ts';

/** What a queue of ours may choose. */
export interface PrivateQueueProps {
  readonly standards: Standards;
  readonly deadLetterQueue?: DeadLetterQueue;
  readonly visibilityTimeout?: Duration;
}

/** How a queue is encrypted: with the deployment's key or, without one, with SQS's own. */
export const queueEncryption = ({ encryptionKey }: Standards) =>
  encryptionKey
    ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
    : { encryption: QueueEncryption.SQS_MANAGED };

/** An encrypted queue for data: it keeps what it holds for as long as SQS can (14 days). */
export const privateQueue = (scope: Construct, id: string, { standards, ...props }: PrivateQueueProps): Queue =>
  new Queue(scope, id, {
    ...props,
    ...queueEncryption(standards),
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    maxMessageSizeBytes: 1024 * 1024,
    removalPolicy: keptData(standards),
  });
