import * as z from 'zod';
import { awsJson, type Operation, operation } from '../http/aws-json.ts';
import type { Handle } from '../http/serve.ts';
import { localRegion } from '../local-client.ts';
import { depthOf } from './depth.ts';
import type { Queue } from './queue.ts';
import { receiveOperations } from './receive-operations.ts';
import { sendOperations } from './send-operations.ts';
import { done, localAccount, refuse, sqs } from './sqs.ts';
import { type QueueOf, toQueue } from './to-queue.ts';

/** The queue's name as ARNs carry it. */
export const queueArn = (name: string): string => `arn:aws:sqs:${localRegion}:${localAccount}:${name}`;

/** The address of a queue under an endpoint. */
export const queueUrl = (endpoint: string, name: string): string => `${endpoint}/${localAccount}/${name}`;

const attributesOf = (queue: Queue, now: number) => {
  const { visible, hidden, delayed } = depthOf(queue.messages(), now);

  return {
    QueueArn: queueArn(queue.name),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(hidden),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(Math.round(queue.visibilityMilliseconds / 1000)),
  };
};

const about = (queueOf: QueueOf, host: () => string): Readonly<Record<string, Operation>> => ({
  GetQueueAttributes: operation(sqs, z.object({ QueueUrl: z.string() }), ({ QueueUrl }) =>
    toQueue(queueOf, QueueUrl, (queue) => done({ Attributes: attributesOf(queue, Date.now()) })),
  ),
  GetQueueUrl: operation(sqs, z.object({ QueueName: z.string() }), ({ QueueName }) =>
    queueOf(QueueName) === undefined
      ? refuse('QueueDoesNotExist', 'The specified queue does not exist.')
      : done({ QueueUrl: queueUrl(host(), QueueName) }),
  ),
});

/** Speaks SQS for queues that exist already; `onSent` is told how many messages a queue took. */
export const sqsEndpoint = (
  queues: readonly Queue[],
  host: () => string,
  onSent: (queue: Queue, count: number) => void = () => undefined,
): Handle => {
  const queueOf: QueueOf = (name) => queues.find((queue) => queue.name === name);

  return awsJson(sqs, { ...sendOperations(queueOf, onSent), ...receiveOperations(queueOf), ...about(queueOf, host) });
};
