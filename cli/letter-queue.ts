import type { Deployment } from './connection/deployment.ts';
import { backlogOf, type DeadLetter, readLetters, returnToQueue, takeDeadLetters } from './dead-letters.ts';
import type { DeadLetterQueue, QueuePair } from './feature.ts';
import { type Move, moveAll, stoppedAfter } from './move-task.ts';
import { type Columns, printResult, report, type TableRow } from './output/report.ts';
import { known, Problem } from './problem.ts';

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
    ...{ name, queueOf, isSelectable: false },
    async list({ terminal }, deployment, { limit, json }) {
      const pair = pairOf(deployment);
      const onRead = (read: number) => terminal.progress(`${read} read`);
      const letters = await readLetters(deployment.sqs, pair.deadLetters, limit, onRead);
      report(terminal, json, about.columns, about.rowsOf(letters));
      const backlog = await known(backlogOf(deployment, pair));
      if ('unknown' in backlog)
        throw new Problem(`${letters.length} dead letters listed. A queue could not be counted. ${backlog.unknown}`);
      const { waiting, deadLetters: total } = backlog.value;
      terminal.note(`${letters.length} of about ${total} dead letters listed; about ${waiting} ${about.waits}.`);
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
