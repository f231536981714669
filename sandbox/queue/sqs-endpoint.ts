import * as z from 'zod';
import { awsJson, type Operation, operation } from '../http/aws-json.ts';
import type { Handle } from '../http/serve.ts';
import { localAccount, localRegion } from '../local-aws.ts';
import type { Message } from './message.ts';
import type { Queue } from './queue.ts';
import { type FindQueue, rejection, sqs, success, withQueue } from './sqs.ts';
import { receiveOperations, sendOperations } from './sqs-operations.ts';

/** Answers SQS requests for the given queues. `onSent` is called with the number of messages that a queue accepted. */
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

/** Counts messages that are visible, that are hidden after a receipt, and that are still delayed. */
const depthOf = (messages: readonly Message[], now: number) => {
  const waiting = messages.filter(({ visibleAt }) => visibleAt > now);
  const delayed = waiting.filter(({ receiveCount }) => receiveCount === 0).length;

  return { visible: messages.length - waiting.length, hidden: waiting.length - delayed, delayed };
};

/** The ARN of a queue. */
export const queueArn = (name: string): string => `arn:aws:sqs:${localRegion}:${localAccount}:${name}`;

/** The URL of a queue at an endpoint. */
export const queueUrl = (endpoint: string, name: string): string => `${endpoint}/${localAccount}/${name}`;
