import * as z from 'zod';
import { type Operation, operation } from '../http/aws-json.ts';
import { type Message, MessageAttributes, md5 } from './message.ts';
import type { Queue } from './queue.ts';
import {
  batchLimit,
  bodyProblem,
  type FindQueue,
  limitBytes,
  maxDelaySeconds,
  rejection,
  sqs,
  success,
  withQueue,
} from './sqs.ts';

const Entry = z.object({
  MessageBody: z.string(),
  DelaySeconds: z.int().min(0).max(maxDelaySeconds).default(0),
  MessageAttributes: MessageAttributes.default({}),
});
const SendMessage = Entry.extend({ QueueUrl: z.string() });
const BatchEntry = Entry.extend({ Id: z.string().regex(/^[\w-]{1,80}$/) });
const SendMessageBatch = z.object({ QueueUrl: z.string(), Entries: z.array(BatchEntry) });

const send = (queue: Queue, entry: z.infer<typeof Entry>) => {
  const message = queue.send(entry.MessageBody, entry.MessageAttributes, entry.DelaySeconds * 1000);
  return { MessageId: message.id, MD5OfMessageBody: md5(message.body) };
};

const batchProblem = (entries: readonly z.infer<typeof BatchEntry>[]): readonly [string, string] | undefined => {
  if (entries.length === 0) return ['EmptyBatchRequest', 'There should be at least one entry in the request.'];
  if (entries.length > batchLimit)
    return ['TooManyEntriesInBatchRequest', `Maximum number of entries per request are ${batchLimit}.`];
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return ['BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.'];

  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  return bytes > limitBytes
    ? ['BatchRequestTooLong', `Batch requests cannot be longer than ${limitBytes} bytes.`]
    : undefined;
};

const sendEntry = (queue: Queue, entry: z.infer<typeof BatchEntry>) => {
  const problem = bodyProblem(entry.MessageBody);
  if (problem === undefined) return { successful: { Id: entry.Id, ...send(queue, entry) } };

  const [Code, Message] = problem;
  return { failed: { Id: entry.Id, Code, Message, SenderFault: true } };
};

/** SendMessage and SendMessageBatch. `onSent` is called with the number of messages that a queue accepted. */
export const sendOperations = (
  queueOf: FindQueue,
  onSent: (queue: Queue, count: number) => void,
): Readonly<Record<string, Operation>> => ({
  SendMessage: operation(sqs, SendMessage, (input) =>
    withQueue(queueOf, input.QueueUrl, (queue) => {
      const problem = bodyProblem(input.MessageBody);
      if (problem !== undefined) return rejection(...problem);

      const sent = send(queue, input);
      onSent(queue, 1);
      return success(sent);
    }),
  ),
  SendMessageBatch: operation(sqs, SendMessageBatch, ({ QueueUrl, Entries }) =>
    withQueue(queueOf, QueueUrl, (queue) => {
      const problem = batchProblem(Entries);
      if (problem !== undefined) return rejection(...problem);

      const outcomes = Entries.map((entry) => sendEntry(queue, entry));
      const Successful = outcomes.flatMap(({ successful }) => successful ?? []);
      if (Successful.length > 0) onSent(queue, Successful.length);
      return success({ Successful, Failed: outcomes.flatMap(({ failed }) => failed ?? []) });
    }),
  ),
});

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

/** SQS's own attributes of a message. */
export const systemAttributes = (message: Message) => ({
  ApproximateReceiveCount: String(message.receiveCount),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? 0),
  SentTimestamp: String(message.sentAt),
  SenderId: 'sandbox',
});

const receivedMessage = (message: Message) => ({
  MessageId: message.id,
  ReceiptHandle: message.receipt,
  Body: message.body,
  MD5OfBody: md5(message.body),
  Attributes: systemAttributes(message),
  ...(Object.keys(message.attributes).length > 0 && { MessageAttributes: message.attributes }),
});

const receive = async (queue: Queue, input: z.infer<typeof ReceiveMessage>) => {
  const { WaitTimeSeconds: wait, VisibilityTimeout: hidden } = input;
  if (wait > 0) await queue.waitForMessage(AbortSignal.timeout(wait * 1000));

  const messages = queue.receive(input.MaxNumberOfMessages, hidden === undefined ? undefined : hidden * 1000);
  return success(messages.length === 0 ? {} : { Messages: messages.map(receivedMessage) });
};

const removeAll = (queue: Queue, entries: z.infer<typeof DeleteMessageBatch>['Entries']) => {
  const outcomes = entries.map(({ Id, ReceiptHandle }) => ({ Id, removed: queue.remove(ReceiptHandle) }));
  const [Code, Message] = invalidReceipt;

  return success({
    Successful: outcomes.flatMap(({ Id, removed }) => (removed ? [{ Id }] : [])),
    Failed: outcomes.flatMap(({ Id, removed }) => (removed ? [] : [{ Id, Code, Message, SenderFault: true }])),
  });
};

/** ReceiveMessage, DeleteMessage, DeleteMessageBatch and ChangeMessageVisibility. */
export const receiveOperations = (queueOf: FindQueue): Readonly<Record<string, Operation>> => ({
  ReceiveMessage: operation(sqs, ReceiveMessage, (input) =>
    withQueue(queueOf, input.QueueUrl, (queue) => receive(queue, input)),
  ),
  DeleteMessage: operation(sqs, DeleteMessage, ({ QueueUrl, ReceiptHandle }) =>
    withQueue(queueOf, QueueUrl, (queue) => (queue.remove(ReceiptHandle) ? success({}) : rejection(...invalidReceipt))),
  ),
  DeleteMessageBatch: operation(sqs, DeleteMessageBatch, ({ QueueUrl, Entries }) =>
    withQueue(queueOf, QueueUrl, (queue) => removeAll(queue, Entries)),
  ),
  ChangeMessageVisibility: operation(sqs, ChangeMessageVisibility, ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) =>
    withQueue(queueOf, QueueUrl, (queue) =>
      queue.hide(ReceiptHandle, VisibilityTimeout * 1000) ? success({}) : rejection(...invalidReceipt),
    ),
  ),
});
