import {
  type AgentFigures,
  agentFigureDefinitions,
  type CallGrouping,
  callFigureDefinitions,
  type DayGroup,
  type DayRecords,
  defaultWithinSeconds,
  type Figure,
  type FigureDefinition,
  type FigureSettings,
  isTimeGrouping,
  type TimeFigure,
} from '../../lib/client/index.ts';
import { loggedInStates } from '../../lib/telephony/vocabularies.ts';
import type { WeekBefore } from '../week-before.ts';
import { type Cell, counted, durationText, localText, offsetText, printCsv, report, type TableRow } from './report.ts';
import { printable, printableJson, styled, type Terminal } from './terminal.ts';

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

/** Without it, `-`; the reason is in the notes. */
const cellOf = ({ about, figure: { value } }: Pick<NamedFigure, 'about' | 'figure'>): Cell => {
  if (value === undefined) return undefined;
  if (about.unit === 'seconds') return durationText(Math.round(value));
  return about.unit === 'share' ? percent(value) : value;
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

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

/** Prints a day as JSON: a line for the whole day, and one for each group. Figures that are not known are in `unknown`. */
export const printDayJson = (terminal: Terminal, { account, records, figures, by, groups, ...report }: DayReport) => {
  const { weekBefore: before, settings } = report;
  const { day, timeZone, agentsUpTo } = records;
  const names = namesOf(records, report.showPersonal);
  const line = (about: object, group: Pick<DayGroup, 'calls' | 'agents'>) => {
    const all = figuresOf(group);
    const unknown = all.filter(({ figure }) => figure.value === undefined);
    terminal.print(
      printableJson({
        ...about,
        ...Object.fromEntries(all.map(({ name, figure }) => [name, figure.value])),
        secondsByState: group.agents?.secondsByState,
        unknown: Object.fromEntries(unknown.map(({ name, figure }) => [name, figure.reason])),
      }),
    );
  };
  const weekBefore = before && {
    ...{ day: before.day, upTo: before.upTo },
    ...Object.fromEntries(figuresOf({ calls: before.figures }).map(({ name, figure }) => [name, figure.value])),
  };
  line({ account, day, timeZone, agentsUpTo, ...settings, weekBefore }, figures);
  if (by !== undefined)
    for (const group of groups) line({ account, day, by, [by]: group.key, name: names.get(group.key ?? '') }, group);
};

const namesOf = ({ agents }: Pick<DayRecords, 'agents'>, showPersonal: boolean) =>
  new Map(agents.map(({ agentId, name }) => [agentId, showPersonal ? name : undefined]));

/** Prints a day as CSV: one table, of the groups or of the whole day. A figure that is not known is an empty cell. */
export const printDayCsv = (
  terminal: Pick<Terminal, 'print'>,
  { records, figures, by, groups, showPersonal }: Omit<DayReport, 'account' | 'settings' | 'weekBefore'>,
) => {
  const hasTime = by === undefined || by === 'agent';
  const hasNames = by === 'agent' && showPersonal;
  const names = namesOf(records, showPersonal);
  const labels = labelsOf(by, groups, records.timeZone);
  const columns = Object.keys(hasTime ? definitions : callFigureDefinitions);
  const states = hasTime ? loggedInStates : [];

  printCsv(terminal, [
    'day',
    ...(by === undefined ? [] : [by]),
    ...(hasNames ? ['name'] : []),
    ...columns,
    ...states.map((state) => `${state}Seconds`),
  ]);
  const rows = by === undefined ? [{ key: undefined, ...figures }] : groups;
  for (const group of rows) {
    const byName = new Map(figuresOf(group).map(({ name, figure }) => [name, figure.value]));
    printCsv(terminal, [
      records.day,
      ...(by === undefined ? [] : [labels.get(group.key) ?? group.key]),
      ...(hasNames ? [names.get(group.key ?? '')] : []),
      ...columns.map((name) => byName.get(name)),
      ...states.map((state) => secondsIn(group.agents, state)),
    ]);
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

/** Prints a day for people: the large figures beside the ones of a week before, then every figure, or the table of the groups. */
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
  report(terminal, false, { label: 'DAY', ...heads, serviceLevel: `${heads['serviceLevel']}, ${withinSeconds} S` }, [
    row(records.day, figures.calls),
    ...(weekBefore === undefined ? [] : [row(labelBefore(weekBefore), weekBefore.figures)]),
  ]);
  terminal.print('');
  if (by === undefined) printAll(terminal, figures);
  else printGroups(terminal, { ...day, by });
};

const largeCell = (one: NamedFigure): Cell =>
  one.share === undefined ? cellOf(one) : `${one.figure.value} (${percent(one.share)})`;

const printAll = (terminal: Terminal, figures: DayReport['figures']): void => {
  const rows = figuresOf(figures).map(({ about, figure }) => ({
    title: about.title,
    value: cellOf({ about, figure }),
    note: noteOf(figure) || ('of' in figure && about.unit === 'seconds' ? `of ${counted(figure.of, 'call')}` : ''),
  }));
  report(terminal, false, { title: 'FIGURE', value: 'VALUE', note: '' }, rows);
  const secondsByState = figures.agents?.secondsByState;
  if (secondsByState === undefined) return;
  terminal.print('');
  const total = figures.agents?.loggedInSeconds.value ?? 0;
  const states = Object.entries(secondsByState)
    .toSorted(([, a], [, b]) => b - a)
    .map(([state, seconds]) => ({
      state,
      time: durationText(seconds),
      share: total === 0 ? undefined : percent(seconds / total),
    }));
  report(terminal, false, { state: 'AGENTS’ STATE', time: 'TIME', share: 'SHARE' }, states);
};

/** Why a figure is not known, or on how many calls it rests where those are not all. */
export const noteOf = (figure: NamedFigure['figure']): string =>
  figure.reason ?? ('of' in figure && figure.calls < figure.of ? `known of ${figure.calls} of ${figure.of} calls` : '');

const counts = {
  calls: 'CALLS',
  offered: 'OFFERED',
  answered: 'ANSWERED',
  missed: 'MISSED',
  abandoned: 'ABANDONED',
  shortAbandoned: 'SHORT',
  undecided: 'UNDECIDED',
  handled: 'HANDLED',
} as const;

const withOthers = (by: CallGrouping): Readonly<Record<string, string>> => {
  const { calls, offered, answered, ...rest } = counts;
  return { calls, offered, answered, ...(by === 'agent' && { byOthers: 'BY OTHERS' }), ...rest };
};

const shares = { serviceLevel: 'SERVICE LEVEL', abandonment: 'ABANDONMENT' } as const;

/** The columns of durations: each has the median and the average. */
const durations = {
  timeToAnswer: 'TO ANSWER',
  talk: 'TALK',
  hold: 'HOLD',
  wrapUp: 'WRAP-UP',
  handle: 'HANDLE TIME',
} as const;

const times = {
  loggedInSeconds: 'LOGGED IN',
  handlingSeconds: 'HANDLING',
  availableSeconds: 'AVAILABLE',
  occupancy: 'OCCUPANCY',
} as const;

const printGroups = (terminal: Terminal, day: DayReport & { readonly by: CallGrouping }): void => {
  const { records, by, groups, showPersonal } = day;
  const labels = labelsOf(by, groups, records.timeZone);
  const names = namesOf(records, showPersonal);
  const rows = groups.map((group): TableRow => {
    const cells = new Map(figuresOf(group).map((one) => [one.name, cellOf(one)]));
    const pairs = Object.keys(durations).map((name) => {
      const [median, average] = [cells.get(`${name}MedianSeconds`), cells.get(`${name}AverageSeconds`)];
      return [name, median === undefined ? undefined : `${median} / ${average}`];
    });
    return {
      ...Object.fromEntries(cells),
      ...Object.fromEntries(pairs),
      byOthers: answeredByOthers(group.calls),
      key: labels.get(group.key) ?? group.key,
      name: names.get(group.key ?? ''),
    };
  });
  report(
    terminal,
    false,
    {
      key: by.toUpperCase(),
      ...(by === 'agent' && showPersonal && { name: 'NAME' }),
      ...withOthers(by),
      ...shares,
      ...durations,
      ...(by === 'agent' && times),
    },
    rows,
  );
};

export const unknownReasons = ({ figures, groups }: Pick<DayReport, 'figures' | 'groups'>): readonly string[] => [
  ...new Set([figures, ...groups].flatMap(figuresOf).flatMap(({ figure }) => figure.reason ?? [])),
];
