import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { batches } from '../../lib/core/collections.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { QueuePair, StatusPart } from '../frame/feature.ts';

export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly receipt: string;
  /** How often SQS has delivered it; listing it counts too. */
  readonly receives: number;
  /** When it was put into its queue (ISO instant); in a FIFO queue: when it became a dead letter. */
  readonly sentAt: string;
  readonly group?: string | undefined;
}

type Sqs = Deployment['sqs'];

/** SQS allows no more messages in one call. */
const maxBatchSize = 10;

/** The most letters that a command holds at once, as all are hidden from other readers meanwhile. */
export const maxLetters = 10_000;

/**
 * Passes dead letters on, each once and hidden from others meanwhile. `take` resolves with whether it has deleted the letter. All
 * others are visible again at the end, whether every letter was read or an error came before.
 */
export const takeDeadLetters = async (
  sqs: Sqs,
  QueueUrl: string,
  limit: number,
  take: (letter: DeadLetter) => Promise<boolean>,
): Promise<void> => {
  const seen = new Set<string>();
  const held = new Set<DeadLetter>();
  try {
    while (seen.size < limit) {
      const receive = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(maxBatchSize, limit - seen.size),
        // Long enough to read thousands of messages, short enough that they soon return after the process was killed.
        VisibilityTimeout: 120,
        // With any wait SQS asks all of its servers, so an empty answer means an empty queue.
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['ApproximateReceiveCount', 'MessageGroupId', 'SentTimestamp'],
      });
      const { Messages = [] } = await sqs.send(receive);
      const fresh = Messages.map(deadLetterOf).filter(({ id }) => !seen.has(id));
      if (fresh.length === 0) return;
      for (const letter of fresh) held.add(letter);
      for (const letter of fresh) {
        seen.add(letter.id);
        if (await take(letter)) held.delete(letter);
      }
    }
  } finally {
    await release(sqs, QueueUrl, [...held]);
  }
};

const deadLetterOf = ({ MessageId = '', Body = '', ReceiptHandle = '', Attributes = {} }: Message): DeadLetter => ({
  id: MessageId,
  body: Body,
  receipt: ReceiptHandle,
  receives: Number(Attributes.ApproximateReceiveCount ?? 0),
  sentAt: new Date(Number(Attributes.SentTimestamp ?? 0)).toISOString(),
  group: Attributes.MessageGroupId,
});

/** Makes letters visible to others at once. Ignores failures: a letter whose timeout has passed is visible already. */
const release = async (sqs: Sqs, QueueUrl: string, letters: readonly DeadLetter[]): Promise<void> => {
  for (const batch of batches(letters, ({ length }) => length < maxBatchSize)) {
    const changes = batch.map(({ receipt }) => ({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: 0 }));
    await Promise.allSettled(changes.map((change) => sqs.send(new ChangeMessageVisibilityCommand(change))));
  }
};

export const readLetters = async (sqs: Sqs, QueueUrl: string, limit: number, onRead: (count: number) => void) => {
  const letters: DeadLetter[] = [];
  await takeDeadLetters(sqs, QueueUrl, limit, async (letter) => {
    letters.push(letter);
    onRead(letters.length);
    return false;
  });
  return letters;
};

/** As many as are read to tell when they came: all of them are hidden from other readers meanwhile. */
const maxDatedLetters = 1_000;

export const lettersToDate = (sqs: Sqs, QueueUrl: string): Promise<readonly DeadLetter[]> =>
  readLetters(sqs, QueueUrl, maxDatedLetters, () => undefined);

/** Sends a letter, and only then deletes it: a crash leaves two copies, which may be forwarded twice, but loses none. */
export const returnToQueue = async (
  sqs: Sqs,
  { queue, deadLetters: from }: QueuePair,
  { id, body, receipt, group }: DeadLetter,
): Promise<void> => {
  const inGroup = group !== undefined && { MessageGroupId: group, MessageDeduplicationId: id };
  await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: body, ...inGroup }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl: from, ReceiptHandle: receipt }));
};

type Backlog = Readonly<Record<'waiting' | 'deadLetters', number>>;

export const backlogOf = async ({ sqs }: Pick<Deployment, 'sqs'>, pair: QueuePair): Promise<Backlog> => {
  const [waiting, dead] = await Promise.all([queueDepth({ sqs }, pair.queue), queueDepth({ sqs }, pair.deadLetters)]);
  return { waiting, deadLetters: dead };
};

/** About how many messages a queue has, including those that somebody has received and not yet deleted. */
export const queueDepth = async ({ sqs }: Pick<Deployment, 'sqs'>, QueueUrl: string): Promise<number> => {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};

/** What `status` says of a queue and its dead letters; nothing where the deployment has none. */
export const backlogStatus =
  (
    about: Pick<StatusPart, 'name' | 'title' | 'happened'>,
    queueOf: (deployment: Deployment) => QueuePair | undefined,
    describe: (backlog: Backlog) => Omit<Awaited<ReturnType<StatusPart['read']>>, 'json'>,
  ) =>
  (deployment: Deployment): StatusPart | undefined => {
    const pair = queueOf(deployment);
    const read = async (queues: QueuePair) => {
      const json = await backlogOf(deployment, queues);
      return { json, ...describe(json) };
    };
    return pair && { ...about, read: () => read(pair) };
  };
