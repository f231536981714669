import { EventEmitter, once } from 'node:events';
import { asReceived, type Message, type MessageAttributes, type MessageChange, newMessage } from './message.ts';

/** How a queue behaves; `visibilityMilliseconds` is how long a received message stays hidden from the next receiver. */
export interface QueueOptions {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  /** How long after it was sent a message is dropped; never, unless told. */
  readonly retentionMilliseconds?: number;
  /** Where a message goes instead of being received once more than `maxReceiveCount` times. */
  readonly redrive?: { readonly maxReceiveCount: number; readonly to: Pick<Queue, 'accept'> };
  readonly messages?: readonly Message[];
  /** Told of what becomes of a message before anybody else is; not of one that is dropped for its age. */
  readonly onChange?: (change: MessageChange) => void;
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
  waitForMessage(signal: AbortSignal): Promise<void>;
}

/** A queue as SQS keeps it: delays, receipts that expire, and dead letters. */
export const createQueue = (options: QueueOptions): Queue => {
  const { name, visibilityMilliseconds, retentionMilliseconds = Number.POSITIVE_INFINITY, redrive } = options;
  const { onChange = () => undefined, now = Date.now } = options;
  const messages = new Map((options.messages ?? []).map((message) => [message.id, message]));
  const changes = new EventEmitter().setMaxListeners(0);

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
  const kept = (): readonly Message[] => {
    for (const { id, sentAt } of messages.values()) if (now() >= sentAt + retentionMilliseconds) messages.delete(id);
    return [...messages.values()];
  };
  const held = (receipt: string): Message | undefined => kept().find((message) => message.receipt === receipt);
  const visible = (): readonly Message[] => kept().filter(({ visibleAt }) => visibleAt <= now());

  const take = (message: Message, hiddenMilliseconds: number): readonly Message[] => {
    if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
      redrive.to.accept({ ...message, visibleAt: now() });
      drop(message.id);
      return [];
    }
    const taken = asReceived(message, now(), now() + hiddenMilliseconds);
    put(taken);
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
      drop(message.id);
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
    async waitForMessage(signal) {
      while (!signal.aborted && visible().length === 0) {
        const next = Math.min(...kept().map(({ visibleAt }) => visibleAt));
        const timer = Number.isFinite(next) ? setTimeout(changed, Math.max(1, next - now())) : undefined;
        await once(changes, 'change', { signal }).catch(() => undefined);
        clearTimeout(timer);
      }
    },
  };
};
