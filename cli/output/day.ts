import {
  type AgentFigures,
  agentFigureDefinitions,
  type CallFigures,
  type CallGrouping,
  callFigureDefinitions,
  callFigures,
  type DayCall,
  type DayGroup,
  type DayRecords,
  defaultWithinSeconds,
  type Figure,
  type FigureDefinition,
  type FigureSettings,
  isTimeGrouping,
  type TimeFigure,
} from '../../lib/client/index.ts';
import { addDays, instantOf, localTime } from '../../lib/core/time.ts';
import { loggedInStates } from '../../lib/telephony/vocabularies.ts';
import type { AccountDay } from '../reader.ts';
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

export interface WeekBefore {
  readonly day: string;
  /** The instant up to which its calls are counted; undefined for a whole day. */
  readonly upTo: string | undefined;
  readonly figures: CallFigures;
}

export const weekBefore = (day: string): string => addDays(day, -7);

/** The figures of a week before; of a day not over, up to the same local time, as the clocks may have changed in between. */
export const comparedWeek = (
  before: Pick<AccountDay, 'day'> & { readonly calls: readonly DayCall[] },
  { day, timeZone }: Pick<AccountDay, 'day' | 'timeZone'>,
  { asOf, ...settings }: FigureSettings & { readonly asOf: string },
): WeekBefore => {
  const [date, time = ''] = localTime(asOf, timeZone).split(/[TZ]/);
  const upTo = date === day ? instantOf(`${before.day} ${time}`, timeZone)?.at : undefined;
  const calls = upTo === undefined ? before.calls : before.calls.filter(({ listedAt }) => listedAt < upTo);
  return { day: before.day, upTo, figures: callFigures(calls, settings) };
};

export interface DayReport {
  readonly account: string;
  readonly records: Pick<DayRecords, 'day' | 'timeZone' | 'end' | 'agents' | 'agentsUpTo'>;
  /** Of the whole day; without agents' time where it was not read. */
  readonly figures: Pick<DayGroup, 'calls' | 'agents'>;
  readonly settings: FigureSettings;
  readonly weekBefore: WeekBefore | undefined;
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

/** The local time of each period, with the offset from UTC where clocks go back and two of them have the same time. */
export const labelsOf = (
  by: CallGrouping | undefined,
  groups: readonly DayGroup[],
  timeZone: string,
): ReadonlyMap<string | undefined, string> => {
  if (by === undefined || !isTimeGrouping(by)) return new Map();
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
  const { weekBefore: before, settings } = report;
  const { day, timeZone, agentsUpTo } = records;
  const names = namesOf(records, report.showPersonal);
  const line = (about: object, group: Pick<DayGroup, 'calls' | 'agents'>) => {
    const unknown = figuresOf(group).flatMap(({ name, figure: { value, reason } }) =>
      value === undefined ? [[name, reason] as const] : [],
    );
    const { secondsByState } = group.agents ?? {};
    const values = { ...about, ...valuesOf(group), secondsByState, unknown: Object.fromEntries(unknown) };
    terminal.print(printableJson(values));
  };
  const weekBefore = before && { day: before.day, upTo: before.upTo, ...valuesOf({ calls: before.figures }) };
  line({ account, day, timeZone, agentsUpTo, ...settings, weekBefore }, figures);
  if (by !== undefined)
    for (const group of groups) line({ account, day, by, [by]: group.key, name: names.get(group.key ?? '') }, group);
};

const namesOf = ({ agents }: Pick<DayRecords, 'agents'>, showPersonal: boolean) =>
  new Map(agents.map(({ agentId, name }) => [agentId, showPersonal ? name : undefined]));

export const printDayCsv = (
  terminal: Pick<Terminal, 'print'>,
  { records, figures, by, groups, showPersonal }: Omit<DayReport, 'account' | 'settings' | 'weekBefore'>,
) => {
  const hasTime = by === undefined || by === 'agent';
  const names = namesOf(records, showPersonal);
  const labels = labelsOf(by, groups, records.timeZone);
  const columns = [
    ...['day', by ?? [], by === 'agent' && showPersonal ? 'name' : []].flat(),
    ...Object.keys(hasTime ? definitions : callFigureDefinitions),
    ...(hasTime ? loggedInStates.map((state) => `${state}Seconds`) : []),
  ];
  printCsv(terminal, columns);
  for (const { key, ...group } of by === undefined ? [{ key: undefined, ...figures }] : groups) {
    const row: TableRow = {
      ...{ day: records.day, name: names.get(key ?? ''), ...valuesOf(group) },
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
  const { account, records, figures, by, weekBefore, settings } = day;
  terminal.print(styled(terminal, 'bold', printable(`${account} on ${records.day} (${records.timeZone})`)));
  terminal.print('');
  const heads = Object.fromEntries(
    largestFigures.map((name) => [name, callFigureDefinitions[name].title.toUpperCase()]),
  );
  const { withinSeconds = defaultWithinSeconds } = settings;
  const row = (label: string, calls: DayGroup['calls']): TableRow => ({
    label,
    ...Object.fromEntries(figuresOf({ calls }).map((one) => [one.name, largeCell(one)])),
  });
  const labelBefore = ({ day, upTo }: WeekBefore) =>
    upTo === undefined ? day : `${day} to ${localText(upTo, records.timeZone).slice(11, 16)}`;
  printTable(terminal, { label: 'DAY', ...heads, serviceLevel: `${heads['serviceLevel']}, ${withinSeconds} S` }, [
    row(records.day, figures.calls),
    ...(weekBefore === undefined ? [] : [row(labelBefore(weekBefore), weekBefore.figures)]),
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
    ...(isAgent && { loggedInSeconds: 'LOGGED IN', handlingSeconds: 'HANDLING' }),
    ...(isAgent && { availableSeconds: 'AVAILABLE', occupancy: 'OCCUPANCY' }),
  };
};

const printGroups = (terminal: Terminal, day: DayReport, by: CallGrouping): void => {
  const { records, groups, showPersonal } = day;
  const labels = labelsOf(by, groups, records.timeZone);
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
