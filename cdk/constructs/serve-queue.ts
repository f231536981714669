import { Names } from 'aws-cdk-lib';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { ServiceFunction } from './service-function.ts';

/** What is served, and by how many runs at once. */
export interface ServeQueueProps {
  readonly queue: Queue;
  readonly maxConcurrency: number;
}

/** Has a function serve a queue, ten messages at a time; those that fail come again, the others do not. */
export const serveQueue = (server: ServiceFunction, { queue, maxConcurrency }: ServeQueueProps): void => {
  server.allow(
    queue.queueArn,
    'Is handed the messages of the queue that it serves.',
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
  );

  // Never change the id: Lambda takes no second mapping of a queue, and CloudFormation would make it before the old one goes.
  server.function.addEventSourceMapping(`SqsEventSource:${Names.nodeUniqueId(queue.node)}`, {
    eventSourceArn: queue.queueArn,
    batchSize: 10,
    reportBatchItemFailures: true,
    maxConcurrency,
  });
};
