import * as z from 'zod';
import { type AwsJson, awsJson, failure, type Operation, operation, result } from '../frame/aws-json.ts';
import type { FaultAnswers } from '../frame/faults.ts';
import { localAccount, localRegion } from '../frame/local-aws.ts';
import type { Answer, Handle } from '../frame/serve.ts';
import { isFifo, type Message, MessageAttributes, md5, type Queue, systemAttributes } from './queue.ts';

const sqs: AwsJson = { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' };
const success = (body: unknown): Answer => result(sqs, body);

type Problem = readonly [type: string, message: string];
const rejection = ([type, message]: Problem): Answer => failure(sqs, 400, type, message);

export const sqsFaults: FaultAnswers = {
  throttle: rejection(['RequestThrottled', 'The request was denied due to request throttling.']),
  error: failure(sqs, 500, 'InternalFailure', 'The request processing has failed because of an unknown error.'),
};

/** SQS's limits: bytes of a message and of a batch, entries of a batch, seconds of a delay and of a visibility time-out. */
const limits = { bytes: 1_048_576, entries: 10, delay: 900, visibility: 43_200 } as const;

const noQueue: Problem = ['QueueDoesNotExist', 'The specified queue does not exist.'];
const noResource: Problem = ['ResourceNotFoundException', 'The resource that you specified does not exist.'];
const noDeadLetters: Problem = ['InvalidParameterValue', 'Source queue must be configured as a Dead Letter Queue.'];
const invalidReceipt: Problem = ['ReceiptHandleIsInvalid', 'The specified receipt handle is not valid.'];

export const queueArn = (name: string): string => `arn:aws:sqs:${localRegion}:${localAccount}:${name}`;

export const queueAddress = (endpoint: string, name: string): string => `${endpoint}/${localAccount}/${name}`;

/** The messages of a queue, until it has no visible one. */
function* takeAll(queue: Queue) {
  for (;;) {
    const messages = queue.receive(limits.entries);
    if (messages.length === 0) return;
    yield* messages;
  }
}

export const sqsEndpoint = (queues: readonly Queue[]): Handle => {
  const onQueue = <Input extends { readonly QueueUrl: string }>(
    Schema: z.ZodType<Input>,
    run: (queue: Queue, input: Input, trace: string | undefined) => Answer | Promise<Answer>,
  ): Operation =>
    operation(sqs, Schema, (input, headers) => {
      const name = input.QueueUrl.slice(input.QueueUrl.lastIndexOf('/') + 1);
      const queue = queues.find((one) => one.name === name);
      return queue === undefined ? rejection(noQueue) : run(queue, input, headers['x-amzn-trace-id']?.toString());
    });

  const queueOfArn = (arn: string): Queue | undefined => queues.find(({ name }) => queueArn(name) === arn);
  /** The latest task of each queue: a task is over when its request is answered. */
  const tasks = new Map<string, object>();

  return awsJson(sqs, {
    StartMessageMoveTask: operation(sqs, StartMessageMoveTask, ({ SourceArn, DestinationArn }) => {
      const from = queueOfArn(SourceArn);
      const to = queueOfArn(DestinationArn);
      if (from === undefined || to === undefined) return rejection(noResource);
      if (!queues.some(({ redrive }) => redrive?.to.name === from.name)) return rejection(noDeadLetters);

      let count = 0;
      for (const { receipt = '', id, body, attributes, group, trace } of takeAll(from)) {
        to.send(body, attributes, 0, { group, trace, deduplicationId: id });
        from.remove(receipt);
        count += 1;
      }
      tasks.set(SourceArn, { Status: 'COMPLETED', SourceArn, DestinationArn, ApproximateNumberOfMessagesMoved: count });
      return success({ TaskHandle: Buffer.from(SourceArn).toString('base64') });
    }),
    ListMessageMoveTasks: operation(sqs, z.object({ SourceArn: z.string() }), ({ SourceArn }) =>
      success({ Results: [tasks.get(SourceArn)].filter((task) => task !== undefined) }),
    ),
    GetQueueAttributes: onQueue(OfQueue, (queue) => success({ Attributes: attributesOf(queue, Date.now()) })),
    SendMessage: onQueue(SendMessage, (queue, entry, trace) => {
      const problem = entryProblem(queue, entry);
      return problem === undefined ? success(send(queue, entry, trace)) : rejection(problem);
    }),
    SendMessageBatch: onQueue(SendMessageBatch, (queue, { Entries }, trace) => {
      const problem = batchProblem(Entries);
      if (problem !== undefined) return rejection(problem);
      return success(batchOutcomes(Entries, (entry) => entryProblem(queue, entry) ?? send(queue, entry, trace)));
    }),
    ReceiveMessage: onQueue(ReceiveMessage, async (queue, input) => {
      const { WaitTimeSeconds: wait, VisibilityTimeout: hidden } = input;
      if (wait > 0) await queue.waitForMessage(AbortSignal.timeout(wait * 1000));

      const messages = queue.receive(input.MaxNumberOfMessages, hidden === undefined ? undefined : hidden * 1000);
      return success(messages.length === 0 ? {} : { Messages: messages.map(receivedMessage) });
    }),
    DeleteMessage: onQueue(DeleteMessage, (queue, { ReceiptHandle }) =>
      queue.remove(ReceiptHandle) ? success({}) : rejection(invalidReceipt),
    ),
    DeleteMessageBatch: onQueue(DeleteMessageBatch, (queue, { Entries }) =>
      success(batchOutcomes(Entries, ({ ReceiptHandle }) => (queue.remove(ReceiptHandle) ? {} : invalidReceipt))),
    ),
    ChangeMessageVisibility: onQueue(ChangeMessageVisibility, (queue, { ReceiptHandle, VisibilityTimeout }) =>
      queue.hide(ReceiptHandle, VisibilityTimeout * 1000) ? success({}) : rejection(invalidReceipt),
    ),
  });
};

const StartMessageMoveTask = z.object({ SourceArn: z.string(), DestinationArn: z.string() });
const OfQueue = z.object({ QueueUrl: z.string() });
const Entry = z.object({
  MessageBody: z.string(),
  DelaySeconds: z.int().min(0).max(limits.delay).default(0),
  MessageAttributes: MessageAttributes.default({}),
  MessageGroupId: z.string().optional(),
  MessageDeduplicationId: z.string().optional(),
});
const SendMessage = Entry.extend(OfQueue.shape);
const BatchEntry = Entry.extend({ Id: z.string().regex(/^[\w-]{1,80}$/) });
const SendMessageBatch = OfQueue.extend({ Entries: z.array(BatchEntry) });
const visibility = z.int().min(0).max(limits.visibility);
const ReceiveMessage = OfQueue.extend({
  MaxNumberOfMessages: z.int().min(1).max(limits.entries).default(1),
  VisibilityTimeout: visibility.optional(),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
});
const DeleteMessage = OfQueue.extend({ ReceiptHandle: z.string() });
const DeleteMessageBatch = OfQueue.extend({
  Entries: z.array(z.object({ Id: z.string(), ReceiptHandle: z.string() })),
});
const ChangeMessageVisibility = DeleteMessage.extend({ VisibilityTimeout: visibility });

const send = (queue: Queue, entry: z.infer<typeof Entry>, trace: string | undefined) => {
  const { MessageBody, MessageAttributes, DelaySeconds, MessageGroupId: group, MessageDeduplicationId } = entry;
  const sent = { group, trace, deduplicationId: MessageDeduplicationId };
  const message = queue.send(MessageBody, MessageAttributes, DelaySeconds * 1000, sent);
  return { MessageId: message.id, MD5OfMessageBody: md5(message.body) };
};

const batchOutcomes = <One extends { readonly Id: string }>(
  entries: readonly One[],
  run: (entry: One) => object | Problem,
) => {
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    const outcome = run(entry);
    if (Array.isArray(outcome)) Failed.push({ Id: entry.Id, Code: outcome[0], Message: outcome[1], SenderFault: true });
    else Successful.push({ Id: entry.Id, ...outcome });
  }
  return { Successful, Failed };
};

const batchProblem = (entries: readonly z.infer<typeof BatchEntry>[]): Problem | undefined => {
  if (entries.length === 0) return ['EmptyBatchRequest', 'There should be at least one entry in the request.'];
  if (entries.length > limits.entries)
    return ['TooManyEntriesInBatchRequest', `Maximum number of entries per request are ${limits.entries}.`];
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    return ['BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.'];

  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  return bytes > limits.bytes
    ? ['BatchRequestTooLong', `Batch requests cannot be longer than ${limits.bytes} bytes.`]
    : undefined;
};

// SQS accepts the characters of XML 1.0: tab, line feed, carriage return, and all but surrogates and U+FFFE, U+FFFF.
const notAllowed = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

const bodyProblem = (body: string): Problem | undefined => {
  if (body === '') return ['MissingParameter', 'The request must contain the parameter MessageBody.'];
  if (Buffer.byteLength(body) > limits.bytes)
    return [
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${limits.bytes} bytes.`,
    ];
  return notAllowed.test(body)
    ? ['InvalidMessageContents', 'Invalid binary character was found in the message body.']
    : undefined;
};

/** A message for a FIFO queue needs a group and a deduplication id, as no queue of the stack compares bodies, and may have no delay. */
const entryProblem = ({ name }: Queue, entry: z.infer<typeof Entry>): Problem | undefined => {
  const { MessageBody, DelaySeconds, MessageGroupId, MessageDeduplicationId } = entry;
  if (!isFifo(name)) return bodyProblem(MessageBody);
  if (MessageGroupId === undefined)
    return ['MissingParameter', 'The request must contain the parameter MessageGroupId.'];
  if (DelaySeconds > 0)
    return ['InvalidParameterValue', `Value ${DelaySeconds} for parameter DelaySeconds is invalid for a FIFO queue.`];
  return MessageDeduplicationId === undefined
    ? ['InvalidParameterValue', 'The queue has no ContentBasedDeduplication: MessageDeduplicationId must be provided.']
    : bodyProblem(MessageBody);
};

const receivedMessage = (message: Message) => ({
  MessageId: message.id,
  ReceiptHandle: message.receipt,
  Body: message.body,
  MD5OfBody: md5(message.body),
  Attributes: systemAttributes(message),
  ...(Object.keys(message.attributes).length > 0 && { MessageAttributes: message.attributes }),
});

const attributesOf = (queue: Queue, now: number) => {
  const messages = queue.messages();
  const waiting = messages.filter(({ visibleAt }) => visibleAt > now);
  const delayed = waiting.filter(({ receiveCount }) => receiveCount === 0).length;

  return {
    QueueArn: queueArn(queue.name),
    ApproximateNumberOfMessages: String(messages.length - waiting.length),
    ApproximateNumberOfMessagesNotVisible: String(waiting.length - delayed),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(Math.round(queue.visibilityMilliseconds / 1000)),
    MessageRetentionPeriod: String(Math.round(queue.retentionMilliseconds / 1000)),
    ...(queue.redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArn(queue.redrive.to.name),
        maxReceiveCount: queue.redrive.maxReceiveCount,
      }),
    }),
  };
};
