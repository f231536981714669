import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import { writeJsonFile } from '../data-folder.ts';

export const MessageAttributes = z.record(
  z.string(),
  z.object({ DataType: z.string(), StringValue: z.string().optional(), BinaryValue: z.string().optional() }),
);
export type MessageAttributes = z.infer<typeof MessageAttributes>;

/** A message in a queue. Times are milliseconds since the epoch. */
export const Message = z.object({
  id: z.string(),
  body: z.string(),
  attributes: MessageAttributes,
  sentAt: z.number(),
  visibleAt: z.number(),
  firstReceivedAt: z.number().optional(),
  receiveCount: z.number(),
  /** In a FIFO queue, messages of one group are received in their order. */
  group: z.string().optional(),
  /** The trace header of the request that sent it. */
  trace: z.string().optional(),
  /** The handle of the latest receipt. Only this handle deletes the message. */
  receipt: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

export const systemAttributes = (message: Message) => ({
  ApproximateReceiveCount: String(message.receiveCount),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? 0),
  SentTimestamp: String(message.sentAt),
  SenderId: 'sandbox',
  ...(message.group !== undefined && { MessageGroupId: message.group }),
  ...(message.trace !== undefined && { AWSTraceHeader: message.trace }),
});

/** The checksum of a body in SQS's answers. The SDK verifies it. */
export const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

/** A change of a queue: a message was added or replaced, or it was removed. */
export const MessageChange = z.union([z.object({ put: Message }), z.object({ removed: z.string() })]);
export type MessageChange = z.infer<typeof MessageChange>;

/** After this many changes the file is rewritten, so that it does not grow forever. */
const maxChanges = 5_000;

const applyChange = (messages: Map<string, Message>, change: MessageChange): void => {
  if ('put' in change) messages.set(change.put.id, change.put);
  else messages.delete(change.removed);
};

/** The first line is a list of messages, each further line a change. An incomplete last line was never acknowledged. */
const parseMessages = (text: string): Map<string, Message> => {
  const [first = '', ...lines] = text.split('\n');
  const messages = new Map(
    z
      .array(Message)
      .parse(tryParseJson(first))
      .map((message) => [message.id, message]),
  );
  for (const line of lines.slice(0, -1)) applyChange(messages, MessageChange.parse(tryParseJson(line)));
  return messages;
};

const readMessages = (file: string): Map<string, Message> => {
  if (!existsSync(file)) return new Map();
  try {
    return parseMessages(readFileSync(file, 'utf8'));
  } catch (cause) {
    const problem = `${file} was not written by the sandbox, or is damaged.`;
    throw new Error(`${problem} Remove it, or choose another --data folder.`, { cause });
  }
};

/**
 * Stores messages in a file, to which each change is appended. Rewriting the file for each change would make a queue
 * slower the fuller it is. Throws an error that names the file if it holds anything else.
 */
export const messageJournal = (file: string) => {
  const messages = readMessages(file);
  let changes = 0;
  const writeAll = (): void => {
    writeJsonFile(file, [...messages.values()]);
    changes = 0;
  };
  writeAll();

  return {
    messages: [...messages.values()],
    /** Writes a change to the file before it returns. */
    onChange(change: MessageChange) {
      applyChange(messages, change);
      appendFileSync(file, `${JSON.stringify(change)}\n`);
      changes += 1;
      if (changes >= maxChanges) writeAll();
    },
  };
};
