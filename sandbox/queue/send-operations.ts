import * as z from 'zod';
import { type Operation, operation } from '../http/aws-json.ts';
import { MessageAttributes, md5 } from './message.ts';
import { batchLimit, bodyProblem, limitBytes, longestDelaySeconds } from './message-limits.ts';
import type { Queue } from './queue.ts';
import { done, refuse, sqs } from './sqs.ts';
import { type QueueOf, toQueue } from './to-queue.ts';

const Entry = z.object({
  MessageBody: z.string(),
  DelaySeconds: z.int().min(0).max(longestDelaySeconds).default(0),
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

/** SendMessage and SendMessageBatch; `onSent` is told how many messages a queue took. */
export const sendOperations = (
  queueOf: QueueOf,
  onSent: (queue: Queue, count: number) => void,
): Readonly<Record<string, Operation>> => ({
  SendMessage: operation(sqs, SendMessage, (input) =>
    toQueue(queueOf, input.QueueUrl, (queue) => {
      const problem = bodyProblem(input.MessageBody);
      if (problem !== undefined) return refuse(...problem);

      const sent = send(queue, input);
      onSent(queue, 1);
      return done(sent);
    }),
  ),
  SendMessageBatch: operation(sqs, SendMessageBatch, ({ QueueUrl, Entries }) =>
    toQueue(queueOf, QueueUrl, (queue) => {
      const problem = batchProblem(Entries);
      if (problem !== undefined) return refuse(...problem);

      const outcomes = Entries.map((entry) => sendEntry(queue, entry));
      const Successful = outcomes.flatMap(({ successful }) => successful ?? []);
      if (Successful.length > 0) onSent(queue, Successful.length);
      return done({ Successful, Failed: outcomes.flatMap(({ failed }) => failed ?? []) });
    }),
  ),
});
