import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import type { CallList, ListedCall as ListedCallRow } from '../../lib/client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import { keysOf } from '../../lib/core/collections.ts';
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
import { printable, printableJson } from '../output/terminal.ts';
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

type SummarisedOptions = CallFilters & Partial<Pick<CallsOptions, 'account' | 'agent' | 'customer' | 'cursor'>>;

export const listSummary = (
  { found, read, next }: Found,
  options: SummarisedOptions,
  names: NamesRead = { skill: new Set(), campaign: new Set() },
): string => {
  const ofRead = hasFilters(options) ? ` of ${read} read` : '';
  const more = next === undefined ? '' : ` More with the same options and --cursor ${next}`;
  const hint = read === 0 ? spellingHint(options) : found === 0 ? namesHint(options, names) : '';
  return `${found} listed${ofRead}.${more}${hint}`;
};

type NamesRead = Readonly<Record<'skill' | 'campaign', ReadonlySet<string>>>;

const namesIn = (list: CallList): NamesRead & { readonly list: CallList } => {
  const [skill, campaign] = [new Set<string>(), new Set<string>()];
  async function* pages(...asked: Parameters<CallList['pages']>) {
    for await (const page of list.pages(...asked)) {
      for (const { skillName, campaignName } of page.calls) {
        if (skillName !== undefined) skill.add(skillName);
        if (campaignName !== undefined) campaign.add(campaignName);
      }
      yield page;
    }
  }
  return { skill, campaign, list: { ...list, pages } };
};

const maxNames = 5;

/** Names are compared letter by letter, so a list without calls says which ones there were: first what differs in letter case. */
const namesHint = (options: SummarisedOptions, names: NamesRead): string =>
  (['skill', 'campaign'] as const)
    .flatMap((what) => {
      const [asked, read] = [options[what], [...names[what]]];
      if (asked === undefined || read.length === 0 || names[what].has(asked)) return [];
      const isAlike = (name: string) => name.toLowerCase().trim() === asked.toLowerCase().trim();
      const sorted = read.toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a)) || a.localeCompare(b));
      const shown = sorted.slice(0, maxNames).map((name) => `“${printable(name)}”`);
      const others = sorted.length > maxNames ? ` and ${sorted.length - maxNames} more` : '';
      return [` No ${what} is spelt “${printable(asked)}” there: they are ${shown.join(', ')}${others}.`];
    })
    .join('');

const spellingQuestions = {
  account: 'is the account spelt as in the secret',
  agent: 'is the agent the login id, spelt as in “callfeed agents”',
  customer: 'was the number sent with blanks or signs in it (the console searches the newest calls for that)',
} as const;

const spellingHint = (options: SummarisedOptions): string => {
  const questions = keysOf(spellingQuestions).filter((name) => options[name] !== undefined);
  const text = questions.map((name) => spellingQuestions[name]).join(', and ');
  return text === '' || options.cursor !== undefined ? '' : ` If there should be some: ${text}?`;
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
  moreHelp: `

Missed is an inbound call, or one without a type, with the status not-answered.`,
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
    const names = namesIn(calls);
    const rows: ListedCallRow[] = [];
    const found = await firstMatching(names.list, { limit, cursor, filters: options }, (page) => {
      const visible = showPersonal ? page : redacted(z.array(ListedCall), page);
      if (json) for (const call of visible) terminal.print(printableJson(call));
      else if (csv) printCallsCsv(file, visible);
      else rows.push(...visible);
    });
    if (rows.length > 0)
      callTable(terminal, rows, { timeZone: await shownZone(terminal, account, options), showPersonal });
    terminal.note(listSummary(found, options, names));
  },
});
