import { Option } from '@commander-js/extra-typings';
import * as z from 'zod';
import { DayCall } from '../../lib/client/day.ts';
import {
  callFigures,
  callGroupings,
  type DayGroup,
  dayFigures,
  dayFiguresBy,
  defaultWithinSeconds,
  type FigureSettings,
  isTimeGrouping,
} from '../../lib/client/index.ts';
import { defaultCountSettings } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import {
  type BareCommand,
  command,
  csvOption,
  dayFrom,
  type OptionsOf,
  on,
  type RunContext,
  readerOptions,
  timeZoneOption,
  today,
  wholeNumber,
} from '../command.ts';
import {
  comparedWeek,
  type DayReport,
  printDayCsv,
  printDayJson,
  printDayTables,
  unknownReasons,
  type WeekBefore,
  weekBefore,
} from '../output/day.ts';
import { redacted } from '../output/redact.ts';
import { counted, forSpreadsheets, rejectTwoFormats } from '../output/report.ts';
import { Problem } from '../problem.ts';
import { type AccountDay, accountDay, type Reader, reader } from '../reader.ts';
import { readsAgents } from './agents.ts';

export const groupings = keysOf(callGroupings);

export const defaultShortSeconds = defaultCountSettings.shortSeconds;

const options = (command: BareCommand) =>
  readerOptions(command)
    .option('--date <day>', 'a day in the account’s time zone, such as 2026-11-20, today or yesterday', dayFrom, today)
    .addOption(timeZoneOption)
    .addOption(
      new Option('--by <group>', 'a table by agent, skill, campaign, hour or quarter of an hour').choices(groupings),
    )
    .option(
      '--within <seconds>',
      'within how many seconds a call has to be answered for the service level',
      wholeNumber(0, 3_600),
      defaultWithinSeconds,
    )
    .option(
      '--short <seconds>',
      'below how many seconds an abandoned call is short',
      wholeNumber(1, 3_600),
      defaultShortSeconds,
    )
    .addOption(csvOption);
type DayOptions = OptionsOf<typeof options>;

export const day = command({
  name: 'day',
  description: 'computes the figures of a day: calls, and agents’ time',
  permissions: [on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem'), ...readsAgents],
  options,
  help: `A figure that cannot be known is “-”, never zero: the last lines say why, and “unknown” of --json. Tables show durations as median /
average. Beside the large figures are the figures of the same weekday a week before, up to the same time if the day is not over.
It reads the row of every call of both days. How each figure is computed: docs/figures.md

Examples:
  $ callfeed day
  $ callfeed day --date yesterday --by agent --show-personal
  $ callfeed day --date 2026-11-20 --by hour --csv > hours.csv`,
  run: async (context, options) => {
    rejectTwoFormats(options);
    const { terminal } = context;
    const report = await reportOf(context, await reader(context, options), options);
    if (options.json) printDayJson(terminal, report);
    else if (options.csv) printDayCsv(forSpreadsheets(terminal), report);
    else printDayTables(terminal, report);
    for (const note of notesOf(report, options)) terminal.note(note);
  },
});

const reportOf = async (
  context: RunContext,
  found: Reader,
  { date, timeZone, by, short, within, csv, showPersonal }: DayOptions,
): Promise<DayReport> => {
  const { terminal, clock } = context;
  const chosen = await accountDay(found, { day: date, timeZone }, clock());
  if (chosen.start > clock().toISOString()) throw new Problem(`${chosen.day} has not begun in ${chosen.timeZone}.`, 2);
  const withAgents = by === undefined || by === 'agent';
  const read = await found.client.day(chosen.day, chosen.timeZone, {
    withAgents,
    onProgress: ({ calls, agents }) => terminal.progress(`${calls} calls and ${agents} agents read`),
  });
  const records = { ...read, calls: showPersonal ? read.calls : redacted(z.array(DayCall), read.calls) };
  const settings = { shortSeconds: short, withinSeconds: within };
  const groups = by === undefined ? [] : dayFiguresBy(by, records, settings);
  return {
    account: found.account,
    records,
    settings,
    weekBefore: csv ? undefined : await readWeekBefore(context, found, chosen, settings),
    figures: withAgents ? dayFigures(records, settings) : { calls: callFigures(records.calls, settings) },
    by,
    groups: by !== undefined && isTimeGrouping(by) ? betweenCalls(groups) : groups,
    showPersonal,
  };
};

const readWeekBefore = async (
  { terminal, clock }: RunContext,
  found: Reader,
  chosen: AccountDay,
  settings: FigureSettings,
): Promise<WeekBefore> => {
  const earlier = await accountDay(found, { ...chosen, day: weekBefore(chosen.day) }, clock());
  const { calls } = await found.client.day(earlier.day, earlier.timeZone, {
    withAgents: false,
    onProgress: (read) => terminal.progress(`${read.calls} calls of ${earlier.day} read`),
  });
  return comparedWeek({ ...earlier, calls }, chosen, { ...settings, asOf: clock().toISOString() });
};

export const betweenCalls = (periods: readonly DayGroup[]): readonly DayGroup[] => {
  const hasCalls = ({ calls }: DayGroup) => (calls.calls.value ?? 0) > 0;
  return periods.slice(Math.max(0, periods.findIndex(hasCalls)), periods.findLastIndex(hasCalls) + 1);
};

const notesOf = (report: DayReport, { account, json, csv }: DayOptions): readonly string[] => {
  const { records, figures } = report;
  const calls = figures.calls.calls.value ?? 0;
  const { agentsUpTo = records.end } = records;
  const read = [
    `${counted(calls, 'call')}${figures.agents === undefined ? '' : ` and ${records.agents.length} agents`} read.`,
    agentsUpTo < records.end && `Agents’ time is known up to ${agentsUpTo}.`,
    calls === 0 && 'No call of that day is stored: there was none, it has not been posted yet, or it has expired.',
    calls === 0 && account !== undefined && 'Is the account spelt as in the secret?',
  ];
  const unknown = json || csv || report.by === undefined ? [] : unknownReasons(report);
  return [read.filter(Boolean).join(' '), ...unknown.map((reason) => `Where a figure is “-”: ${reason}`)];
};
