import { setTimeout as pause } from 'node:timers/promises';
import {
  CancelMessageMoveTaskCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  StartMessageMoveTaskCommand,
  UnsupportedOperation,
} from '@aws-sdk/client-sqs';
import type { RunContext } from './command.ts';
import type { Deployment } from './connection/deployment.ts';
import {
  type DeadLetter,
  deadLetters,
  type QueuePair,
  queueDepth,
  readLetters,
  release,
  returnToQueue,
} from './dead-letters.ts';
import type { DeadLetterQueue, ListOptions, RedriveRequest } from './feature.ts';
import { report, type TableRow } from './output/report.ts';
import { isDenied, known, Problem } from './problem.ts';

type Sqs = Deployment['sqs'];

interface LettersTable {
  readonly columns: Readonly<Record<string, string>>;
  /** Without names and numbers. */
  readonly rows: (letters: readonly DeadLetter[]) => readonly TableRow[];
  /** What waits in the queue, such as `deliveries wait`. */
  readonly waits: string;
}

interface LetterQueue extends Pick<DeadLetterQueue, 'name' | 'queueOf'> {
  readonly named: string;
  readonly needs: string;
  readonly table: LettersTable;
}

/** A queue whose dead letters are shown and moved as SQS has them: it selects none by what they say. */
export const letterQueue = ({ name, queueOf, named, needs, table }: LetterQueue): DeadLetterQueue => {
  const pairOf = (deployment: Deployment): QueuePair => {
    const pair = queueOf(deployment);
    if (pair === undefined) throw new Problem(needs);
    return pair;
  };
  return {
    name,
    queueOf,
    isSelectable: false,
    list: (context, deployment, options) => listLetters(context, deployment.sqs, pairOf(deployment), options, table),
    async redrive(context, options) {
      const deployment = await context.connect(options);
      await redriveLetters(context, deployment.sqs, { ...pairOf(deployment), named }, options);
    },
  };
};

/** Prints the dead letters of a queue. What cannot be counted is left out of the last line, and fails the command after it. */
const listLetters = async (
  { terminal }: RunContext,
  sqs: Sqs,
  { queue, deadLetters: dead }: QueuePair,
  { limit, json }: ListOptions,
  { columns, rows, waits }: LettersTable,
): Promise<void> => {
  // Side by side: each that does not answer takes seconds.
  const counts = Promise.all([known(queueDepth({ sqs }, queue)), known(queueDepth({ sqs }, dead))]);
  const letters = await readLetters(sqs, dead, limit, (read) => terminal.progress(`${read} read`));
  report(terminal, json, columns, rows(letters));
  const [waiting, total] = await counts;
  const of = 'value' in total ? ` of about ${total.value}` : '';
  const others = 'value' in waiting ? `; about ${waiting.value} ${waits}` : '';
  terminal.note(`${letters.length}${of} dead letters listed${others}.`);
  const [unknown] = [waiting, total].flatMap((read) => ('unknown' in read ? [read.unknown] : []));
  if (unknown !== undefined) throw new Problem(`A queue could not be counted. ${unknown}`);
};

/** Moves letters back to their queue. SQS itself moves all of them: it knows no limit and no dry run, and its count is rough. */
const redriveLetters = async (
  { terminal, interruption }: Pick<RunContext, 'terminal' | 'interruption'>,
  sqs: Sqs,
  { named, ...pair }: QueuePair & { readonly named: string },
  { limit, dryRun, json }: RedriveRequest,
): Promise<void> => {
  const moving = { sqs, pair, stop: interruption(), progress: (moved: number) => terminal.progress(`${moved} done`) };
  const all = limit === undefined && !dryRun ? await moveAll(moving) : undefined;
  const count = all ?? (await moveEach(moving, { limit, dryRun }));
  if (json) terminal.print(JSON.stringify(dryRun ? { canBeRedriven: count } : { redriven: count }));
  else if (dryRun) terminal.print(`${count} can be redriven.`);
  else terminal.print(`${all === undefined ? '' : 'About '}${count} redriven to the ${named} queue.`);
};

interface Moving {
  readonly sqs: Sqs;
  readonly pair: QueuePair;
  readonly stop: AbortSignal;
  readonly progress: (moved: number) => void;
}

const stoppedAfter = (moved: number) => new Problem(`Stopped after ${moved}; run the command again to continue.`);

const moveEach = async (
  { sqs, pair, stop, progress }: Moving,
  { limit = Number.POSITIVE_INFINITY, dryRun }: Pick<RedriveRequest, 'limit' | 'dryRun'>,
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

const taskPauseMs = 500;

/**
 * Has SQS move all dead letters, or follows the task that does so already: a queue has one at a time. Resolves with how many
 * were moved; undefined where the credentials may not start and follow a task, as those may not that were granted what earlier
 * versions needed. Ctrl-C cancels the task only if this command has started it.
 */
const moveAll = async ({ sqs, pair, stop, progress }: Moving): Promise<number | undefined> => {
  if (stop.aborted) throw stoppedAfter(0);
  const task = await startTask(sqs, pair);
  if (task === undefined) return undefined;
  for (;;) {
    const { moved, isDone, TaskHandle } = await stateOf(sqs, task);
    if (isDone) return moved;
    progress(moved);
    if (stop.aborted && !task.isOwn)
      throw new Problem(`Stopped following after about ${moved}; somebody else has SQS move the rest.`);
    if (stop.aborted && (await isCancelled(sqs, TaskHandle))) throw stoppedAfter(moved);
    await pause(taskPauseMs, undefined, { signal: stop }).catch(() => undefined);
  }
};

interface MoveTask {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isOwn: boolean;
}

const startTask = async (sqs: Sqs, { queue, deadLetters: dead }: QueuePair): Promise<MoveTask | undefined> => {
  try {
    const [from, to] = await Promise.all([arnOf(sqs, dead), arnOf(sqs, queue)]);
    // Before the start: a task that may not be followed would go on unseen.
    await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: from, MaxResults: 1 }));
    const start = new StartMessageMoveTaskCommand({ SourceArn: from, DestinationArn: to });
    const isOwn = await sqs.send(start).then(
      () => true,
      (error: unknown) => {
        if (error instanceof UnsupportedOperation) return false;
        throw error;
      },
    );
    return { from, to, isOwn };
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
};

/** How far the latest task is. A task without a destination returns each message to where it came from. */
const stateOf = async (sqs: Sqs, { from: SourceArn, to }: MoveTask) => {
  const { Results: [task = {}] = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  const { Status: status, TaskHandle, ApproximateNumberOfMessagesMoved: moved = 0, FailureReason } = task;
  const { DestinationArn: destination = to } = task;
  if (destination !== to) throw new Problem(`SQS moves them to another queue: ${destination}.`);
  if (status !== 'COMPLETED' && status !== 'RUNNING')
    throw new Problem(`SQS moved ${moved}, and then stopped: ${FailureReason ?? status}.`);
  return { moved, isDone: status === 'COMPLETED', TaskHandle };
};

/** False if the task has ended meanwhile. */
const isCancelled = (sqs: Sqs, TaskHandle: string | undefined): Promise<boolean> =>
  sqs.send(new CancelMessageMoveTaskCommand({ TaskHandle })).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'ResourceNotFoundException') return false;
      throw error;
    },
  );

const arnOf = async (sqs: Sqs, QueueUrl: string): Promise<string | undefined> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  return Attributes?.QueueArn;
};
