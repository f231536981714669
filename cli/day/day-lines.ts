import {
  agentFigureDefinitions,
  type CallGrouping,
  callFigureDefinitions,
  type DayGroup,
  type FigureSettings,
  type PeriodRecords,
} from '../../client/index.ts';
import { type Figures, figuresOf } from '../../client/shown-figures.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { isOneDay } from '../../lib/core/time.ts';
import { loggedInStates } from '../../lib/telephony/vocabularies.ts';
import { csvTable } from '../frame/csv.ts';
import type { TableRow } from '../frame/table.ts';
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
    ...keysOf(callFigureDefinitions).filter((name) => name !== addedLast),
    ...(hasTime(by) ? keysOf(agentFigureDefinitions) : []),
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
