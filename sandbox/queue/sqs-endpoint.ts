import * as z from 'zod';
import { awsJson, type Operation, operation } from '../http/aws-json.ts';
import type { Handle } from '../http/serve.ts';
import { localAccount, localRegion } from '../local-aws.ts';
import type { Message } from './message.ts';
import type { Queue } from './queue.ts';
import { type FindQueue, rejection, sqs, success, withQueue } from './sqs.ts';
import { receiveOperations, sendOperations } from './sqs-operations.ts';

/** How many messages can be received now, were received and are hidden, and were never visible yet. */
const depthOf = (messages: readonly Message[], now: number) => {
  const waiting = messages.filter(({ visibleAt }) => visibleAt > now);
  const delayed = waiting.filter(({ receiveCount }) => receiveCount === 0).length;

  return { visible: messages.length - waiting.length, hidden: waiting.length - delayed, delayed };
};

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

const queueOperations = (queueOf: FindQueue, host: () => string): Readonly<Record<string, Operation>> => ({
  GetQueueAttributes: operation(sqs, z.object({ QueueUrl: z.string() }), ({ QueueUrl }) =>
    withQueue(queueOf, QueueUrl, (queue) => success({ Attributes: attributesOf(queue, Date.now()) })),
  ),
  GetQueueUrl: operation(sqs, z.object({ QueueName: z.string() }), ({ QueueName }) =>
    queueOf(QueueName) === undefined
      ? rejection('QueueDoesNotExist', 'The specified queue does not exist.')
      : success({ QueueUrl: queueUrl(host(), QueueName) }),
  ),
});

/** Speaks SQS for queues that exist already; `onSent` is told how many messages a queue took. */
export const sqsEndpoint = (
  queues: readonly Queue[],
  host: () => string,
  onSent: (queue: Queue, count: number) => void = () => undefined,
): Handle => {
  const queueOf: FindQueue = (name) => queues.find((queue) => queue.name === name);

  return awsJson(sqs, {
    ...sendOperations(queueOf, onSent),
    ...receiveOperations(queueOf),
    ...queueOperations(queueOf, host),
  });
};
