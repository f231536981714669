import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { batches } from '../lib/core/batches.ts';
import type { Deployment } from './connection/deployment.ts';

/** A message as it was received. */
export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly receipt: string;
  /** How often it was received, which every look at it counts up. */
  readonly receives: number;
}

type Queues = Pick<Deployment, 'sqs' | 'queues'>;

const perCall = 10;

/** SQS asks all of its servers then, and not only some; a queue that has nothing is known by it. */
const waitSeconds = 1;

/** Enough for some thousands to be read, and little enough that they are there again soon after a command was cut off. */
const hiddenSeconds = 120;

/**
 * The dead letters, each once. They are hidden from others meanwhile; whoever stops reading lets go of those that are left,
 * the last one among them, so that to go on at once finds them.
 */
export async function* deadLetters({ sqs, queues }: Queues, limit: number): AsyncGenerator<DeadLetter> {
  const seen = new Set<string>();
  while (seen.size < limit) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: queues.deadLetters,
      MaxNumberOfMessages: Math.min(perCall, limit - seen.size),
      VisibilityTimeout: hiddenSeconds,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['ApproximateReceiveCount'],
    });
    const { Messages = [] } = await sqs.send(receive);
    const fresh = Messages.map(deadLetterOf).filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return;
    const left = [...fresh];
    try {
      for (const letter of fresh) {
        seen.add(letter.id);
        yield letter;
        left.shift();
      }
    } finally {
      await release({ sqs, queues }, left);
    }
  }
}

const deadLetterOf = ({ MessageId = '', Body = '', ReceiptHandle = '', Attributes = {} }: Message): DeadLetter => ({
  id: MessageId,
  body: Body,
  receipt: ReceiptHandle,
  receives: Number(Attributes.ApproximateReceiveCount ?? 0),
});

/** Lets others see letters at once again; those of which the time was up are seen already. */
export const release = async ({ sqs, queues }: Queues, letters: readonly DeadLetter[]): Promise<void> => {
  for (const batch of batches(letters, ({ length }) => length < perCall)) {
    const changes = batch.map(({ receipt }) => ({
      QueueUrl: queues.deadLetters,
      ReceiptHandle: receipt,
      VisibilityTimeout: 0,
    }));
    await Promise.allSettled(changes.map((change) => sqs.send(new ChangeMessageVisibilityCommand(change))));
  }
};

/** Sends a letter to where it came from, and only then takes it away: a crash in between makes two of it, which is harmless. */
export const returnToQueue = async ({ sqs, queues }: Queues, { body, receipt }: DeadLetter): Promise<void> => {
  await sqs.send(new SendMessageCommand({ QueueUrl: queues.parking, MessageBody: body }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queues.deadLetters, ReceiptHandle: receipt }));
};

/** About how many messages a queue has, those included that somebody has received and not yet dealt with. */
export const queueDepth = async ({ sqs }: Pick<Queues, 'sqs'>, QueueUrl: string): Promise<number> => {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};
