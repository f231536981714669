import { EventEmitter, once } from 'node:events';
import { type Message, type MessageAttributes, newMessage, received } from './message.ts';

/** How a queue behaves; `visibilityMilliseconds` is how long a received message stays hidden from the next receiver. */
export interface QueueOptions {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  /** How long after it was sent a message is dropped; never, unless told. */
  readonly retentionMilliseconds?: number;
  /** Where a message goes instead of being received once more than `maxReceiveCount` times. */
  readonly redrive?: { readonly maxReceiveCount: number; readonly to: Pick<Queue, 'accept'> };
  readonly messages?: readonly Message[];
  readonly onChange?: () => void;
  readonly now?: () => number;
}

/** A standard queue, in memory. */
export interface Queue {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  send(body: string, attributes: MessageAttributes, delayMilliseconds: number): Message;
  /** Puts a message in as it is, which is how a dead letter arrives. */
  accept(message: Message): void;
  /** Takes up to `count` visible messages. */
  receive(count: number, hiddenMilliseconds?: number): readonly Message[];
  /** False when the receipt is not that of a message's latest receiver. */
  remove(receipt: string): boolean;
  hide(receipt: string, milliseconds: number): boolean;
  messages(): readonly Message[];
  /** Resolves when a message can be received, or the signal aborts. */
  arrival(signal: AbortSignal): Promise<void>;
}

/** A queue as SQS keeps it: delays, receipts that expire, and dead letters. */
export const createQueue = (options: QueueOptions): Queue => {
  const { name, visibilityMilliseconds, retentionMilliseconds = Number.POSITIVE_INFINITY, redrive } = options;
  const { onChange = () => undefined, now = Date.now } = options;
  const messages = new Map((options.messages ?? []).map((message) => [message.id, message]));
  const changes = new EventEmitter().setMaxListeners(0);

  const changed = (): void => {
    onChange();
    changes.emit('change');
  };
  const accept = (message: Message): void => {
    messages.set(message.id, message);
    changed();
  };
  const kept = (): readonly Message[] => {
    for (const { id, sentAt } of messages.values()) if (now() >= sentAt + retentionMilliseconds) messages.delete(id);
    return [...messages.values()];
  };
  const held = (receipt: string): Message | undefined => kept().find((message) => message.receipt === receipt);
  const visible = (): readonly Message[] => kept().filter(({ visibleAt }) => visibleAt <= now());

  const take = (message: Message, hiddenMilliseconds: number): readonly Message[] => {
    if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
      messages.delete(message.id);
      redrive.to.accept({ ...message, visibleAt: now() });
      return [];
    }
    const taken = received(message, now(), now() + hiddenMilliseconds);
    messages.set(taken.id, taken);
    return [taken];
  };

  return {
    name,
    visibilityMilliseconds,
    accept,
    send(body, attributes, delayMilliseconds) {
      const message = newMessage(body, attributes, now(), delayMilliseconds);
      accept(message);
      return message;
    },
    receive(count, hiddenMilliseconds = visibilityMilliseconds) {
      const next = visible().slice(0, count);
      const taken = next.flatMap((message) => take(message, hiddenMilliseconds));
      if (next.length > 0) changed();
      return taken;
    },
    remove(receipt) {
      const message = held(receipt);
      if (message === undefined) return false;
      messages.delete(message.id);
      changed();
      return true;
    },
    hide(receipt, milliseconds) {
      const message = held(receipt);
      if (message === undefined) return false;
      accept({ ...message, visibleAt: now() + milliseconds });
      return true;
    },
    messages: kept,
    async arrival(signal) {
      while (!signal.aborted && visible().length === 0) {
        const next = Math.min(...kept().map(({ visibleAt }) => visibleAt));
        const wake = (): boolean => changes.emit('change');
        const timer = Number.isFinite(next) ? setTimeout(wake, Math.max(1, next - now())) : undefined;
        await once(changes, 'change', { signal }).catch(() => undefined);
        clearTimeout(timer);
      }
    },
  };
};
