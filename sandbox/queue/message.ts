import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { writeJsonFile } from '../data-files.ts';

/** An attribute a sender may add to a message. */
const MessageAttribute = z.object({
  DataType: z.string(),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
export type MessageAttribute = z.infer<typeof MessageAttribute>;

/** Attributes by name. */
export const MessageAttributes = z.record(z.string(), MessageAttribute);
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
  /** Names one receipt; the message can be deleted only by its latest. */
  receipt: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/** A message that becomes visible after `delayMilliseconds`. */
export const newMessage = (
  body: string,
  attributes: MessageAttributes,
  now: number,
  delayMilliseconds: number,
): Message => ({
  id: randomUUID(),
  body,
  attributes,
  sentAt: now,
  visibleAt: now + delayMilliseconds,
  receiveCount: 0,
});

/** The same message as taken by a receiver and hidden from the others until `visibleAt`. */
export const asReceived = (message: Message, now: number, visibleAt: number): Message => ({
  ...message,
  visibleAt,
  firstReceivedAt: message.firstReceivedAt ?? now,
  receiveCount: message.receiveCount + 1,
  receipt: randomUUID(),
});

/** The checksum SQS tells of a body, which the SDK compares. */
export const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

/** What becomes of a message: it is there, as it is from now on, or it is gone. */
export const MessageChange = z.union([z.object({ put: Message }), z.object({ removed: z.string() })]);
export type MessageChange = z.infer<typeof MessageChange>;

/** The messages of earlier runs, and where the changes of this one are kept. */
export interface MessageJournal {
  readonly messages: readonly Message[];
  /** Is on the disk when it returns. */
  readonly append: (change: MessageChange) => void;
}

/** How many changes make it worth writing all that is there anew. */
const maxChanges = 5_000;

const applyChange = (messages: Map<string, Message>, change: MessageChange): void => {
  if ('put' in change) messages.set(change.put.id, change.put);
  else messages.delete(change.removed);
};

/** The first line is a list of messages, each other one a change. What is torn at the end never was answered. */
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
    const what = `${file} does not hold what the sandbox keeps there.`;
    throw new Error(`${what} Remove it, or choose another --data folder.`, { cause });
  }
};

/**
 * Keeps messages in a file to which each change is added, as to write all of them at each change would take the longer
 * the more there are: a queue that fills up must not become slow by it. Throws, naming the file, when it is another's.
 */
export const messageJournal = (file: string): MessageJournal => {
  const messages = readMessages(file);
  let changes = 0;
  const writeAll = (): void => {
    writeJsonFile(file, [...messages.values()]);
    changes = 0;
  };
  writeAll();

  return {
    messages: [...messages.values()],
    append(change) {
      applyChange(messages, change);
      appendFileSync(file, `${JSON.stringify(change)}\n`);
      changes += 1;
      if (changes >= maxChanges) writeAll();
    },
  };
};
