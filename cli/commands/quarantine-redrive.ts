import { type Command, Option } from 'commander';
import * as z from 'zod';
import { type KeptEntry, redriveQuarantined } from '../../lib/redrive-quarantined.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { printable } from '../output/printable.ts';
import { report } from '../output/report.ts';
import { Problem } from '../problem.ts';
import { chosenEntries } from '../quarantine/chosen-entries.ts';
import { knownReasons } from '../quarantine/known-reasons.ts';
import { redrivePorts } from '../quarantine/redrive-ports.ts';
import { whyItStays } from '../quarantine/why-it-stays.ts';

const RedriveOptions = Options.extend({
  all: z.boolean().default(false),
  reason: z.string().optional(),
  account: z.string().optional(),
  dryRun: z.boolean().default(false),
});
type RedriveOptions = z.infer<typeof RedriveOptions>;

const columns = {
  id: 'ID',
  outcome: 'OUTCOME',
  stored: 'STORED',
  duplicates: 'DUPLICATES',
  quarantined: 'QUARANTINED',
  why: 'WHY',
};

/** `callfeed quarantine redrive` */
export const quarantineRedrive = (group: Command, context: RunContext): void => {
  const command = group
    .command('redrive')
    .description('reads what was kept by today’s rules, stores it, and takes it out of quarantine')
    .argument('[id...]', 'these entries')
    .option('--all', 'all entries of known accounts')
    .addOption(new Option('--reason <reason>', 'with --all: those kept for this reason').choices(knownReasons))
    .option('--account <name>', 'with --all: those of this account; with ids: whose they are, where they do not say')
    .option('--dry-run', 'tell what would be stored, and write nothing')
    .addHelpText(
      'after',
      `
Calls get the time at which they were received, so it makes no difference that they come late. What is still not
understood stays, with its reason. Entries that name no account may be a stranger’s: look at one before you say whose it
is. Doing it twice makes duplicates, which change nothing.

Examples:
  $ callfeed quarantine redrive --all --reason not-a-call-summary --dry-run
  $ callfeed quarantine redrive 5f0c… --account acme`,
    );
  command.action((ids: string[]) => redrive(context, ids, RedriveOptions.parse(command.optsWithGlobals())));
};

const redrive = async (context: RunContext, ids: readonly string[], options: RedriveOptions): Promise<void> => {
  if (options.all === ids.length > 0) throw new Problem('Name entries by their ids, or --all of them.', 2);
  if (!options.all && options.reason !== undefined) throw new Problem('--reason goes with --all.', 2);

  const { terminal } = context;
  const deployment = await context.connect(options);
  const ports = await redrivePorts(deployment, context.clock);
  const redriveOne = redriveQuarantined(ports, { account: options.account, isDryRun: options.dryRun });
  const stop = context.interruption();

  const rows: Redriven[] = [];
  let passedOver = 0;
  const onPassedOver = () => {
    passedOver += 1;
  };
  try {
    for await (const chosen of chosenEntries(deployment, ids, options, onPassedOver)) {
      if (stop.aborted) throw new Problem(`Stopped after ${rows.length} entries; give the command again to go on.`);
      rows.push(typeof chosen === 'string' ? missing(chosen) : rowOf(chosen, await redriveOne(chosen), options.dryRun));
      if (options.json) report(terminal, true, columns, rows.slice(-1));
      terminal.progress(`${rows.length} entries done`);
    }
  } finally {
    if (!options.json) report(terminal, false, columns, rows);
  }
  const stay = rows.filter(({ why }) => why !== undefined).length;
  terminal.note(`${rows.length - stay} ${options.dryRun ? 'can be redriven' : 'redriven'}, ${stay} not.`);
  if (passedOver > 0)
    terminal.note(`${passedOver} passed over, as they name no account: give their ids and --account.`);
  context.ends(stay > 0 ? 1 : 0);
};

const missing = (id: string): Redriven => ({
  id: printable(id),
  outcome: 'missing',
  why: 'Nothing in quarantine has this id.',
});

const rowOf = (
  { id }: KeptEntry,
  result: Awaited<ReturnType<ReturnType<typeof redriveQuarantined>>>,
  isDryRun: boolean,
): Redriven => {
  if (!result.ok) return { id, outcome: result.problem, why: whyItStays(result.problem) };
  const { stored, duplicates, quarantined } = result.value;
  return isDryRun
    ? { id, outcome: 'can-be-redriven', stored, quarantined }
    : { id, outcome: 'redriven', stored, duplicates, quarantined };
};

interface Redriven {
  readonly [name: string]: string | number | undefined;
  readonly id: string;
  readonly outcome: string;
  readonly why?: string;
}
