import type { Command } from 'commander';
import * as z from 'zod';
import type { RunContext } from '../context.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { Options } from '../options.ts';
import { deadLetters, type Letter, letGo, sendBack } from '../parked/dead-letters.ts';
import { Problem } from '../problem.ts';

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
  const letters: Letter[] = [];
  try {
    for await (const letter of deadLetters(deployment, options.limit)) {
      if (stop.aborted) throw new Problem(`Stopped after ${letters.length}; give the command again to go on.`);
      if (!options.dryRun) await sendBack(deployment, letter);
      letters.push(letter);
      terminal.progress(`${letters.length} done`);
    }
  } finally {
    if (options.dryRun) await letGo(deployment, letters);
  }
  const count = letters.length;
  if (options.json) terminal.print(JSON.stringify(options.dryRun ? { canBeSentBack: count } : { sentBack: count }));
  else terminal.print(options.dryRun ? `${count} can be sent back.` : `${count} sent back to the queue.`);
};
