import { Option } from '@commander-js/extra-typings';
import {
  type CallGrouping,
  callFigures,
  callGroupings,
  type DayGroup,
  type DayPeriod,
  type DayToFigure,
  dayFigures,
  dayFiguresBy,
  defaultWithinSeconds,
  type FigureSettings,
  isTimeGrouping,
  type PeriodRecords,
} from '../../client/index.ts';
import { unknownReasons } from '../../client/shown-figures.ts';
import { defaultCountSettings } from '../../lib/contract/call-counts.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { isOneDay, periodText } from '../../lib/core/time.ts';
import { readsAgents } from '../agents/agents.ts';
import { type AccountPeriod, accountPeriod } from '../frame/asked-days.ts';
import { type BareCommand, command, type OptionsOf, on, type RunContext } from '../frame/command.ts';
import { forSpreadsheets } from '../frame/csv.ts';
import {
  csvOption,
  dayFrom,
  dayText,
  readerOptions,
  rejectTwoFormats,
  timeZoneOption,
  today,
  wholeNumber,
} from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { type Reader, reader } from '../frame/reader.ts';
import { redactedDayCalls } from '../frame/redact.ts';
import { counted } from '../frame/texts.ts';
import { type DayReport, hasTime, printDayCsv, printDayJson } from './day-lines.ts';
import { printDayTables } from './day-tables.ts';
import { agentDaysText, comparedWeeks, readLimit, tooManyCalls, weeksBefore } from './period.ts';

export const groupings = keysOf(callGroupings);

export const defaultShortSeconds = defaultCountSettings.shortSeconds;

const options = (command: BareCommand) =>
  readerOptions(command)
    .option('--date <day>', dayText, dayFrom, today)
    .addOption(
      new Option('--from <day>', 'the first day of a period of up to 31 days').argParser(dayFrom).conflicts('date'),
    )
    .addOption(
      new Option('--to <day>', 'its last day, inclusive (default: today)').argParser(dayFrom).conflicts('date'),
    )
    .addOption(timeZoneOption)
    .addOption(
      new Option(
        '--by <group>',
        'a table by agent, skill, campaign, hour, quarter of an hour or day (default of a period: day)',
      ).choices(groupings),
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
  description: 'computes the figures of a day or of a period: calls, and agents’ time',
  permissions: [on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem'), ...readsAgents],
  options,
  help: `A figure that cannot be known is “-”, never zero: the last lines say why, and “unknown” of --json. Tables show durations as median /
average. The large figures are compared with the same weekdays one week earlier (for a period: enough whole weeks earlier not to overlap). If
the last day is not over, both stop at the same time of day. It reads the row of every call of both. Of a period with more than 50,000 calls
it reads none, and prints the \`query\` command to run instead. How each figure is computed: docs/figures.md

Examples:
  $ callfeed day
  $ callfeed day --date yesterday --by agent --show-personal
  $ callfeed day --from 2026-11-01 --to 2026-11-20
  $ callfeed day --from 2026-11-14 --to 2026-11-20 --by skill --csv > skills.csv`,
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

export const askedPeriod = ({ date, from, to = today }: Pick<DayOptions, 'date' | 'from' | 'to'>): DayPeriod =>
  from === undefined ? { from: date, to: date } : { from, to };

const reportOf = async (context: RunContext, found: Reader, options: DayOptions): Promise<DayReport> => {
  const { short, within, csv, showPersonal } = options;
  const period = await chosenPeriod(found, options, context.clock());
  const by = options.by ?? (options.from === undefined ? undefined : 'day');
  const records = await readRecords(context, found, period, { ...options, by });
  const settings = { shortSeconds: short, withinSeconds: within };
  return {
    account: found.account,
    records,
    settings,
    weeksBefore: csv ? undefined : await readWeeksBefore(context, found, period, settings),
    figures: hasTime(by) ? dayFigures(records, settings) : { calls: callFigures(records.calls, settings) },
    by,
    groups: by === undefined ? [] : groupsBy(by, records, settings),
    showPersonal,
  };
};

const chosenPeriod = async (found: Reader, options: DayOptions, now: Date): Promise<AccountPeriod> => {
  if (options.from === undefined && options.to !== undefined) throw new Problem('--to needs --from.', 2);
  const period = await accountPeriod(found, { ...askedPeriod(options), timeZone: options.timeZone }, now);
  if (period.start > now.toISOString()) throw new Problem(`${period.from} has not begun in ${period.timeZone}.`, 2);
  return period;
};

const readRecords = async (
  { terminal, clock }: RunContext,
  found: Reader,
  period: AccountPeriod,
  { by, showPersonal, ...location }: DayOptions,
): Promise<PeriodRecords> => {
  const read = await found.client.period(period, period.timeZone, {
    withAgents: hasTime(by),
    ...readLimit(period),
    onProgress: ({ listed, calls, hours, agents }) =>
      terminal.progress(`${calls} of ${listed} calls, ${counted(hours, 'hour')} and ${counted(agents, 'agent')} read`),
  });
  if ('moreThan' in read) {
    const { text, command } = tooManyCalls(read, { ...period, by: by ?? 'day' }, { ...found, location, now: clock() });
    throw new Problem(`${text}\n  ${command}`);
  }
  return showPersonal ? read : { ...read, calls: redactedDayCalls(read.calls) };
};

const readWeeksBefore = async (
  { terminal, clock }: RunContext,
  found: Reader,
  chosen: AccountPeriod,
  settings: FigureSettings,
) => {
  const earlier = weeksBefore(chosen);
  const read = await found.client.period(earlier, chosen.timeZone, {
    withAgents: false,
    ...readLimit(chosen),
    onProgress: ({ listed, calls }) => terminal.progress(`${calls} of ${listed} calls of ${periodText(earlier)} read`),
  });
  return comparedWeeks(read, chosen, { ...settings, asOf: clock().toISOString() });
};

/** The groups that are shown: hours and quarters from the first call to the last. */
export const groupsBy = (by: CallGrouping, records: DayToFigure, settings: FigureSettings): readonly DayGroup[] => {
  const groups = dayFiguresBy(by, records, settings);
  if (!isTimeGrouping(by)) return groups;
  const hasCalls = ({ calls }: DayGroup) => (calls.calls.value ?? 0) > 0;
  return groups.slice(Math.max(0, groups.findIndex(hasCalls)), groups.findLastIndex(hasCalls) + 1);
};

const notesOf = (report: DayReport, { account, json, csv }: DayOptions): readonly string[] => {
  const { records, figures, weeksBefore } = report;
  const calls = figures.calls.calls.value ?? 0;
  const { agentsUpTo = records.end } = records;
  const days = isOneDay(records) ? 'that day' : 'those days';
  const read = [
    `${counted(calls, 'call')}${figures.agents === undefined ? '' : ` and ${counted(records.agents.length, 'agent')}`} read.`,
    agentsUpTo < records.end && `Agents’ time is known up to ${agentsUpTo}.`,
    figures.agents !== undefined && agentDaysText(records),
    calls === 0 && `No call of ${days} is stored: there was none, it has not been posted yet, or it has expired.`,
    calls === 0 && account !== undefined && 'Is the account spelt as in the secret?',
    weeksBefore !== undefined &&
      weeksBefore.figures === undefined &&
      `${periodText(weeksBefore)} has too many calls to compare with.`,
  ];
  const unknown = json || csv || report.by === undefined ? [] : unknownReasons([figures, ...report.groups]);
  return [read.filter(Boolean).join(' '), ...unknown.map((reason) => `Where a figure is “-”: ${reason}`)];
};
