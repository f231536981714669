import { setTimeout as pause } from 'node:timers/promises';
import {
  CancelMessageMoveTaskCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Deployment } from '../frame/deployment.ts';
import type { DeadLetterQueue, QueuePair } from '../frame/feature.ts';
import { isDenied, Problem, problemOf, settled } from '../frame/problem.ts';
import { type Columns, printResult, printRows, type TableRow } from '../frame/table.ts';
import { backlogOf, type DeadLetter, readLetters, returnToQueue, takeDeadLetters } from './sqs-letters.ts';

interface LetterQueue extends Pick<DeadLetterQueue, 'name' | 'queueOf'> {
  /** What the queue is called after a redrive, as in `the parking queue`. */
  readonly queueName: string;
  /** What a deployment without this queue lacks. */
  readonly needs: string;
  readonly columns: Columns;
  /** Without names and numbers. */
  readonly rowsOf: (letters: readonly DeadLetter[]) => readonly TableRow[];
  /** What waits in the queue, such as `deliveries wait`. */
  readonly waits: string;
}

/** A queue whose dead letters are shown and moved as SQS has them: it selects none by what they say. */
export const letterQueue = ({ name, queueOf, ...about }: LetterQueue): DeadLetterQueue => {
  const pairOf = (deployment: Deployment): QueuePair => {
    const pair = queueOf(deployment);
    if (pair === undefined) throw new Problem(about.needs);
    return pair;
  };
  return {
    name,
    queueOf,
    isSelectable: false,
    async list({ terminal }, deployment, { limit, json }) {
      const pair = pairOf(deployment);
      const onRead = (read: number) => terminal.progress(`${read} read`);
      const letters = await readLetters(deployment.sqs, pair.deadLetters, limit, onRead);
      printRows(terminal, json, about.columns, about.rowsOf(letters));
      const backlog = await settled(backlogOf(deployment, pair));
      if ('unknown' in backlog)
        throw new Problem(`${letters.length} dead letters listed. A queue could not be counted. ${backlog.unknown}`);
      const { waiting, deadLetters: total } = backlog.value;
      terminal.note(`${letters.length} of about ${total} dead letters listed; about ${waiting} ${about.waits}.`);
      return letters.length;
    },
    /** SQS itself moves all of them: it knows no limit and no dry run, and its count is rough. */
    async redrive({ terminal, interruption }, deployment, { limit, dryRun, json }) {
      const progress = (moved: number) => terminal.progress(`${moved} done`);
      const move = { sqs: deployment.sqs, ...pairOf(deployment), stop: interruption(), progress };
      const all = limit === undefined && !dryRun ? await moveAll(move) : undefined;
      const count = all ?? (await moveEach(move, limit, dryRun));
      if (dryRun) return printResult(terminal, json, { canBeRedriven: count }, `${count} can be redriven.`);
      const text = `${all === undefined ? '' : 'About '}${count} redriven to the ${about.queueName} queue.`;
      printResult(terminal, json, { redriven: count }, text);
    },
  };
};

const moveEach = async (
  { sqs, stop, progress, ...pair }: Move,
  limit = Number.POSITIVE_INFINITY,
  dryRun = false,
): Promise<number> => {
  let count = 0;
  await takeDeadLetters(sqs, pair.deadLetters, limit, async (letter) => {
    if (stop.aborted) throw stoppedAfter(count);
    if (!dryRun) await returnToQueue(sqs, pair, letter);
    count += 1;
    progress(count);
    return !dryRun;
  });
  return count;
};

type Sqs = Deployment['sqs'];

interface Move extends QueuePair {
  readonly sqs: Sqs;
  readonly stop: AbortSignal;
  readonly progress: (moved: number) => void;
}

const taskPauseMs = 500;

const stoppedAfter = (moved: number) => new Problem(`Stopped after ${moved}; run the command again to continue.`);

/**
 * Has SQS move all dead letters, or follows the task that does so already: a queue has one at a time. Resolves with about how
 * many were moved. It is undefined where the credentials may not start and follow a task: earlier versions did not need that.
 * Ctrl-C cancels the task only if this command has started it.
 */
const moveAll = async ({ sqs, queue, deadLetters, stop, progress }: Move): Promise<number | undefined> => {
  if (stop.aborted) throw stoppedAfter(0);
  const task = await startTask(sqs, queue, deadLetters);
  if (task === undefined) return undefined;
  for (;;) {
    const { moved, isDone, TaskHandle } = await stateOf(sqs, task).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      throw new Problem(`${problemOf(error).message} SQS goes on moving them: run the command again to follow it.`);
    });
    if (isDone) return moved;
    progress(moved);
    if (stop.aborted && !task.isOwn)
      throw new Problem(`Stopped following after about ${moved}; somebody else has SQS move the rest.`);
    if (stop.aborted && (await isCancelled(sqs, TaskHandle))) throw stoppedAfter(moved);
    await pause(taskPauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
};

/** Undefined where the credentials may not start or follow a task. */
const startTask = async (sqs: Sqs, queue: string, deadLetters: string) => {
  try {
    const [from, to] = await Promise.all([arnOf(sqs, deadLetters), arnOf(sqs, queue)]);
    // Before the start: a task that may not be followed would go on unseen.
    await latestTask(sqs, from);
    const start = new StartMessageMoveTaskCommand({ SourceArn: from, DestinationArn: to });
    const isOwn = await succeeds(sqs.send(start), 'UnsupportedOperation');
    return { from, to, isOwn };
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
};

/** How far the latest task is. A task without a destination returns each message to where it came from. */
const stateOf = async (sqs: Sqs, { from, to }: Readonly<Record<'from' | 'to', string | undefined>>) => {
  const task = await latestTask(sqs, from);
  const { Status: status, TaskHandle, ApproximateNumberOfMessagesMoved: moved = 0, FailureReason } = task;
  const { DestinationArn: destination = to } = task;
  if (destination !== to) throw new Problem(`SQS moves them to another queue: ${destination}.`);
  if (status !== 'COMPLETED' && status !== 'RUNNING')
    throw new Problem(`SQS moved ${moved}, and then stopped: ${FailureReason ?? status}.`);
  return { moved, isDone: status === 'COMPLETED', TaskHandle };
};

const latestTask = async (sqs: Sqs, SourceArn: string | undefined) => {
  const { Results: [task = {}] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  return task;
};

/** False if the task has ended meanwhile. */
const isCancelled = (sqs: Sqs, TaskHandle: string | undefined): Promise<boolean> =>
  succeeds(sqs.send(new CancelMessageMoveTaskCommand({ TaskHandle })), 'ResourceNotFoundException');

/** False if the request failed as `expected`; any other error is thrown. */
const succeeds = async (request: Promise<unknown>, expected: string): Promise<boolean> => {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === expected) return false;
    throw error;
  }
};

const arnOf = async (sqs: Sqs, QueueUrl: string): Promise<string | undefined> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return Attributes?.QueueArn;
};
