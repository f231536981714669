import {
  agentFigureDefinitions,
  type CallGrouping,
  callFigureDefinitions,
  type DayGroup,
  type Figure,
  type FigureDefinition,
  type FigureSettings,
  type PeriodRecords,
  type TimeFigure,
} from '../../client/index.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { isOneDay } from '../../lib/core/time.ts';
import { loggedInStates } from '../../lib/telephony/vocabularies.ts';
import { csvTable, type TableRow } from '../frame/report.ts';
import { printableJson, type Terminal } from '../frame/terminal.ts';
import { labelsOf, type WeeksBefore } from './period.ts';

/** Figures of a day or a period: of the whole, of each group if there are any, and of the weeks before. Each output shows these. */
export interface DayReport {
  readonly account: string;
  readonly records: Pick<PeriodRecords, 'from' | 'to' | 'timeZone' | 'end' | 'agents' | 'agentsUpTo'>;
  /** Of all days; without agents' time where it was not read. */
  readonly figures: Figures;
  readonly settings: FigureSettings;
  readonly weeksBefore: WeeksBefore | undefined;
  readonly by: CallGrouping | undefined;
  readonly groups: readonly DayGroup[];
  readonly showPersonal: boolean;
}

export type Figures = Pick<DayGroup, 'calls' | 'agents'>;

const definitions: Readonly<Record<string, FigureDefinition>> = { ...callFigureDefinitions, ...agentFigureDefinitions };

export interface NamedFigure {
  readonly name: string;
  readonly about: FigureDefinition;
  readonly figure: Figure | TimeFigure;
  /** Of answered and of missed calls: their share of the offered calls whose status is known. */
  readonly share: number | undefined;
}

export const figuresOf = ({ calls, agents }: Figures): readonly NamedFigure[] => {
  const { secondsByState: _states, ...times } = agents ?? {};
  const figures: Readonly<Record<string, Figure | TimeFigure>> = { ...calls, ...times };
  return Object.entries(definitions).flatMap(([name, about]) => {
    const figure = figures[name];
    return figure === undefined ? [] : [{ name, about, figure, share: shareOf(name, figure) }];
  });
};

export const largestFigures = [
  'offered',
  'answered',
  'serviceLevel',
  'abandonment',
  'timeToAnswerAverageSeconds',
  'handleAverageSeconds',
] as const;

const shareOf = (name: string, figure: Figure | TimeFigure): number | undefined =>
  ['answered', 'missed'].includes(name) && 'calls' in figure && figure.calls > 0
    ? figure.value / figure.calls
    : undefined;

export const noteOf = (figure: Figure | TimeFigure): string =>
  figure.reason ?? ('of' in figure && figure.calls < figure.of ? `known of ${figure.calls} of ${figure.of} calls` : '');

export const unknownReasons = ({ figures, groups }: Pick<DayReport, 'figures' | 'groups'>): readonly string[] => [
  ...new Set([figures, ...groups].flatMap(figuresOf).flatMap(({ figure }) => figure.reason ?? [])),
];

/** By agent: the offered calls that this agent did not answer, and somebody else did. Without them the row does not add up. */
export const answeredByOthers = (calls: DayGroup['calls']): number | undefined => {
  const { offered, answered, missed, undecided } = mapValues(calls, ({ value }) => value);
  if (offered === undefined || answered === undefined || missed === undefined || undecided === undefined)
    return undefined;
  return offered - answered - missed - undecided;
};

/** Whether groups have agents' time, which belongs to no skill, campaign or hour. */
export const hasTime = (by: CallGrouping | undefined): boolean => by === undefined || by === 'agent' || by === 'day';

export const namesOf = ({ records, showPersonal }: Pick<DayReport, 'records' | 'showPersonal'>) =>
  new Map(records.agents.map(({ agentId, name }) => [agentId, showPersonal ? name : undefined]));

/** The figures by their names, as JSON and CSV have them. */
const valuesOf = (figures: Figures) =>
  Object.fromEntries(figuresOf(figures).map(({ name, figure }) => [name, figure.value]));

export const printDayJson = (terminal: Terminal, report: DayReport): void => {
  const { account, records, figures, by, groups, weeksBefore, settings } = report;
  const { from, to, timeZone, agentsUpTo } = records;
  const days = isOneDay(records) ? { day: from } : { from, to };
  const print = (about: object, of: Figures) => {
    const reasons = figuresOf(of).map(({ name, figure }) => [name, figure.reason] as const);
    const unknown = Object.fromEntries(reasons.filter(([, reason]) => reason !== undefined));
    const { secondsByState } = of.agents ?? {};
    terminal.print(printableJson({ ...about, ...valuesOf(of), secondsByState, unknown }));
  };
  print(
    { account, ...days, timeZone, agentsUpTo, ...settings, ...(weeksBefore && comparedJson(weeksBefore)) },
    figures,
  );
  if (by === undefined) return;
  const names = namesOf(report);
  for (const { key, ...group } of groups) print({ account, ...days, by, [by]: key, name: names.get(key ?? '') }, group);
};

const comparedJson = ({ figures, from, to, weeks, upTo }: WeeksBefore) => {
  const values = { upTo, ...(figures && valuesOf({ calls: figures })) };
  return isOneDay({ from, to })
    ? { weekBefore: { day: from, ...values } }
    : { weeksBefore: { from, to, weeks, ...values } };
};

/** New columns are added last, so that spreadsheets that refer to columns by position keep working. */
const addedLast = 'answeredLate';

export const printDayCsv = (
  terminal: Pick<Terminal, 'print'>,
  report: Omit<DayReport, 'account' | 'settings' | 'weeksBefore'>,
): void => {
  const { records, figures, by, groups, showPersonal } = report;
  const { from, to } = records;
  const isByDay = by === 'day';
  const print = csvTable(terminal, [
    ...(isByDay || isOneDay(records) ? ['day'] : ['from', 'to']),
    ...(by === undefined || isByDay ? [] : [by]),
    ...(by === 'agent' && showPersonal ? ['name'] : []),
    ...Object.keys(hasTime(by) ? definitions : callFigureDefinitions).filter((name) => name !== addedLast),
    ...(hasTime(by) ? loggedInStates.map((state) => `${state}Seconds`) : []),
    addedLast,
  ]);
  const names = namesOf(report);
  const labels = labelsOf(by, groups, records);
  const rows = by === undefined ? [{ key: undefined, ...figures }] : groups;
  print(
    rows.map(({ key, ...group }): TableRow => {
      const { secondsByState } = group.agents ?? {};
      const groupCells = by === undefined ? {} : { [by]: labels.get(key) ?? key };
      return {
        ...(isByDay ? { day: key } : { day: from, from, to, ...groupCells }),
        name: names.get(key ?? ''),
        ...valuesOf(group),
        // Of an agent whose time is known, a state that does not occur has no seconds.
        ...(secondsByState &&
          Object.fromEntries(loggedInStates.map((state) => [`${state}Seconds`, secondsByState[state] ?? 0]))),
      };
    }),
  );
};
