import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { bodyOf, isTruncated } from '../../lib/callback/quarantine.ts';
import { parseJson } from '../../lib/core/json.ts';
import { instantOrDayFrom, wholeNumber } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { printable, printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { dismissEntry, getEntry, quarantineReasons, type StoredEntry, scanEntries } from '../quarantine-entries.ts';

const ListOptions = Options.extend({
  account: z.string().optional(),
  reason: z.string().optional(),
  since: z.string().optional(),
  limit: z.int(),
  dismissed: z.boolean().default(false),
});

const dismissalColumns = { dismissedAt: 'DISMISSED AT', dismissedBecause: 'BECAUSE' };
const columns = { id: 'ID', reason: 'REASON', account: 'ACCOUNT', receivedAt: 'RECEIVED AT', bytes: 'BYTES' };

/** `callfeed quarantine list` */
export const quarantineList = (group: Command, context: RunContext): void => {
  const command = group
    .command('list')
    .description('lists rejected posts and records, newest first, without their bodies')
    .option('--account <name>', 'only this account')
    .addOption(new Option('--reason <reason>', 'only this reason').choices(quarantineReasons))
    .option('--since <instant>', 'received at this instant or later', instantOrDayFrom)
    .option('--limit <number>', 'the maximum', wholeNumber(1, 100_000), 100)
    .option('--dismissed', 'those that somebody has dismissed, with the reason, instead of the others')
    .addHelpText(
      'after',
      `
Reads the whole quarantine table. Entries without an account came without a known API key.

Examples:
  $ callfeed quarantine list --since 2026-11-20 --reason broken-json
  $ callfeed quarantine list --account acme --json | jq -r .id`,
    );
  command.action(() => list(context, ListOptions.parse(command.optsWithGlobals())));
};

const list = async ({ terminal, connect }: RunContext, options: z.infer<typeof ListOptions>): Promise<void> => {
  const found: Listed[] = [];
  const onRead = (rows: number) => terminal.progress(`${rows} rows read, ${found.length} found`);
  const filter = { ...options, isDismissed: options.dismissed };
  for await (const page of scanEntries(await connect(options), filter, onRead)) found.push(...page.map(listed));

  const newest = found.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)).slice(0, options.limit);
  report(terminal, options.json, options.dismissed ? { ...columns, ...dismissalColumns } : columns, newest);
  if (!options.json) terminal.note(countNote(newest.length, found.length));
};

const countNote = (shown: number, found: number): string =>
  shown < found
    ? `${shown} of ${found} entries listed; --limit sets how many.`
    : `${found} ${found === 1 ? 'entry' : 'entries'}.`;

const listed = ({ id, entry: { reason, account, receivedAt, body, bytes }, dismissal }: StoredEntry) => ({
  ...{ id, reason, account, receivedAt, bytes: bytes ?? Buffer.byteLength(body) },
  ...dismissal,
});
type Listed = ReturnType<typeof listed>;

const ShowOptions = Options.extend({ showPersonal: z.boolean().default(false) });

/** `callfeed quarantine show ID` */
export const quarantineShow = (group: Command, context: RunContext): void => {
  const command = group
    .command('show')
    .description('shows one entry, and its body only with --show-personal')
    .argument('<id>', 'the id, as “quarantine list” shows it')
    .option('--show-personal', 'show the stored body, with the names and numbers in it')
    .addHelpText('after', '\nExample:\n  $ callfeed quarantine show 5f0c… --show-personal');
  command.action((id: string) => show(context, id, ShowOptions.parse(command.optsWithGlobals())));
};

const show = async (
  { terminal, connect }: RunContext,
  id: string,
  options: z.infer<typeof ShowOptions>,
): Promise<void> => {
  const quarantined = await getEntry(await connect(options), id);
  if (quarantined === undefined) throw new Problem(`Nothing in quarantine has the id ${printable(id)}.`);

  const body = bodyOf(quarantined.entry);
  const about = { id, ...summaryOf(quarantined) };
  if (options.json) {
    terminal.print(printableJson(options.showPersonal ? { ...about, body } : about));
    return;
  }
  for (const [name, value] of Object.entries(about)) terminal.print(`${name.padEnd(12)}${printable(String(value))}`);
  if (options.showPersonal) terminal.print(`\n${printable(readable(body), true)}`);
  else terminal.note('The body is hidden because it may hold names and numbers; --show-personal shows it.');
};

const summaryOf = ({ entry, dismissal }: StoredEntry) => {
  const { body, bytes, ...about } = entry;
  return {
    ...about,
    ...dismissal,
    bytes: bytes ?? Buffer.byteLength(body),
    ...(isTruncated(entry) && { bytesStored: Buffer.byteLength(bodyOf(entry)) }),
  };
};

/** Indented JSON, with long numbers digit for digit; as stored where our parser rejects the body. */
const readable = (body: string): string => {
  const json = parseJson(body);
  return json.ok ? JSON.stringify(json.value, null, 2) : body;
};

/** A sentence. */
const maxReasonCharacters = 300;

const DismissOptions = Options.extend({ because: z.string() });

/** `callfeed quarantine dismiss ID … --because TEXT` */
export const quarantineDismiss = (group: Command, context: RunContext): void => {
  const command = group
    .command('dismiss')
    .description('marks entries about which nothing has to be done, with the reason; they stay until they expire')
    .argument('<id...>', 'the ids, as “quarantine list” shows them')
    .requiredOption('--because <text>', 'why, in a sentence without names and numbers of customers', reasonFrom)
    .addHelpText(
      'after',
      `
For posts that redriving cannot mend. “status”, “verify” and the console count them no longer, and “redrive --all” leaves them
out. “list --dismissed” has them with their reason, and “redrive ID” still redrives one.

Example:
  $ callfeed quarantine dismiss 5f0c… --because "A test post of the vendor"`,
    );
  command.action((ids: readonly string[]) => dismiss(context, ids, DismissOptions.parse(command.optsWithGlobals())));
};

const reasonFrom = (typed: string): string => {
  const text = typed.trim();
  if (text !== '' && text.length <= maxReasonCharacters) return text;
  throw new InvalidArgumentError(`Expected a reason of 1 to ${maxReasonCharacters} characters.`);
};

const dismiss = async (
  { terminal, connect, clock, setExitCode }: RunContext,
  ids: readonly string[],
  { because, ...options }: z.infer<typeof DismissOptions>,
): Promise<void> => {
  const deployment = await connect(options);
  for (const id of ids) {
    const isFound = await dismissEntry(deployment, id, { at: clock().toISOString(), because });
    if (!isFound) setExitCode(1);
    if (options.json) terminal.print(printableJson({ id, outcome: isFound ? 'dismissed' : 'missing' }));
    else terminal.print(printable(isFound ? `${id} dismissed.` : `Nothing in quarantine has the id ${id}.`));
  }
};
