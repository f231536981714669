import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { batches } from '../lib/core/collections.ts';
import type { RunContext } from './command.ts';
import type { Deployment } from './connection/deployment.ts';
import type { DeadLetterQueue, ListOptions, RedriveRequest } from './feature.ts';
import { type Move, moveAll, stoppedAfter } from './move-task.ts';
import { report, type TableRow } from './output/report.ts';
import { known, Problem } from './problem.ts';

export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  readonly receipt: string;
  /** How often SQS has delivered it; listing it counts too. */
  readonly receives: number;
  /** When it was put into its queue (ISO instant): a letter of a FIFO queue, when it became one. */
  readonly sentAt: string;
  readonly group?: string | undefined;
}

export interface QueuePair {
  readonly queue: string;
  readonly deadLetters: string;
}

type Sqs = Deployment['sqs'];

/** SQS allows no more messages in one call. */
const maxBatchSize = 10;

/** The most letters that a command holds at once, as all are hidden from other readers meanwhile. */
export const maxLetters = 10_000;

/** The dead letters, each once, hidden from others meanwhile. Who stops early releases the letter and the rest of the batch. */
export async function* deadLetters(sqs: Sqs, QueueUrl: string, limit: number): AsyncGenerator<DeadLetter> {
  const seen = new Set<string>();
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
    const unread = [...fresh];
    try {
      for (const letter of fresh) {
        seen.add(letter.id);
        yield letter;
        unread.shift();
      }
    } finally {
      await release(sqs, QueueUrl, unread);
    }
  }
}

const deadLetterOf = ({ MessageId = '', Body = '', ReceiptHandle = '', Attributes = {} }: Message): DeadLetter => ({
  id: MessageId,
  body: Body,
  receipt: ReceiptHandle,
  receives: Number(Attributes.ApproximateReceiveCount ?? 0),
  sentAt: new Date(Number(Attributes.SentTimestamp ?? 0)).toISOString(),
  group: Attributes.MessageGroupId,
});

/** Makes letters visible to others at once. Ignores failures: a letter whose timeout has passed is visible already. */
export const release = async (sqs: Sqs, QueueUrl: string, letters: readonly DeadLetter[]): Promise<void> => {
  for (const batch of batches(letters, ({ length }) => length < maxBatchSize)) {
    const changes = batch.map(({ receipt }) => ({ QueueUrl, ReceiptHandle: receipt, VisibilityTimeout: 0 }));
    await Promise.allSettled(changes.map((change) => sqs.send(new ChangeMessageVisibilityCommand(change))));
  }
};

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

export const backlogOf = async ({ sqs }: Pick<Deployment, 'sqs'>, pair: QueuePair) => {
  const [waiting, dead] = await Promise.all([queueDepth({ sqs }, pair.queue), queueDepth({ sqs }, pair.deadLetters)]);
  return { waiting, deadLetters: dead };
};

/** About how many messages a queue has, including those that somebody has received and not yet deleted. */
export const queueDepth = async ({ sqs }: Pick<Deployment, 'sqs'>, QueueUrl: string): Promise<number> => {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};

export const readLetters = async (
  sqs: Sqs,
  QueueUrl: string,
  limit: number,
  onRead: (letters: number) => void,
): Promise<readonly DeadLetter[]> => {
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(sqs, QueueUrl, limit)) onRead(letters.push(letter));
  } finally {
    await release(sqs, QueueUrl, letters);
  }
  return letters;
};

interface LetterQueue extends Pick<DeadLetterQueue, 'name' | 'queueOf'> {
  readonly named: string;
  readonly needs: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Without names and numbers. */
  readonly rowsOf: (letters: readonly DeadLetter[]) => readonly TableRow[];
  /** What waits in the queue, such as `deliveries wait`. */
  readonly waits: string;
}

/** A queue whose dead letters are shown and moved as SQS has them: it selects none by what they say. */
export const letterQueue = (about: LetterQueue): DeadLetterQueue => {
  const { name, queueOf, needs } = about;
  const pairOf = (deployment: Deployment): QueuePair => {
    const pair = queueOf(deployment);
    if (pair === undefined) throw new Problem(needs);
    return pair;
  };
  return {
    ...{ name, queueOf, isSelectable: false },
    list: (context, deployment, options) => listLetters(context, deployment.sqs, pairOf(deployment), options, about),
    async redrive(context, options) {
      const deployment = await context.connect(options);
      await redriveLetters(context, deployment.sqs, { ...pairOf(deployment), ...about }, options);
    },
  };
};

const listLetters = async (
  { terminal }: RunContext,
  sqs: Sqs,
  pair: QueuePair,
  { limit, json }: ListOptions,
  { columns, rowsOf, waits }: LetterQueue,
): Promise<void> => {
  const letters = await readLetters(sqs, pair.deadLetters, limit, (read) => terminal.progress(`${read} read`));
  report(terminal, json, columns, rowsOf(letters));
  const backlog = await known(backlogOf({ sqs }, pair));
  if ('unknown' in backlog)
    throw new Problem(`${letters.length} dead letters listed. A queue could not be counted. ${backlog.unknown}`);
  const { waiting, deadLetters: total } = backlog.value;
  terminal.note(`${letters.length} of about ${total} dead letters listed; about ${waiting} ${waits}.`);
};

/** Moves letters back to their queue. SQS itself moves all of them: it knows no limit and no dry run, and its count is rough. */
const redriveLetters = async (
  { terminal, interruption }: Pick<RunContext, 'terminal' | 'interruption'>,
  sqs: Sqs,
  { named, queue, deadLetters: dead }: QueuePair & Pick<LetterQueue, 'named'>,
  { limit, dryRun, json }: RedriveRequest,
): Promise<void> => {
  const progress = (moved: number) => terminal.progress(`${moved} done`);
  const move = { queue, deadLetters: dead, stop: interruption(), progress };
  const all = limit === undefined && !dryRun ? await moveAll(sqs, move) : undefined;
  const count = all ?? (await moveEach(sqs, move, limit, dryRun));
  if (json) terminal.print(JSON.stringify(dryRun ? { canBeRedriven: count } : { redriven: count }));
  else if (dryRun) terminal.print(`${count} can be redriven.`);
  else terminal.print(`${all === undefined ? '' : 'About '}${count} redriven to the ${named} queue.`);
};

const moveEach = async (
  sqs: Sqs,
  { stop, progress, ...pair }: Move,
  limit = Number.POSITIVE_INFINITY,
  dryRun = false,
): Promise<number> => {
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(sqs, pair.deadLetters, limit)) {
      if (stop.aborted) throw stoppedAfter(letters.length);
      if (!dryRun) await returnToQueue(sqs, pair, letter);
      progress(letters.push(letter));
    }
  } finally {
    if (dryRun) await release(sqs, pair.deadLetters, letters);
  }
  return letters.length;
};
