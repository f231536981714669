import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import type { CallList, ListedCall as ListedCallRow } from '../../lib/client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import {
  type CallFilters,
  callsOfCaller,
  callTable,
  type Found,
  firstMatching,
  hasFilters,
  printCallsCsv,
  printCallsCsvHead,
} from '../call-list.ts';
import {
  accountNamesFrom,
  type BareCommand,
  command,
  csvOption,
  type OptionsOf,
  on,
  rangeOptions,
  wholeNumber,
} from '../command.ts';
import { redacted } from '../output/redact.ts';
import { forSpreadsheets, rejectTwoFormats } from '../output/report.ts';
import { printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { type Reader, reader, rejectZoneWithoutDay, requestedRange, shownZone } from '../reader.ts';

const { status, type } = ListedCall.shape;

const requestedList = async (reader: Reader, options: CallsOptions, now: Date): Promise<CallList> => {
  const { client } = reader;
  const { agent, customer, recorded } = options;
  const range = await requestedRange(reader, options, now);
  if (recorded && range.from !== undefined) return client.calls({ recordedFrom: range.from, recordedTo: range.to });
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : callsOfCaller(client, customer, range);
};

/** Names are compared letter by letter, and a misspelt one finds nothing. */
const spellingQuestion =
  ' If there should be some: is the account spelt as in the secret, and every other name and number as it was sent?';

type Summarised = CallFilters & Partial<Pick<CallsOptions, 'account' | 'agent' | 'customer' | 'cursor'>>;

export const listSummary = ({ found, read, next }: Found, options: Summarised): string => {
  const { account, agent, customer, skill, campaign, cursor } = options;
  const ofRead = hasFilters(options) ? ` of ${read} read` : '';
  const more = next === undefined ? '' : ` More with the same options and --cursor ${next}`;
  const hasName = (account ?? agent ?? customer ?? skill ?? campaign) !== undefined;
  const question = found === 0 && hasName && cursor === undefined ? spellingQuestion : '';
  return `${found} listed${ofRead}.${more}${question}`;
};

const defaultTableLimit = 20;

const options = (command: BareCommand) =>
  rangeOptions(command)
    .addOption(
      new Option('--recorded', 'the range is of when calls were first recorded, not of their start: finds late calls')
        .default(false)
        .conflicts(['agent', 'customer']),
    )
    .addOption(new Option('--status <word>', 'only calls with this status').choices(status.def.innerType.options))
    .addOption(new Option('--type <word>', 'only calls of this type').choices(type.def.innerType.options))
    .option('--missed', 'only calls of customers that nobody answered', false)
    .option('--abandoned', 'only missed calls in which the customer hung up', false)
    .option('--skill <name>', 'only calls of this skill, written as it was sent')
    .option('--campaign <name>', 'only calls of this campaign, written as it was sent')
    .addOption(new Option('--agent <id>', 'of this agent, transfers included').conflicts('customer'))
    .option(
      '--customer <number>',
      'of this number in its usual spellings: bare, or with 0, +, 00 or its country code before it',
    )
    .option(
      '--limit <number>',
      `the maximum (default: ${defaultTableLimit}; with --json or --csv no maximum)`,
      wholeNumber(1, 100_000),
    )
    .option('--cursor <cursor>', 'continue where an earlier page of the same list ended')
    .addOption(csvOption);
type CallsOptions = OptionsOf<typeof options>;

export const calls = command({
  name: 'calls',
  description: 'lists calls, newest first: all of an account, of an agent or of a customer',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query'),
    on('Calls table', 'dynamodb:BatchGetItem', 'with `--recorded`'),
    accountNamesFrom('unless `--account`, and with `--day` also `--time-zone`, is given'),
  ],
  options,
  help: `Examples:
  $ callfeed calls --day today --missed
  $ callfeed calls --recorded --day yesterday --json
  $ callfeed calls --agent asha --since 2h --json | jq -r .callId
  $ callfeed calls --customer 09876500000 --show-personal
  $ callfeed calls --day yesterday --csv > calls.csv

--missed, --abandoned, --status, --type, --skill and --campaign filter after reading, so you pay for the calls that they leave out. --recorded
lists first the late calls, by their recording, then the others, whose rows it reads too. Times are in the account’s zone, and in UTC with
--json and --csv. A misspelt name gives an empty list and exit code 0.`,
  run: async (context, options) => {
    rejectZoneWithoutDay(options);
    if (options.recorded && (options.day ?? options.since ?? options.from) === undefined)
      throw new Problem('--recorded needs --day, --since or --from.', 2);
    rejectTwoFormats(options);
    const { terminal, clock } = context;
    const { json, csv, showPersonal, cursor } = options;
    const account = await reader(context, options);
    const calls = await requestedList(account, options, clock());
    const limit = options.limit ?? (json || csv ? Number.POSITIVE_INFINITY : defaultTableLimit);

    const file = forSpreadsheets(terminal);
    if (csv) printCallsCsvHead(file);
    const rows: ListedCallRow[] = [];
    const found = await firstMatching(calls, { limit, cursor, filters: options }, (page) => {
      const visible = showPersonal ? page : redacted(z.array(ListedCall), page);
      if (json) for (const call of visible) terminal.print(printableJson(call));
      else if (csv) printCallsCsv(file, visible);
      else rows.push(...visible);
    });
    if (rows.length > 0)
      callTable(terminal, rows, { timeZone: await shownZone(terminal, account, options), showPersonal });
    terminal.note(listSummary(found, options));
  },
});
