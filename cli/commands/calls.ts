import { type Command, Option } from 'commander';
import * as z from 'zod';
import type { ListedCall as ListedCallRow } from '../../client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import { AskedCalls, askedList, words } from '../calls/asked-calls.ts';
import { firstOf } from '../calls/first-of.ts';
import { toldFound } from '../calls/told-found.ts';
import type { RunContext } from '../context.ts';
import { dayFrom } from '../input/day-from.ts';
import { instantFrom } from '../input/instant-from.ts';
import { wholeNumber } from '../input/whole-number.ts';
import { zoneFrom } from '../input/zone-from.ts';
import { callTable } from '../output/call-table.ts';
import { masked } from '../output/masked.ts';
import { printableJson } from '../output/printable.ts';
import { Problem } from '../problem.ts';
import { reader } from '../reader.ts';
import { withReaderOptions } from '../reader-options.ts';

/** As many as a table of them is looked at. */
const rowsOfTable = 20;

/** `callfeed calls` */
export const calls = (program: Command, context: RunContext): void => {
  const command = withReaderOptions(program.command('calls'))
    .description('lists calls, the newest first: all of an account, of an agent or of a customer')
    .option('--day <day>', 'of a day of the account’s zone, such as 2026-11-20, or today', dayFrom)
    .option('--time-zone <zone>', 'with --day: the account’s zone, which its secret says otherwise', zoneFrom)
    .option('--from <instant>', 'that started then or later', instantFrom)
    .option('--to <instant>', 'that started then or earlier: the instant itself is included', instantFrom)
    .addOption(new Option('--status <word>', 'only those with this status').choices(words.status))
    .addOption(new Option('--type <word>', 'only those of this type').choices(words.type))
    .option('--agent <id>', 'of this agent, transfers included')
    .option('--customer <number>', 'of this number, as it was sent')
    .option(
      '--limit <number>',
      `at most so many (default: ${rowsOfTable}; with --json all of them)`,
      wholeNumber(1, 100_000),
    )
    .option('--cursor <cursor>', 'go on where the same list broke off')
    .addHelpText(
      'after',
      `
Examples:
  $ callfeed calls --day today --status not-answered --type inbound
  $ callfeed calls --from 2026-11-20T00:00:00+05:30 --to 2026-11-20T12:00:00+05:30
  $ callfeed calls --agent asha --day today --json | jq -r .callId
  $ callfeed calls --customer 09876500000 --show-personal

The first one answers “which calls did we miss today?”. A post may lack the type, and its call is of none then: without
--type the question is the safe one. --status and --type are looked at here, so the calls that they leave out are read and
paid for. A call with several legs is listed with each of them. “callfeed call” tells everything about one.`,
    );
  command.action(() => list(context, AskedCalls.parse(command.optsWithGlobals())));
};

const list = async (context: RunContext, asked: AskedCalls): Promise<void> => {
  refuseContradictions(asked);
  const { terminal, clock } = context;
  const { json, showPersonal, cursor, status, type } = asked;
  const found = await askedList(await reader(context, asked), asked, clock());
  const limit = asked.limit ?? (json ? Number.POSITIVE_INFINITY : rowsOfTable);

  const rows: ListedCallRow[] = [];
  const done = await firstOf(found, { limit, cursor, wanted: { status, type } }, (page) => {
    const shown = showPersonal ? page : masked(z.array(ListedCall), page);
    if (json) for (const call of shown) terminal.print(printableJson(call));
    else rows.push(...shown);
  });
  if (!json) callTable(terminal, rows, showPersonal);
  terminal.note(toldFound(done, asked));
};

const refuseContradictions = ({ agent, customer, day, timeZone, from, to }: AskedCalls): void => {
  if (agent !== undefined && customer !== undefined) throw new Problem('Say --agent or --customer; not both.', 2);
  if (day !== undefined && (from !== undefined || to !== undefined))
    throw new Problem('Say --day, or --from and --to; not both.', 2);
  if (day === undefined && timeZone !== undefined)
    throw new Problem('--time-zone is of --day: an instant has its own.', 2);
};
