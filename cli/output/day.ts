import {
  type AgentFigures,
  agentFigureDefinitions,
  type CallGrouping,
  callFigureDefinitions,
  type DayGroup,
  defaultWithinSeconds,
  type Figure,
  type FigureDefinition,
  type FigureSettings,
  isTimeGrouping,
  type PeriodRecords,
  type TimeFigure,
} from '../../lib/client/index.ts';
import { isOneDay, periodText } from '../../lib/core/time.ts';
import { loggedInStates } from '../../lib/telephony/vocabularies.ts';
import { dayWithWeekday, type WeeksBefore } from './period.ts';
import {
  type Cell,
  counted,
  durationText,
  localText,
  offsetText,
  percent,
  printCsv,
  printTable,
  stateRows,
  type TableRow,
} from './report.ts';
import { printable, printableJson, styled, type Terminal } from './terminal.ts';

export interface DayReport {
  readonly account: string;
  readonly records: Pick<PeriodRecords, 'from' | 'to' | 'timeZone' | 'end' | 'agents' | 'agentsUpTo'>;
  /** Of all days; without agents' time where it was not read. */
  readonly figures: Pick<DayGroup, 'calls' | 'agents'>;
  readonly settings: FigureSettings;
  readonly weeksBefore: WeeksBefore | undefined;
  readonly by: CallGrouping | undefined;
  readonly groups: readonly DayGroup[];
  readonly showPersonal: boolean;
}

export interface NamedFigure {
  readonly name: string;
  readonly about: FigureDefinition;
  readonly figure: Figure | TimeFigure;
  /** Of answered and of missed calls: their share of the offered calls whose status is known. */
  readonly share: number | undefined;
}

const definitions: Readonly<Record<string, FigureDefinition>> = { ...callFigureDefinitions, ...agentFigureDefinitions };

export const figuresOf = ({ calls, agents }: Pick<DayGroup, 'calls' | 'agents'>): readonly NamedFigure[] => {
  const figures: Readonly<Record<string, unknown>> = { ...calls, ...agents };
  return Object.entries(definitions).flatMap(([name, about]) => {
    const figure = figures[name];
    return isFigure(figure) ? [{ name, about, figure, share: shareOf(name, figure) }] : [];
  });
};

/** By agent: the offered calls that this agent did not answer, and somebody else did. Without them the row does not add up. */
export const answeredByOthers = ({ offered, answered, missed, undecided }: DayGroup['calls']): number | undefined => {
  const rest = [answered, missed, undecided].map(({ value }) => value ?? Number.NaN);
  const others = rest.reduce((left, value) => left - value, offered.value ?? Number.NaN);
  return Number.isNaN(others) ? undefined : others;
};

const shareOf = (name: string, figure: Figure | TimeFigure): number | undefined =>
  ['answered', 'missed'].includes(name) && 'calls' in figure && figure.calls > 0
    ? figure.value / figure.calls
    : undefined;

const isFigure = (value: unknown): value is Figure | TimeFigure => typeof value === 'object' && value !== null;

const cellOf = ({ about, figure: { value } }: Pick<NamedFigure, 'about' | 'figure'>): Cell => {
  if (value === undefined) return undefined;
  if (about.unit === 'seconds') return durationText(Math.round(value));
  return about.unit === 'share' ? percent(value) : value;
};

/**
 * The weekday of each day; the local time of each hour or quarter, with the offset from UTC where clocks go back and two of
 * them have the same time. Over several days it is the key.
 */
export const labelsOf = (
  by: CallGrouping | undefined,
  groups: readonly DayGroup[],
  { timeZone, ...period }: Pick<PeriodRecords, 'from' | 'to' | 'timeZone'>,
): ReadonlyMap<string | undefined, string> => {
  if (by === 'day') return new Map(groups.map(({ key = '' }) => [key, dayWithWeekday(key)]));
  if (by === undefined || !isTimeGrouping(by) || !isOneDay(period)) return new Map();
  const texts = groups.map(({ key = '' }) => {
    return { key, time: localText(key, timeZone).slice(11, 16), offset: offsetText(timeZone, Date.parse(key)) };
  });
  const times = texts.map(({ time }) => time);
  const occursTwice = (time: string) => times.indexOf(time) !== times.lastIndexOf(time);
  return new Map(texts.map(({ key, time, offset }) => [key, occursTwice(time) ? `${time} ${offset}` : time]));
};

const valuesOf = (group: Pick<DayGroup, 'calls' | 'agents'>) =>
  Object.fromEntries(figuresOf(group).map(({ name, figure }) => [name, figure.value]));

export const printDayJson = (terminal: Terminal, { account, records, figures, by, groups, ...report }: DayReport) => {
  const { weeksBefore, settings } = report;
  const { from, to, timeZone, agentsUpTo } = records;
  const days = isOneDay(records) ? { day: from } : { from, to };
  const names = namesOf(records, report.showPersonal);
  const line = (about: object, group: Pick<DayGroup, 'calls' | 'agents'>) => {
    const unknown = figuresOf(group).flatMap(({ name, figure: { value, reason } }) =>
      value === undefined ? [[name, reason] as const] : [],
    );
    const { secondsByState } = group.agents ?? {};
    const values = { ...about, ...valuesOf(group), secondsByState, unknown: Object.fromEntries(unknown) };
    terminal.print(printableJson(values));
  };
  line({ account, ...days, timeZone, agentsUpTo, ...settings, ...(weeksBefore && comparedJson(weeksBefore)) }, figures);
  if (by !== undefined)
    for (const { key, ...group } of groups)
      line({ account, ...days, by, [by]: key, name: names.get(key ?? '') }, group);
};

const comparedJson = ({ figures, from, to, weeks, upTo }: WeeksBefore) => {
  const values = { upTo, ...(figures && valuesOf({ calls: figures })) };
  return isOneDay({ from, to })
    ? { weekBefore: { day: from, ...values } }
    : { weeksBefore: { from, to, weeks, ...values } };
};

const namesOf = ({ agents }: Pick<PeriodRecords, 'agents'>, showPersonal: boolean) =>
  new Map(agents.map(({ agentId, name }) => [agentId, showPersonal ? name : undefined]));

type CsvReport = Omit<DayReport, 'account' | 'settings' | 'weeksBefore'>;

/** Whether a table has agents' time, which belongs to no skill, campaign or hour. */
export const hasTime = (by: CallGrouping | undefined): boolean => by === undefined || by === 'agent' || by === 'day';

const csvColumns = ({ records, by, showPersonal }: CsvReport): readonly string[] => [
  ...(by === 'day' || isOneDay(records) ? ['day'] : ['from', 'to']),
  ...(by === undefined || by === 'day' ? [] : [by]),
  ...(by === 'agent' && showPersonal ? ['name'] : []),
  ...Object.keys(hasTime(by) ? definitions : callFigureDefinitions).filter((name) => name !== addedLast),
  ...(hasTime(by) ? loggedInStates.map((state) => `${state}Seconds`) : []),
  addedLast,
];

/** A new column goes to the end: those of before keep their places, as spreadsheets find them by these. */
const addedLast = 'answeredLate';

export const printDayCsv = (terminal: Pick<Terminal, 'print'>, report: CsvReport) => {
  const { records, figures, by, groups, showPersonal } = report;
  const { from, to } = records;
  const names = namesOf(records, showPersonal);
  const labels = by === 'day' ? new Map<string | undefined, string>() : labelsOf(by, groups, records);
  const columns = csvColumns(report);
  printCsv(terminal, columns);
  for (const { key, ...group } of by === undefined ? [{ key: undefined, ...figures }] : groups) {
    const row: TableRow = {
      ...{ day: from, from, to, name: names.get(key ?? ''), ...valuesOf(group) },
      ...(by !== undefined && { [by]: labels.get(key) ?? key }),
      ...Object.fromEntries(loggedInStates.map((state) => [`${state}Seconds`, secondsIn(group.agents, state)])),
    };
    printCsv(
      terminal,
      columns.map((column) => row[column]),
    );
  }
};

/** Of an agent whose time is known, a state that does not occur has no seconds. */
const secondsIn = (agents: AgentFigures | undefined, state: (typeof loggedInStates)[number]): Cell =>
  agents?.secondsByState && (agents.secondsByState[state] ?? 0);

export const largestFigures = [
  'offered',
  'answered',
  'serviceLevel',
  'abandonment',
  'timeToAnswerAverageSeconds',
  'handleAverageSeconds',
] as const;

export const printDayTables = (terminal: Terminal, day: DayReport): void => {
  const { account, records, figures, by, weeksBefore, settings } = day;
  const title = `${account} ${isOneDay(records) ? 'on' : 'from'} ${periodText(records)} (${records.timeZone})`;
  terminal.print(styled(terminal, 'bold', printable(title)));
  terminal.print('');
  const heads = Object.fromEntries(
    largestFigures.map((name) => [name, callFigureDefinitions[name].title.toUpperCase()]),
  );
  const { withinSeconds = defaultWithinSeconds } = settings;
  const row = (label: string, calls: DayGroup['calls']): TableRow => ({
    label,
    ...Object.fromEntries(figuresOf({ calls }).map((one) => [one.name, largeCell(one)])),
  });
  const { figures: ofBefore, upTo } = weeksBefore ?? {};
  const until =
    upTo === undefined ? '' : `${isOneDay(records) ? ' to' : ''} ${localText(upTo, records.timeZone).slice(11, 16)}`;
  const column = isOneDay(records) ? 'DAY' : 'DAYS';
  printTable(terminal, { label: column, ...heads, serviceLevel: `${heads['serviceLevel']}, ${withinSeconds} S` }, [
    row(periodText(records), figures.calls),
    ...(weeksBefore && ofBefore ? [row(`${periodText(weeksBefore)}${until}`, ofBefore)] : []),
  ]);
  terminal.print('');
  if (by === undefined) printAll(terminal, figures);
  else printGroups(terminal, day, by);
};

const largeCell = (one: NamedFigure): Cell =>
  one.share === undefined ? cellOf(one) : `${one.figure.value} (${percent(one.share)})`;

const printAll = (terminal: Terminal, figures: DayReport['figures']): void => {
  const rows = figuresOf(figures).map(({ about, figure }) => ({
    title: about.title,
    value: cellOf({ about, figure }),
    note: noteOf(figure) || ('of' in figure && about.unit === 'seconds' ? `of ${counted(figure.of, 'call')}` : ''),
  }));
  printTable(terminal, { title: 'FIGURE', value: 'VALUE', note: '' }, rows);
  const secondsByState = figures.agents?.secondsByState;
  if (secondsByState === undefined) return;
  terminal.print('');
  const total = figures.agents?.loggedInSeconds.value ?? 0;
  printTable(terminal, { state: 'AGENTS’ STATE', time: 'TIME', share: 'SHARE' }, stateRows(secondsByState, total));
};

export const noteOf = (figure: NamedFigure['figure']): string =>
  figure.reason ?? ('of' in figure && figure.calls < figure.of ? `known of ${figure.calls} of ${figure.of} calls` : '');

const durations = { timeToAnswer: 'TO ANSWER', talk: 'TALK', hold: 'HOLD', wrapUp: 'WRAP-UP', handle: 'HANDLE TIME' };

const columnsOf = (by: CallGrouping, showPersonal: boolean): Readonly<Record<string, string>> => {
  const isAgent = by === 'agent';
  return {
    key: by.toUpperCase(),
    ...(isAgent && showPersonal && { name: 'NAME' }),
    ...{ calls: 'CALLS', offered: 'OFFERED', answered: 'ANSWERED' },
    ...(isAgent && { byOthers: 'BY OTHERS' }),
    ...{ missed: 'MISSED', abandoned: 'ABANDONED', shortAbandoned: 'SHORT', undecided: 'UNDECIDED' },
    ...{ handled: 'HANDLED', serviceLevel: 'SERVICE LEVEL', abandonment: 'ABANDONMENT', ...durations },
    ...(hasTime(by) && { loggedInSeconds: 'LOGGED IN', handlingSeconds: 'HANDLING' }),
    ...(hasTime(by) && { availableSeconds: 'AVAILABLE', occupancy: 'OCCUPANCY' }),
  };
};

const printGroups = (terminal: Terminal, day: DayReport, by: CallGrouping): void => {
  const { records, groups, showPersonal } = day;
  const labels = labelsOf(by, groups, records);
  const names = namesOf(records, showPersonal);
  const rows = groups.map((group): TableRow => {
    const cells = new Map(figuresOf(group).map((one) => [one.name, cellOf(one)]));
    const pairs = Object.keys(durations).map((name) => {
      const [median, average] = [cells.get(`${name}MedianSeconds`), cells.get(`${name}AverageSeconds`)];
      return [name, median === undefined ? undefined : `${median} / ${average}`];
    });
    return {
      ...Object.fromEntries([...cells, ...pairs]),
      byOthers: answeredByOthers(group.calls),
      key: labels.get(group.key) ?? group.key,
      name: names.get(group.key ?? ''),
    };
  });
  printTable(terminal, columnsOf(by, showPersonal), rows);
};

export const unknownReasons = ({ figures, groups }: Pick<DayReport, 'figures' | 'groups'>): readonly string[] => [
  ...new Set([figures, ...groups].flatMap(figuresOf).flatMap(({ figure }) => figure.reason ?? [])),
];
