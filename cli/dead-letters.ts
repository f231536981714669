import { setTimeout as pause } from 'node:timers/promises';
import {
  CancelMessageMoveTaskCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
  type StartMessageMoveTaskCommandInput,
  UnsupportedOperation,
} from '@aws-sdk/client-sqs';
import { batches } from '../lib/core/collections.ts';
import type { RunContext } from './command.ts';
import type { Deployment } from './connection/deployment.ts';
import { isDenied, Problem } from './problem.ts';

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

export interface DeadLetterQueue extends Pick<Deployment, 'sqs'> {
  readonly queues: Pick<Deployment['queues'], 'deadLetters'>;
}

/** SQS allows no more messages in one call. */
const maxBatchSize = 10;

/** With any wait SQS asks all of its servers, so an empty answer means an empty queue. Without one it asks only some. */
const waitSeconds = 1;

/** Long enough to read thousands of messages, short enough that they soon return after the process was killed. */
const visibilityTimeoutSeconds = 120;

/**
 * The dead letters, each once. Other readers do not see them meanwhile. A caller that stops early releases the letter
 * at which it stopped and the unread rest of the batch. So the next run finds them at once.
 */
export async function* deadLetters({ sqs, queues }: DeadLetterQueue, limit: number): AsyncGenerator<DeadLetter> {
  const seen = new Set<string>();
  while (seen.size < limit) {
    const receive = new ReceiveMessageCommand({
      QueueUrl: queues.deadLetters,
      MaxNumberOfMessages: Math.min(maxBatchSize, limit - seen.size),
      VisibilityTimeout: visibilityTimeoutSeconds,
      WaitTimeSeconds: waitSeconds,
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
      await release({ sqs, queues }, unread);
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
export const release = async ({ sqs, queues }: DeadLetterQueue, letters: readonly DeadLetter[]): Promise<void> => {
  for (const batch of batches(letters, ({ length }) => length < maxBatchSize)) {
    const changes = batch.map(({ receipt }) => ({
      QueueUrl: queues.deadLetters,
      ReceiptHandle: receipt,
      VisibilityTimeout: 0,
    }));
    await Promise.allSettled(changes.map((change) => sqs.send(new ChangeMessageVisibilityCommand(change))));
  }
};

/**
 * Sends a letter to its queue, and only then deletes it. A crash between the two calls leaves two copies: recovery stores the
 * call once, and a receiver to which deliveries are forwarded may get one twice. The other order would lose the letter.
 */
export const returnToQueue = async (
  { sqs, queues }: DeadLetterQueue,
  { id, body, receipt, group }: DeadLetter,
  to: string,
): Promise<void> => {
  const inGroup = group !== undefined && { MessageGroupId: group, MessageDeduplicationId: id };
  await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody: body, ...inGroup }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl: queues.deadLetters, ReceiptHandle: receipt }));
};

export interface Backlog {
  readonly waiting: number;
  readonly deadLetters: number;
}

/** How much waits. SQS says neither whose it is nor since when. */
export const backlogOf = async (
  { sqs }: Pick<Deployment, 'sqs'>,
  { queue, deadLetters: dead }: { readonly queue: string; readonly deadLetters: string },
): Promise<Backlog> => {
  const [waiting, deadLetters] = await Promise.all([queueDepth({ sqs }, queue), queueDepth({ sqs }, dead)]);
  return { waiting, deadLetters };
};

export const forwardingText = ({ waiting, deadLetters: dead }: Backlog): string =>
  `about ${waiting} deliveries wait for another receiver, and ${dead} are dead letters${waiting + dead > 0 ? ': see callfeed dead-letters list forwarded' : ''}`;

/** About how many messages a queue has, including those that somebody has received and not yet deleted. */
export const queueDepth = async ({ sqs }: Pick<Deployment, 'sqs'>, QueueUrl: string): Promise<number> => {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }));
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
};

/** The dead letters, which others can receive again afterwards. `onRead` gets how many were read so far. */
export const listLetters = async (
  queue: DeadLetterQueue,
  limit: number,
  onRead: (letters: number) => void,
): Promise<readonly DeadLetter[]> => {
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(queue, limit)) onRead(letters.push(letter));
  } finally {
    await release(queue, letters);
  }
  return letters;
};

export interface RedriveOptions {
  readonly limit?: number | undefined;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * Moves dead letters back to their queue, and prints how many. SQS moves all of them itself, which takes no network of this
 * machine; it knows no limit and no dry run. Throws if the user stops it before the end.
 */
export const redriveLetters = async (
  { terminal, interruption }: Pick<RunContext, 'terminal' | 'interruption'>,
  queue: DeadLetterQueue,
  { to, named }: { readonly to: string; readonly named: string },
  { limit, dryRun, json }: RedriveOptions,
): Promise<void> => {
  const progress = (moved: number) => terminal.progress(`${moved} done`);
  const stop = interruption();
  const all = limit === undefined && !dryRun ? await moveAll(queue, to, { stop, progress }) : undefined;
  const count = all ?? (await moveEach(queue, to, { limit, dryRun, stop, progress }));
  if (json) terminal.print(JSON.stringify(dryRun ? { canBeRedriven: count } : { redriven: count }));
  else terminal.print(dryRun ? `${count} can be redriven.` : `${count} redriven to the ${named} queue.`);
};

interface Moving {
  readonly stop: AbortSignal;
  readonly progress: (moved: number) => void;
}

const stoppedAfter = (moved: number) => new Problem(`Stopped after ${moved}; run the command again to continue.`);

const moveEach = async (
  queue: DeadLetterQueue,
  to: string,
  { limit = Number.POSITIVE_INFINITY, dryRun, stop, progress }: Moving & Pick<RedriveOptions, 'limit' | 'dryRun'>,
): Promise<number> => {
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(queue, limit)) {
      if (stop.aborted) throw stoppedAfter(letters.length);
      if (!dryRun) await returnToQueue(queue, letter, to);
      progress(letters.push(letter));
    }
  } finally {
    if (dryRun) await release(queue, letters);
  }
  return letters.length;
};

const taskPauseMs = 500;

/**
 * Has SQS move all dead letters, or follows the task that does so already: a queue has one at a time. Resolves with how many
 * were moved; undefined where the credentials may not start a task, as those may not that were granted what earlier versions
 * needed.
 */
const moveAll = async (
  { sqs, queues }: DeadLetterQueue,
  to: string,
  { stop, progress }: Moving,
): Promise<number | undefined> => {
  if (stop.aborted) throw stoppedAfter(0);
  const task = await startedTask(sqs, queues.deadLetters, to);
  if (task === undefined) return undefined;
  for (;;) {
    const { moved, isDone, TaskHandle } = await stateOf(sqs, task);
    if (isDone) return moved;
    progress(moved);
    if (stop.aborted && (await isCancelled(sqs, TaskHandle))) throw stoppedAfter(moved);
    await pause(taskPauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
};

type MoveTask = StartMessageMoveTaskCommandInput;

const startedTask = async (sqs: Deployment['sqs'], from: string, to: string): Promise<MoveTask | undefined> => {
  let task: MoveTask = { SourceArn: undefined };
  try {
    task = { SourceArn: await arnOf(sqs, from), DestinationArn: await arnOf(sqs, to) };
    await sqs.send(new StartMessageMoveTaskCommand(task));
  } catch (error) {
    if (isDenied(error)) return undefined;
    if (!(error instanceof UnsupportedOperation)) throw error;
  }
  return task;
};

/** How far the latest task is. A task without a destination returns each message to where it came from. */
const stateOf = async (sqs: Deployment['sqs'], { SourceArn, DestinationArn: to }: MoveTask) => {
  const { Results: [task = {}] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  const { Status: status, TaskHandle, ApproximateNumberOfMessagesMoved: moved = 0, FailureReason } = task;
  const { DestinationArn: destination = to } = task;
  if (destination !== to) throw new Problem(`SQS moves them to another queue: ${destination}.`);
  if (status !== 'COMPLETED' && status !== 'RUNNING')
    throw new Problem(`SQS moved ${moved}, and then stopped: ${FailureReason ?? status}.`);
  return { moved, isDone: status === 'COMPLETED', TaskHandle };
};

/** False if the task has ended meanwhile. */
const isCancelled = (sqs: Deployment['sqs'], TaskHandle: string | undefined): Promise<boolean> =>
  sqs.send(new CancelMessageMoveTaskCommand({ TaskHandle })).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'ResourceNotFoundException') return false;
      throw error;
    },
  );

const arnOf = async (sqs: Deployment['sqs'], QueueUrl: string): Promise<string | undefined> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return Attributes?.QueueArn;
};
