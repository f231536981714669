import { Option } from '@commander-js/extra-typings';
import { bodyOf, isTruncated, isUnknownSender } from '../../lib/callback/store-or-park.ts';
import { parseJson } from '../../lib/core/json.ts';
import { type BareCommand, command, on } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { instantOrDayFrom, reject, wholeNumber } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { printRows } from '../frame/table.ts';
import { printable, printableJson } from '../frame/terminal.ts';
import {
  dismissEntry,
  type EntryFilter,
  getEntry,
  quarantineReasons,
  type StoredEntry,
  scanEntries,
} from './quarantine-entries.ts';
import { callIn } from './redrive-quarantined.ts';

const dismissalColumns = { dismissedAt: 'DISMISSED AT', dismissedBecause: 'BECAUSE' };
const columns = { id: 'ID', reason: 'REASON', account: 'ACCOUNT', receivedAt: 'RECEIVED AT', bytes: 'BYTES' };

export const quarantineList = command({
  name: 'list',
  description: 'lists rejected posts and records, newest first, without their bodies',
  permissions: [on('quarantine table', 'dynamodb:Scan')],
  options: (command: BareCommand) =>
    command
      .option('--account <name>', 'only this account')
      .addOption(new Option('--reason <reason>', 'only this reason').choices(quarantineReasons))
      .option('--since <instant>', 'received at this instant or later', instantOrDayFrom)
      .option('--limit <number>', 'the maximum', wholeNumber(1, 100_000), 100)
      .option('--dismissed', 'entries that somebody has dismissed, with the reason, instead of the others', false),
  help: `Posts that are no call summaries, such as screen pops, need nothing.

Example:
  $ callfeed quarantine list --account acme --reason broken-json --since 2026-11-20`,
  run: async ({ terminal, connect }, options) => {
    const found: ReturnType<typeof listed>[] = [];
    const onRead = (rows: number) => terminal.progress(`${rows} rows read, ${found.length} found`);
    const filter = { ...options, isDismissed: options.dismissed };
    for await (const page of scanEntries(await connect(options), filter, onRead)) found.push(...page.map(listed));

    const newest = found.sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)).slice(0, options.limit);
    printRows(terminal, options.json, options.dismissed ? { ...columns, ...dismissalColumns } : columns, newest);
    if (!options.json) terminal.note(`${newest.length} of ${found.length} entries listed; --limit sets how many.`);
  },
});

const listed = ({ id, entry: { reason, account, receivedAt, body, bytes }, dismissal }: StoredEntry) => ({
  id,
  reason,
  account,
  receivedAt,
  bytes: bytes ?? Buffer.byteLength(body),
  ...dismissal,
});

export const quarantineShow = command({
  name: 'show',
  description: 'shows one entry, and its body only with --show-personal',
  permissions: [on('quarantine table', 'dynamodb:GetItem')],
  options: (command: BareCommand) =>
    command
      .option('--show-personal', 'show the stored body, with the names and numbers in it', false)
      .argument('<id>', 'the id, as “quarantine list” shows it'),
  help: `Example:
  $ callfeed quarantine show ID --show-personal`,
  run: async ({ terminal, connect }, options, id) => {
    const quarantined = await getEntry(await connect(options), id);
    if (quarantined === undefined) throw new Problem(`Nothing in quarantine has the id ${printable(id)}.`);

    const body = bodyOf(quarantined.entry);
    const about = { id, ...summaryOf(quarantined) };
    if (options.json) return terminal.print(printableJson(options.showPersonal ? { ...about, body } : about));
    for (const [name, value] of Object.entries(about)) terminal.print(`${name.padEnd(12)}${printable(String(value))}`);
    if (options.showPersonal) terminal.print(`\n${printable(readable(body), true)}`);
    else terminal.note('The body is hidden because it may hold names and numbers; --show-personal shows it.');
  },
});

const summaryOf = ({ entry, dismissal }: StoredEntry) => {
  const { body, bytes = Buffer.byteLength(body), ...about } = entry;
  const stored = isTruncated(entry) && { bytesStored: Buffer.byteLength(bodyOf(entry)) };
  return { ...about, ...dismissal, bytes, ...stored };
};

const readable = (body: string): string => {
  const json = parseJson(body);
  return json.ok ? JSON.stringify(json.value, null, 2) : body;
};

const maxReasonCharacters = 300;

export const quarantineDismiss = command({
  name: 'dismiss',
  description: 'marks entries about which nothing has to be done, with the reason; they stay until they expire',
  permissions: [on('quarantine table', 'dynamodb:UpdateItem'), on('quarantine table', 'dynamodb:Scan', 'with `--all`')],
  options: (command: BareCommand) =>
    command
      .option('--all', 'all entries with --reason that cannot be redriven', false)
      .addOption(new Option('--reason <reason>', 'with --all: the entries with this reason').choices(quarantineReasons))
      .option('--account <name>', 'with --all: only this account')
      .requiredOption('--because <text>', 'why, in a sentence without names and numbers of customers', (typed) => {
        const text = typed.trim();
        return text !== '' && text.length <= maxReasonCharacters
          ? text
          : reject(`Expected a reason of 1 to ${maxReasonCharacters} characters.`);
      })
      .argument('[id...]', 'the ids, as “quarantine list” shows them'),
  help: `For posts that redriving cannot mend. “status”, “verify” and the console count them no longer, and “redrive --all” leaves them out;
“redrive ID” still redrives one. --all leaves entries with a call in them.

Examples:
  $ callfeed quarantine dismiss ID --because "A test post of the vendor"
  $ callfeed quarantine dismiss --all --reason broken-json --because "Mended at the service on Tuesday"`,
  run: async ({ terminal, connect, clock, setExitCode }, { because, ...options }, ids) => {
    const filter = dismissalFilter(ids, options);
    const deployment = await connect(options);
    const selected = filter === undefined ? { ids, left: 0 } : await selectEntries(deployment, filter);
    for (const id of selected.ids) {
      const isFound = await dismissEntry(deployment, id, { at: clock().toISOString(), because });
      if (!isFound) setExitCode(1);
      if (options.json) terminal.print(printableJson({ id, outcome: isFound ? 'dismissed' : 'missing' }));
      else terminal.print(printable(isFound ? `${id} dismissed.` : `Nothing in quarantine has the id ${id}.`));
    }
    if (selected.left > 0)
      terminal.note(`${selected.left} left with a call in them: redrive them first, or dismiss them by id.`);
    else if (selected.ids.length === 0) terminal.note('Quarantine has no such entry that is not dismissed yet.');
  },
});

const dismissalFilter = (
  ids: readonly string[],
  { all, reason, account }: EntryFilter & { readonly all: boolean },
): EntryFilter | undefined => {
  if (all === ids.length > 0) throw new Problem('Give the ids of entries, or --all.', 2);
  if (!all && (reason ?? account) !== undefined) throw new Problem('--reason and --account need --all.', 2);
  if (all && reason === undefined) throw new Problem('--all needs --reason.', 2);
  return all ? { reason, account, isDismissed: false } : undefined;
};

/** The ids of selected entries. Those in which a redrive would find a call are only counted, unless they are a stranger's. */
const selectEntries = async (deployment: Deployment, filter: EntryFilter) => {
  const ids: string[] = [];
  let left = 0;
  for await (const page of scanEntries(deployment, filter))
    for (const { id, entry } of page)
      if (callIn(entry) === 'found' && !isUnknownSender(entry)) left += 1;
      else ids.push(id);
  return { ids, left };
};
