import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';

/** An attribute a sender may add to a message. */
export const MessageAttribute = z.object({
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
export const received = (message: Message, now: number, visibleAt: number): Message => ({
  ...message,
  visibleAt,
  firstReceivedAt: message.firstReceivedAt ?? now,
  receiveCount: message.receiveCount + 1,
  receipt: randomUUID(),
});

/** The checksum SQS tells of a body, which the SDK compares. */
export const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');
