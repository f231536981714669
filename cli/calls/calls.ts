import * as z from 'zod';
import type { InstantRange } from '../../client/arguments.ts';
import type { CallList, ListedCall as ListedCallRow, MissedCalls, OtherSpellings } from '../../client/index.ts';
import { lastDay } from '../../client/missed-calls.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import { once } from '../../lib/core/collections.ts';
import { requestedRange, shownZone, zoneIfKnown } from '../frame/asked-days.ts';
import { accountNamesFrom, command, on } from '../frame/command.ts';
import { forSpreadsheets } from '../frame/csv.ts';
import { Problem } from '../frame/problem.ts';
import { type Reader, reader } from '../frame/reader.ts';
import { redacted } from '../frame/redact.ts';
import { printableJson, type Terminal } from '../frame/terminal.ts';
import type { CallFilters } from './call-filters.ts';
import { firstMatching, listOf, lookingForNear, missedStatesOf, nearAgents, rowsOf, selectionOf } from './call-list.ts';
import { callsCsv, callTable, listSummary } from './call-table.ts';
import { type CallsOptions, callsOptions, defaultTableLimit, needsMissed, rejectUnfitting } from './calls-options.ts';
import { filtersIn, usualSpellingsText } from './set-filters.ts';
import { printWaiting, selectedOf, tooManyMissed } from './waiting-callers.ts';

const requestedList = (
  { client }: Reader,
  options: CallsOptions,
  { others, ...range }: InstantRange & { readonly others: OtherSpellings | undefined },
): CallList =>
  options.recorded && range.from !== undefined
    ? client.calls({ recordedFrom: range.from, recordedTo: range.to })
    : listOf(client, filtersIn(options), range, others);

/** The calls of a customer that the index does not have in a usual spelling, read once for however many pages. */
const readOthers = async (
  { client }: Reader,
  { customer }: CallFilters,
  range: InstantRange,
  terminal: Terminal,
): Promise<OtherSpellings | undefined> => {
  if (customer === undefined) return undefined;
  const others = await client.otherSpellings(customer, range, {
    onProgress: (read) => terminal.progress(`${read} calls read`),
  });
  if (others.isComplete) return others;
  const isRange = (range.from ?? range.to) !== undefined;
  const why = isRange
    ? 'The range has more than 50,000 calls. Ask for a shorter one.'
    : 'For others give --day, --since or --from.';
  terminal.note(`${usualSpellingsText} ${why}`);
  return others;
};

/** What became of missed calls is asked of the last day, where no range is given. */
const rangeOf = async (account: Reader, options: CallsOptions, now: Date) => {
  const range = await requestedRange(account, options, now);
  if (needsMissed(options) && (range.from ?? range.to) === undefined) {
    const day = lastDay(options.asOf ?? now.toISOString());
    return { range: day, moving: day };
  }
  return { range, moving: options.since && range };
};

const readMissed = async (
  { client }: Reader,
  { returnedWithin: withinSeconds, asOf, ...range }: InstantRange & Pick<CallsOptions, 'returnedWithin' | 'asOf'>,
  terminal: Terminal,
): Promise<MissedCalls> => {
  const onProgress = (read: number) => terminal.progress(`${read} calls read`);
  const found = await client.missedCalls({ ...range, withinSeconds, asOf, onProgress });
  if ('moreThan' in found) throw new Problem(tooManyMissed(found, 'UTC'));
  return found;
};

/** What became of missed calls, for a list that is printed without it where it cannot be read. */
const readMissedIfAny = async (
  { client }: Reader,
  { recorded }: CallsOptions,
  range: InstantRange,
  terminal: Terminal,
): Promise<MissedCalls['calls'] | undefined> => {
  const without = (why: string) => terminal.note(`What became of missed calls is left out. ${why}`);
  if (recorded || (range.from ?? range.to) === undefined)
    return void without('Give a range of their start with --day, --since or --from.');
  const found = await client.missedCalls({
    ...range,
    onProgress: (read) => terminal.progress(`${read} calls read`),
  });
  return 'moreThan' in found ? void without(tooManyMissed(found, 'UTC')) : found.calls;
};

export const calls = command({
  name: 'calls',
  description: 'lists calls, newest first: all of an account, of an agent or of a customer',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query'),
    on(
      'Calls table',
      'dynamodb:BatchGetItem',
      'with `--csv`, `--recorded`, `--open`, `--state`, `--within`, `--slower` or `--known`, and with `--agent` and `--counted`',
    ),
    accountNamesFrom(
      'with `--customer`, `--open`, `--state` or `--csv`, or unless `--account`, and with `--day` also `--time-zone`, is given',
    ),
  ],
  options: callsOptions,
  help: `Examples:
  $ callfeed calls --day today --missed
  $ callfeed calls --missed --open --since 8h --show-personal
  $ callfeed calls --recorded --day yesterday --json
  $ callfeed calls --day today --slower 60 --skill Sales
  $ callfeed calls --day today --agent asha --counted passed-on
  $ callfeed calls --agent asha --since 2h --json | jq -r .callId
  $ callfeed calls --customer 09876500000 --show-personal
  $ callfeed calls --day yesterday --csv > calls.csv

--counted counts as “callfeed day” does: “passed-on” calls were offered to the agent and answered by somebody else, “given-up” ones were
abandoned and not short, below 10 seconds, and “service-level” and “abandonment” are the calls on which these shares rest.
Filters hold together, and apply after reading, so you pay for the calls that they leave out. --within, --slower and --known, and --counted beside
--agent, read the rows of the calls too. --recorded lists first the late calls, by their recording, then the others, whose rows it reads too.
--open lists callers: the most attempts first, then the longest waiting. --open and --state are about the last day where no range is given. They
read the calls of the range, of four hours before it and of --returned-within after it: all of a day, else up to 50,000. They also read the rows
of outgoing calls that would end a wait: in some the customer or an agent had no part.
--customer finds the number however it was sent, among up to 50,000 calls of a range, or all of a day, which it reads. Beyond that and without a
range it finds the usual spellings, and says so: bare, or with 0, +, 00 or the country's code before it. --csv also has customerNumberE164, localTime,
time to answer, talk, recordings, how long the call lasted, and of a missed call its state and what answered it: for these it reads the rows of the
calls, and what decides the states. Import ids and numbers as text: spreadsheets round long ones. Times are in the account’s zone, and in UTC with --json and --csv, but
for localTime. A misspelt name gives an empty list, with what the calls that were read have in its place, and exit code 0.`,
  run: async (context, options) => {
    const { terminal, clock } = context;
    const now = clock();
    rejectUnfitting(options, now);
    const filters = filtersIn(options);
    const { json, csv, showPersonal, cursor, since, returnedWithin, asOf } = options;
    const account = await reader(context, options);
    const { range, moving } = await rangeOf(account, options, now);
    const limit = options.limit ?? (json || csv ? Number.POSITIVE_INFINITY : defaultTableLimit);
    const missed = once(() => readMissed(account, { ...range, returnedWithin, asOf }, terminal));
    const rowsOfCalls = rowsOf(account.client);
    const selection = selectionOf<ListedCallRow>(
      [filters, options.missed ? { counted: 'missed' } : {}, options.abandoned ? { counted: 'abandoned' } : {}],
      { rowsOf: rowsOfCalls, states: once(async () => missedStatesOf((await missed()).calls)) },
    );
    const zone = async () => (json || csv ? 'UTC' : await shownZone(terminal, account, options));
    if (options.open) {
      const shown = { json, csv, showPersonal, limit, timeZone: await zone() };
      return printWaiting(terminal, await selectedOf(await missed(), selection), shown);
    }

    const others = await readOthers(account, filters, range, terminal);
    const calls = requestedList(account, options, { ...range, others });
    const rows: ListedCallRow[] = [];
    const printCsv = csv
      ? callsCsv(forSpreadsheets(terminal), {
          ...(await account.client.numbering()),
          showPersonal,
          timeZone: options.timeZone ?? (await zoneIfKnown(account)),
          rowsOf: rowsOfCalls,
          missed: async () =>
            needsMissed(options) ? (await missed()).calls : readMissedIfAny(account, options, range, terminal),
        })
      : undefined;
    const looking = lookingForNear(filters, selection);
    const found = await firstMatching(calls, { limit, cursor, selection: looking.selection }, async (page) => {
      if (printCsv !== undefined) {
        await printCsv(page);
        return;
      }
      const visible = showPersonal ? page : redacted(z.array(ListedCall), page);
      if (json) for (const call of visible) terminal.print(printableJson(call));
      else rows.push(...visible);
    });
    if (rows.length > 0) callTable(terminal, rows, { timeZone: await zone(), showPersonal });
    const { isFiltered } = selection;
    const isEmpty = found.found === 0 && cursor === undefined;
    terminal.note(
      listSummary(found, {
        ...filters,
        account: options.account,
        cursor,
        since,
        moving,
        isFiltered,
        near: [...looking.near(), ...(isEmpty ? await nearAgents(account.client, filters, range) : [])],
      }),
    );
  },
});
