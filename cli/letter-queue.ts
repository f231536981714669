import type { RunContext } from './command.ts';
import type { Deployment } from './connection/deployment.ts';
import {
  backlogOf,
  type DeadLetter,
  deadLetters,
  type QueuePair,
  readLetters,
  release,
  returnToQueue,
} from './dead-letters.ts';
import type { DeadLetterQueue, ListOptions, RedriveRequest } from './feature.ts';
import { report, type TableRow } from './output/report.ts';
import { Problem } from './problem.ts';

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

const listLetters = async (
  { terminal }: RunContext,
  sqs: Sqs,
  pair: QueuePair,
  { limit, json }: ListOptions,
  { columns, rows, waits }: LettersTable,
): Promise<void> => {
  const letters = await readLetters(sqs, pair.deadLetters, limit, (read) => terminal.progress(`${read} read`));
  report(terminal, json, columns, rows(letters));
  const { waiting, deadLetters: total } = await backlogOf({ sqs }, pair);
  terminal.note(`${letters.length} of about ${total} dead letters listed; about ${waiting} ${waits}.`);
};

const redriveLetters = async (
  { terminal, interruption }: Pick<RunContext, 'terminal' | 'interruption'>,
  sqs: Sqs,
  { named, ...pair }: QueuePair & { readonly named: string },
  { limit = Number.POSITIVE_INFINITY, dryRun, json }: RedriveRequest,
): Promise<void> => {
  const stop = interruption();
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(sqs, pair.deadLetters, limit)) {
      if (stop.aborted) throw new Problem(`Stopped after ${letters.length}; run the command again to continue.`);
      if (!dryRun) await returnToQueue(sqs, pair, letter);
      terminal.progress(`${letters.push(letter)} done`);
    }
  } finally {
    if (dryRun) await release(sqs, pair.deadLetters, letters);
  }
  const count = letters.length;
  if (json) terminal.print(JSON.stringify(dryRun ? { canBeRedriven: count } : { redriven: count }));
  else terminal.print(dryRun ? `${count} can be redriven.` : `${count} redriven to the ${named} queue.`);
};
