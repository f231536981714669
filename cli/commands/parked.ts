import type { Command } from 'commander';
import * as z from 'zod';
import { Parked } from '../../lib/callback/parked.ts';
import { tryParseJson } from '../../lib/core/parse-json.ts';
import { wholeNumber } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { type DeadLetter, deadLetters, queueDepth, release, returnToQueue } from '../dead-letters.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { Problem } from '../problem.ts';

/** What of a letter is nobody's secret: no number and no name. */
const deadLetterSummary = ({ id, body, receives }: DeadLetter) => {
  const parked = Parked.safeParse(tryParseJson(body)).data;
  if (parked === undefined) return { id, kind: 'unreadable', receives };
  if (parked.kind === 'quarantine') {
    const { account, receivedAt } = parked.entry;
    return { id, kind: 'quarantine', account, receivedAt, receives };
  }
  const { kind, account, callId } = parked.key;
  return { id, kind, account, callId, receivedAt: parked.delivery.receivedAt, receives };
};

const ListOptions = Options.extend({ limit: z.int() });

const columns = {
  kind: 'KIND',
  account: 'ACCOUNT',
  callId: 'CALL',
  receivedAt: 'RECEIVED AT',
  receives: 'RECEIVES',
  id: 'MESSAGE ID',
};

/** `callfeed parked list` */
export const parkedList = (group: Command, context: RunContext): void => {
  const command = group
    .command('list')
    .description('lists what could not be stored with all tries, and leaves it where it is')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 10_000), 100)
    .addHelpText(
      'after',
      `
What still waits for its table needs nothing: recovery tries it every six minutes for a day. Only what is left after
that is listed here; SQS deletes it 14 days after it was parked. A look at a message counts as a try.

Example:
  $ callfeed parked list`,
    );
  command.action(() => list(context, ListOptions.parse(command.optsWithGlobals())));
};

const list = async ({ terminal, connect }: RunContext, options: z.infer<typeof ListOptions>): Promise<void> => {
  const deployment = await connect(options);
  const waiting = await queueDepth(deployment, deployment.queues.parking);
  const setAside = await queueDepth(deployment, deployment.queues.deadLetters);

  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(deployment, options.limit)) {
      letters.push(letter);
      terminal.progress(`${letters.length} read`);
    }
  } finally {
    await release(deployment, letters);
  }
  report(terminal, options.json, columns, letters.map(deadLetterSummary));
  terminal.note(`${letters.length} listed of about ${setAside} set aside; about ${waiting} wait and need nothing.`);
};

const RedriveOptions = Options.extend({ limit: z.int(), dryRun: z.boolean().default(false) });

/** `callfeed parked redrive` */
export const parkedRedrive = (group: Command, context: RunContext): void => {
  const command = group
    .command('redrive')
    .description('sends what was set aside back to the queue, from where recovery stores it')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 1_000_000), 1_000_000)
    .option('--dry-run', 'only count them')
    .addHelpText(
      'after',
      `
Mend first what kept the table from taking them (the runbook’s “Callbacks parked”); recovery then has another day for
each. Doing it twice, or being cut off, stores nothing twice.

Examples:
  $ callfeed parked redrive --limit 1
  $ callfeed parked redrive`,
    );
  command.action(() => redrive(context, RedriveOptions.parse(command.optsWithGlobals())));
};

const redrive = async (context: RunContext, options: z.infer<typeof RedriveOptions>): Promise<void> => {
  const { terminal } = context;
  const deployment = await context.connect(options);
  const stop = context.interruption();
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(deployment, options.limit)) {
      if (stop.aborted) throw new Problem(`Stopped after ${letters.length}; give the command again to go on.`);
      if (!options.dryRun) await returnToQueue(deployment, letter);
      letters.push(letter);
      terminal.progress(`${letters.length} done`);
    }
  } finally {
    if (options.dryRun) await release(deployment, letters);
  }
  const count = letters.length;
  if (options.json) terminal.print(JSON.stringify(options.dryRun ? { canBeRedriven: count } : { redriven: count }));
  else terminal.print(options.dryRun ? `${count} can be sent back.` : `${count} sent back to the queue.`);
};
