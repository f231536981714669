import { type Command, Option } from 'commander';
import * as z from 'zod';
import type { CallfeedClient, CallList, CallRange, ListedCall as ListedCallRow } from '../../lib/client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import { justBefore } from '../../lib/core/instant.ts';
import { dayFrom, instantFrom, wholeNumber, zoneFrom } from '../arguments.ts';
import { callTable, type Found, firstMatching, hasFilters } from '../call-list.ts';
import type { RunContext } from '../context.ts';
import { ReaderOptions, withReaderOptions } from '../options.ts';
import { redacted } from '../output/redact.ts';
import { printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { accountDay, type Reader, reader } from '../reader.ts';

const { status, type } = ListedCall.shape;

/** What was typed of a list of calls. */
export const CallsOptions = ReaderOptions.extend({
  day: z.string().optional(),
  timeZone: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  status,
  type,
  agent: z.string().optional(),
  customer: z.string().optional(),
  limit: z.int().optional(),
  cursor: z.string().optional(),
});
export type CallsOptions = z.infer<typeof CallsOptions>;

/** The words that a call may have. */
const filterChoices = { status: status.unwrap().options, type: type.unwrap().options };

/** The list that is meant. */
const requestedList = async (reader: Reader, asked: CallsOptions, now: Date): Promise<CallList> =>
  listFor(reader.client, asked, await rangeOf(reader, asked, now));

const rangeOf = async (reader: Reader, { day, timeZone, from, to }: CallsOptions, now: Date): Promise<CallRange> => {
  if (day === undefined) return { from, to };
  const { start, end } = await accountDay(reader, { day, timeZone }, now);
  return { from: start, to: justBefore(end) };
};

const listFor = (client: CallfeedClient, { agent, customer }: CallsOptions, range: CallRange): CallList => {
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : client.callsOfCustomer(customer, range);
};

/** What is said below a list of calls: how many there are, where the rest is, and why there may be none. */
export const listSummary = ({ found, read, next }: Found, asked: CallsOptions): string => {
  const ofRead = hasFilters(asked) ? ` of ${read} read` : '';
  const more = next === undefined ? '' : ` More with the same options and --cursor ${next}`;
  return `${found} listed${ofRead}.${more}${read === 0 ? spellingHint(asked) : ''}`;
};

const spellingQuestions = {
  account: 'is the account spelt as in the secret',
  agent: 'is the agent the login id, spelt as “callfeed agents” has it',
  customer: 'is the number spelt as it was sent',
} as const;

/** A name that nobody has is an empty list too. */
const spellingHint = ({ account, agent, customer, cursor }: CallsOptions): string => {
  const asked = [
    ...(account === undefined ? [] : [spellingQuestions.account]),
    ...(agent === undefined ? [] : [spellingQuestions.agent]),
    ...(customer === undefined ? [] : [spellingQuestions.customer]),
  ];
  return asked.length === 0 || cursor !== undefined ? '' : ` If there should be some: ${asked.join(', and ')}?`;
};

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
    .addOption(new Option('--status <word>', 'only those with this status').choices(filterChoices.status))
    .addOption(new Option('--type <word>', 'only those of this type').choices(filterChoices.type))
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
  command.action(() => list(context, CallsOptions.parse(command.optsWithGlobals())));
};

const list = async (context: RunContext, asked: CallsOptions): Promise<void> => {
  rejectContradictions(asked);
  const { terminal, clock } = context;
  const { json, showPersonal, cursor, status, type } = asked;
  const found = await requestedList(await reader(context, asked), asked, clock());
  const limit = asked.limit ?? (json ? Number.POSITIVE_INFINITY : rowsOfTable);

  const rows: ListedCallRow[] = [];
  const done = await firstMatching(found, { limit, cursor, filters: { status, type } }, (page) => {
    const shown = showPersonal ? page : redacted(z.array(ListedCall), page);
    if (json) for (const call of shown) terminal.print(printableJson(call));
    else rows.push(...shown);
  });
  if (!json) callTable(terminal, rows, showPersonal);
  terminal.note(listSummary(done, asked));
};

const rejectContradictions = ({ agent, customer, day, timeZone, from, to }: CallsOptions): void => {
  if (agent !== undefined && customer !== undefined) throw new Problem('Say --agent or --customer; not both.', 2);
  if (day !== undefined && (from !== undefined || to !== undefined))
    throw new Problem('Say --day, or --from and --to; not both.', 2);
  if (day === undefined && timeZone !== undefined)
    throw new Problem('--time-zone is of --day: an instant has its own.', 2);
};
