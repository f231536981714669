import { EventEmitter, once } from 'node:events';
import {
  asReceived,
  type Message,
  type MessageAttributes,
  type MessageChange,
  newMessage,
  type Provenance,
} from './message.ts';

/** Settings of a queue. A received message stays hidden from other receivers for `visibilityMilliseconds`. */
export interface QueueOptions {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  /** Messages older than this are dropped. By default they are retained forever. */
  readonly retentionMilliseconds?: number;
  /** The dead-letter queue, which gets a message instead of a receipt beyond `maxReceiveCount`. */
  readonly redrive?: { readonly maxReceiveCount: number; readonly to: Pick<Queue, 'name' | 'accept'> };
  readonly messages?: readonly Message[];
  /** Called before a change takes effect. It is not called for messages that are dropped for their age. */
  readonly onChange?: (change: MessageChange) => void;
  readonly now?: () => number;
}

/** Of a message for a FIFO queue also the id under which the same message is sent again. */
export interface Sent extends Provenance {
  readonly deduplicationId?: string | undefined;
}

/** For so long a FIFO queue accepts a message under one id only once. */
const deduplicationMs = 5 * 60_000;

/** A queue, in memory. A message with a group waits for those of its group before it, as in a FIFO queue. */
export interface Queue {
  readonly name: string;
  readonly visibilityMilliseconds: number;
  /** The name of its dead-letter queue. */
  readonly deadLetters: string | undefined;
  send(body: string, attributes: MessageAttributes, delayMilliseconds: number, sent?: Sent): Message;
  /** Adds a message unchanged, as the redrive of a dead letter does. */
  accept(message: Message): void;
  /** Receives up to `count` visible messages. */
  receive(count: number, hiddenMilliseconds?: number): readonly Message[];
  /** False if the receipt is not the latest one of a message. */
  remove(receipt: string): boolean;
  /** Removes a message that is never to be received again, into the dead letters if there are any. */
  giveUp(receipt: string): void;
  hide(receipt: string, milliseconds: number): boolean;
  messages(): readonly Message[];
  /** Resolves once a message can be received, or the signal aborts. */
  waitForMessage(signal: AbortSignal): Promise<void>;
}

/** A queue with SQS's delays, expiring receipts and dead letters. */
export const createQueue = (options: QueueOptions): Queue => {
  const { name, visibilityMilliseconds, retentionMilliseconds = Number.POSITIVE_INFINITY, redrive } = options;
  const { onChange = () => undefined, now = Date.now } = options;
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

  const giveUp = (message: Message): void => {
    redrive?.to.accept({ ...message, visibleAt: now() });
    drop(message.id);
  };
  const receiveOne = (message: Message, hiddenMilliseconds: number): readonly Message[] => {
    if (redrive !== undefined && message.receiveCount >= redrive.maxReceiveCount) {
      giveUp(message);
      return [];
    }
    const received = asReceived(message, now(), now() + hiddenMilliseconds);
    put(received);
    return [received];
  };

  return {
    name,
    visibilityMilliseconds,
    deadLetters: redrive?.to.name,
    accept,
    send(body, attributes, delayMilliseconds, { deduplicationId, ...provenance } = {}) {
      for (const [id, { sentAt }] of sent) if (now() >= sentAt + deduplicationMs) sent.delete(id);
      const same = sent.get(deduplicationId ?? '');
      if (same !== undefined) return same;
      const message = newMessage(body, attributes, now(), delayMilliseconds, provenance);
      if (deduplicationId !== undefined) sent.set(deduplicationId, message);
      accept(message);
      return message;
    },
    receive(count, hiddenMilliseconds = visibilityMilliseconds) {
      const next = visible().slice(0, count);
      const received = next.flatMap((message) => receiveOne(message, hiddenMilliseconds));
      if (next.length > 0) changed();
      return received;
    },
    remove(receipt) {
      const message = findByReceipt(receipt);
      if (message === undefined) return false;
      drop(message.id);
      changed();
      return true;
    },
    giveUp(receipt) {
      const message = findByReceipt(receipt);
      if (message !== undefined) giveUp(message);
      changed();
    },
    hide(receipt, milliseconds) {
      const message = findByReceipt(receipt);
      if (message === undefined) return false;
      accept({ ...message, visibleAt: now() + milliseconds });
      return true;
    },
    messages: unexpired,
    async waitForMessage(signal) {
      while (!signal.aborted && visible().length === 0) {
        const next = Math.min(...unexpired().map(({ visibleAt }) => visibleAt));
        const timer = Number.isFinite(next) ? setTimeout(changed, Math.max(1, next - now())) : undefined;
        await once(changes, 'change', { signal }).catch(() => undefined);
        clearTimeout(timer);
      }
    },
  };
};
