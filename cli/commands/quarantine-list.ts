import { type Command, Option } from 'commander';
import * as z from 'zod';
import type { KeptEntry } from '../../lib/redrive-quarantined.ts';
import type { RunContext } from '../context.ts';
import { instantOrDayFrom } from '../input/instant-from.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { Options } from '../options.ts';
import { report } from '../output/report.ts';
import { entries } from '../quarantine/entries.ts';
import { knownReasons } from '../quarantine/known-reasons.ts';

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
    .description('lists what was not understood, the newest first; never what is in it')
    .option('--account <name>', 'of this account only')
    .addOption(new Option('--reason <reason>', 'kept for this reason only').choices(knownReasons))
    .option('--since <instant>', 'received from then on', instantOrDayFrom)
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 100)
    .addHelpText(
      'after',
      `
Reads the table of quarantine once. Entries without an account came without a known key.

Examples:
  $ callfeed quarantine list --since 2026-11-20 --reason broken-json
  $ callfeed quarantine list --account acme --json | jq -r .id`,
    );
  command.action(() => list(context, ListOptions.parse(command.optsWithGlobals())));
};

const list = async ({ terminal, connect }: RunContext, options: z.infer<typeof ListOptions>): Promise<void> => {
  const found: Listed[] = [];
  const onRead = (rows: number) => terminal.progress(`${rows} rows read, ${found.length} found`);
  for await (const page of entries(await connect(options), options, onRead)) found.push(...page.map(listed));

  const newest = found.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)).slice(0, options.limit);
  report(terminal, options.json, columns, newest);
  if (!options.json) terminal.note(told(newest.length, found.length));
};

const told = (shown: number, found: number): string =>
  shown < found
    ? `${shown} of ${found} entries; --limit shows more.`
    : `${found} ${found === 1 ? 'entry' : 'entries'}.`;

const listed = ({ id, entry: { reason, account, receivedAt, body, bytes } }: KeptEntry) => ({
  id,
  reason,
  account,
  receivedAt,
  bytes: bytes ?? Buffer.byteLength(body),
});
type Listed = ReturnType<typeof listed>;
