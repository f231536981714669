import { type Command, Option } from 'commander';
import * as z from 'zod';
import { bodyOf, isTruncated } from '../../lib/callback/quarantine.ts';
import type { QuarantinedEntry } from '../../lib/callback/redrive-quarantined.ts';
import { parseJson } from '../../lib/core/json.ts';
import { instantOrDayFrom, wholeNumber } from '../arguments.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { printable, printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { getEntry, quarantineReasons, scanEntries } from '../quarantine-entries.ts';

const ListOptions = Options.extend({
  account: z.string().optional(),
  reason: z.string().optional(),
  since: z.string().optional(),
  limit: z.int(),
});

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
  for await (const page of scanEntries(await connect(options), options, onRead)) found.push(...page.map(listed));

  const newest = found.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)).slice(0, options.limit);
  report(terminal, options.json, columns, newest);
  if (!options.json) terminal.note(countNote(newest.length, found.length));
};

const countNote = (shown: number, found: number): string =>
  shown < found
    ? `${shown} of ${found} entries listed; --limit sets how many.`
    : `${found} ${found === 1 ? 'entry' : 'entries'}.`;

const listed = ({ id, entry: { reason, account, receivedAt, body, bytes } }: QuarantinedEntry) => ({
  id,
  reason,
  account,
  receivedAt,
  bytes: bytes ?? Buffer.byteLength(body),
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

const summaryOf = ({ entry }: QuarantinedEntry) => {
  const { body, bytes, ...about } = entry;
  return {
    ...about,
    bytes: bytes ?? Buffer.byteLength(body),
    ...(isTruncated(entry) && { bytesStored: Buffer.byteLength(bodyOf(entry)) }),
  };
};

/** Indented JSON, with long numbers digit for digit; as stored where our parser rejects the body. */
const readable = (body: string): string => {
  const json = parseJson(body);
  return json.ok ? JSON.stringify(json.value, null, 2) : body;
};
