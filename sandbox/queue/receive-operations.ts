import * as z from 'zod';
import { type Operation, operation } from '../http/aws-json.ts';
import { type Message, md5 } from './message.ts';
import { batchLimit } from './message-limits.ts';
import type { Queue } from './queue.ts';
import { done, refuse, sqs } from './sqs.ts';
import { type QueueOf, toQueue } from './to-queue.ts';

const visibility = z.int().min(0).max(43_200);
const ReceiveMessage = z.object({
  QueueUrl: z.string(),
  MaxNumberOfMessages: z.int().min(1).max(batchLimit).default(1),
  VisibilityTimeout: visibility.optional(),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
});
const Receipt = z.object({ ReceiptHandle: z.string() });
const DeleteMessage = Receipt.extend({ QueueUrl: z.string() });
const DeleteMessageBatch = z.object({ QueueUrl: z.string(), Entries: z.array(Receipt.extend({ Id: z.string() })) });
const ChangeMessageVisibility = DeleteMessage.extend({ VisibilityTimeout: visibility });

const invalidReceipt = ['ReceiptHandleIsInvalid', 'The specified receipt handle is not valid.'] as const;

/** What SQS tells of a message beside its body. */
export const systemAttributes = (message: Message) => ({
  ApproximateReceiveCount: String(message.receiveCount),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? 0),
  SentTimestamp: String(message.sentAt),
  SenderId: 'sandbox',
});

const told = (message: Message) => ({
  MessageId: message.id,
  ReceiptHandle: message.receipt,
  Body: message.body,
  MD5OfBody: md5(message.body),
  Attributes: systemAttributes(message),
  ...(Object.keys(message.attributes).length > 0 && { MessageAttributes: message.attributes }),
});

const receive = async (queue: Queue, input: z.infer<typeof ReceiveMessage>) => {
  const { WaitTimeSeconds: wait, VisibilityTimeout: hidden } = input;
  if (wait > 0) await queue.arrival(AbortSignal.timeout(wait * 1000));

  const messages = queue.receive(input.MaxNumberOfMessages, hidden === undefined ? undefined : hidden * 1000);
  return done(messages.length === 0 ? {} : { Messages: messages.map(told) });
};

const removeAll = (queue: Queue, entries: z.infer<typeof DeleteMessageBatch>['Entries']) => {
  const outcomes = entries.map(({ Id, ReceiptHandle }) => ({ Id, removed: queue.remove(ReceiptHandle) }));
  const [Code, Message] = invalidReceipt;

  return done({
    Successful: outcomes.flatMap(({ Id, removed }) => (removed ? [{ Id }] : [])),
    Failed: outcomes.flatMap(({ Id, removed }) => (removed ? [] : [{ Id, Code, Message, SenderFault: true }])),
  });
};

/** What receivers ask for. */
export const receiveOperations = (queueOf: QueueOf): Readonly<Record<string, Operation>> => ({
  ReceiveMessage: operation(sqs, ReceiveMessage, (input) =>
    toQueue(queueOf, input.QueueUrl, (queue) => receive(queue, input)),
  ),
  DeleteMessage: operation(sqs, DeleteMessage, ({ QueueUrl, ReceiptHandle }) =>
    toQueue(queueOf, QueueUrl, (queue) => (queue.remove(ReceiptHandle) ? done({}) : refuse(...invalidReceipt))),
  ),
  DeleteMessageBatch: operation(sqs, DeleteMessageBatch, ({ QueueUrl, Entries }) =>
    toQueue(queueOf, QueueUrl, (queue) => removeAll(queue, Entries)),
  ),
  ChangeMessageVisibility: operation(sqs, ChangeMessageVisibility, ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) =>
    toQueue(queueOf, QueueUrl, (queue) =>
      queue.hide(ReceiptHandle, VisibilityTimeout * 1000) ? done({}) : refuse(...invalidReceipt),
    ),
  ),
});
