import type { Command } from 'commander';
import * as z from 'zod';
import { parseJson } from '../../lib/json/parse-json.ts';
import type { KeptEntry } from '../../lib/redrive-quarantined.ts';
import type { RunContext } from '../context.ts';
import { Options } from '../options.ts';
import { printable, printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { entryOf } from '../quarantine/entries.ts';

const ShowOptions = Options.extend({ showPersonal: z.boolean().default(false) });

/** `callfeed quarantine show ID` */
export const quarantineShow = (group: Command, context: RunContext): void => {
  const command = group
    .command('show')
    .description('shows one entry; what is in it only if asked')
    .argument('<id>', 'as “quarantine list” shows it')
    .option('--show-personal', 'show the body as it was kept: names, numbers and all')
    .addHelpText('after', '\nExample:\n  $ callfeed quarantine show 5f0c… --show-personal');
  command.action((id: string) => show(context, id, ShowOptions.parse(command.optsWithGlobals())));
};

const show = async (
  { terminal, connect }: RunContext,
  id: string,
  options: z.infer<typeof ShowOptions>,
): Promise<void> => {
  const kept = await entryOf(await connect(options), id);
  if (kept === undefined) throw new Problem(`Nothing in quarantine has the id ${printable(id)}.`);

  const { body, ...about } = { id, ...aboutOf(kept), body: kept.entry.body };
  if (options.json) {
    terminal.print(printableJson(options.showPersonal ? { ...about, body } : about));
    return;
  }
  for (const [name, value] of Object.entries(about)) terminal.print(`${name.padEnd(12)}${printable(String(value))}`);
  if (options.showPersonal) terminal.print(`\n${printable(readable(body), true)}`);
  else terminal.note('The body is not shown: it may hold names and numbers; --show-personal shows it.');
};

const aboutOf = ({ entry: { body, bytes, ...about } }: KeptEntry) => ({
  ...about,
  bytes: bytes ?? Buffer.byteLength(body),
  ...(bytes !== undefined && { bytesKept: Buffer.byteLength(body) }),
});

/** Digit for digit, so what our own parser refuses is shown as it is. */
const readable = (body: string): string => {
  const json = parseJson(body);
  return json.ok ? JSON.stringify(json.value, null, 2) : body;
};
