import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import * as z from 'zod';

export const MessageAttributes = z.record(
  z.string(),
  z.object({ DataType: z.string(), StringValue: z.string().optional(), BinaryValue: z.string().optional() }),
);
export type MessageAttributes = z.infer<typeof MessageAttributes>;

export const Message = z.object({
  id: z.string(),
  body: z.string(),
  attributes: MessageAttributes,
  sentAt: z.number(),
  visibleAt: z.number(),
  firstReceivedAt: z.number().optional(),
  receiveCount: z.number(),
  group: z.string().optional(),
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

export const MessageChange = z.union([z.object({ put: Message }), z.object({ removed: z.string() })]);
export type MessageChange = z.infer<typeof MessageChange>;

interface Letters {
  readonly name: string;
  readonly accept: (message: Message) => void;
}

export interface QueueOptions {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  /** Messages older than this are dropped. By default after 14 days, the longest that SQS allows. */
  readonly retentionMilliseconds?: number;
  /** The dead-letter queue, which gets a message instead of a receipt beyond `maxReceiveCount`. */
  readonly redrive?: { readonly maxReceiveCount: number; readonly to: Letters };
  readonly messages?: readonly Message[];
  readonly onSent?: () => void;
  /** Called before a change takes effect. It is not called for messages that are dropped for their age. */
  readonly onChange?: (change: MessageChange) => void;
  readonly now?: () => number;
}

/** The group and the trace of a message, and for a FIFO queue the id under which the same message is sent again. */
export interface Sent extends Pick<Message, 'group' | 'trace'> {
  readonly deduplicationId?: string | undefined;
}

export const isFifo = (queueName: string): boolean => queueName.endsWith('.fifo');

const longestRetentionMs = 14 * 24 * 60 * 60_000;

/** For so long a FIFO queue accepts a message under one id only once. */
const deduplicationMs = 5 * 60_000;

export type Queue = ReturnType<typeof createQueue>;

/** With SQS's delays, receipts and dead letters. A message with a group waits for those of its group before it. */
export const createQueue = (options: QueueOptions) => {
  const { name, visibilityMilliseconds, retentionMilliseconds = longestRetentionMs, redrive } = options;
  const { onChange = () => undefined, onSent = () => undefined, now = Date.now } = options;
  const messages = new Map((options.messages ?? []).map((message) => [message.id, message]));
  const changes = new EventEmitter().setMaxListeners(0);
  const sent = new Map<string, Message>();

  const put = (message: Message): void => {
    onChange({ put: message });
    messages.set(message.id, message);
  };
  const drop = (id: string): void => {
    onChange({ removed: id });
    messages.delete(id);
  };
  const changed = (): boolean => changes.emit('change');
  const accept = (message: Message): void => {
    put(message);
    changed();
  };
  const unexpired = (): readonly Message[] => {
    for (const { id, sentAt } of messages.values()) if (now() >= sentAt + retentionMilliseconds) messages.delete(id);
    return [...messages.values()];
  };
  const findByReceipt = (receipt: string): Message | undefined =>
    unexpired().find((message) => message.receipt === receipt);
  const visible = (): readonly Message[] => {
    const all = unexpired();
    const held = new Set(all.filter(({ visibleAt }) => visibleAt > now()).map(({ group }) => group));
    return all.filter(({ visibleAt, group }) => visibleAt <= now() && (group === undefined || !held.has(group)));
  };

  /** Of a FIFO queue a letter counts as sent now, and is kept from now on; of any other it is as old as it was. */
  const giveUp = (message: Message): void => {
    redrive?.to.accept({ ...message, visibleAt: now(), ...(isFifo(name) && { sentAt: now() }) });
    drop(message.id);
  };
  const receiveOne = (message: Message, hiddenMilliseconds: number): readonly Message[] => {
    if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
      giveUp(message);
      return [];
    }
    const received = {
      ...message,
      visibleAt: now() + hiddenMilliseconds,
      firstReceivedAt: message.firstReceivedAt ?? now(),
      receiveCount: message.receiveCount + 1,
      receipt: randomUUID(),
    };
    put(received);
    return [received];
  };

  return {
    name,
    visibilityMilliseconds,
    retentionMilliseconds,
    redrive,
    accept,
    send(
      body: string,
      attributes: MessageAttributes,
      delayMilliseconds: number,
      { deduplicationId, group, trace }: Sent = {},
    ): Message {
      for (const [id, { sentAt }] of sent) if (now() >= sentAt + deduplicationMs) sent.delete(id);
      const same = sent.get(deduplicationId ?? '');
      if (same !== undefined) return same;
      const message = {
        id: randomUUID(),
        body,
        attributes,
        receiveCount: 0,
        sentAt: now(),
        visibleAt: now() + delayMilliseconds,
        ...(group !== undefined && { group }),
        ...(trace !== undefined && { trace }),
      };
      if (deduplicationId !== undefined) sent.set(deduplicationId, message);
      accept(message);
      onSent();
      return message;
    },
    receive(count: number, hiddenMilliseconds = visibilityMilliseconds): readonly Message[] {
      const next = visible().slice(0, count);
      const received = next.flatMap((message) => receiveOne(message, hiddenMilliseconds));
      if (next.length > 0) changed();
      return received;
    },
    /** False if the receipt is not the latest one of a message. */
    remove(receipt: string): boolean {
      const message = findByReceipt(receipt);
      if (message === undefined) return false;
      drop(message.id);
      changed();
      return true;
    },
    giveUp(receipt: string) {
      const message = findByReceipt(receipt);
      if (message !== undefined) giveUp(message);
      changed();
    },
    hide(receipt: string, milliseconds: number): boolean {
      const message = findByReceipt(receipt);
      if (message === undefined) return false;
      accept({ ...message, visibleAt: now() + milliseconds });
      return true;
    },
    messages: unexpired,
    async waitForMessage(signal: AbortSignal) {
      while (!signal.aborted && visible().length === 0) {
        const next = Math.min(...unexpired().map(({ visibleAt }) => visibleAt));
        const timer = Number.isFinite(next) ? setTimeout(changed, Math.max(1, next - now())) : undefined;
        await once(changes, 'change', { signal }).catch(() => undefined);
        clearTimeout(timer);
      }
    },
  };
};
