import { type CallGrouping, callFigureDefinitions, type DayGroup, defaultWithinSeconds } from '../../client/index.ts';
import {
  answeredByOthers,
  type Figures,
  figuresOf,
  largestFigures,
  type NamedFigure,
  noteOf,
} from '../../client/shown-figures.ts';
import { isOneDay, periodText } from '../../lib/core/time.ts';
import { stateRows } from '../agents/agent-time.ts';
import { type Cell, printTable, type TableRow } from '../frame/table.ts';
import { printable, styled, type Terminal } from '../frame/terminal.ts';
import { counted, durationText, localText, percent } from '../frame/texts.ts';
import { type DayReport, hasTime, namesOf } from './day-lines.ts';
import { labelsOf, type WeeksBefore } from './period.ts';

export const printDayTables = (terminal: Terminal, report: DayReport): void => {
  const { account, records, by } = report;
  const title = `${account} ${isOneDay(records) ? 'on' : 'from'} ${periodText(records)} (${records.timeZone})`;
  terminal.print(styled(terminal, 'bold', printable(title)));
  terminal.print('');
  printLargest(terminal, report);
  terminal.print('');
  if (by === undefined) printAll(terminal, report.figures);
  else printGroups(terminal, report, by);
};

const shownValue = ({ declaration: { unit }, figure: { value } }: NamedFigure): Cell => {
  if (value === undefined || unit === 'calls') return value;
  return unit === 'seconds' ? secondsText(value) : percent(value);
};

const secondsText = (seconds: number): string => durationText(Math.round(seconds));

const printLargest = (terminal: Terminal, { records, figures, weeksBefore, settings }: DayReport): void => {
  const titles = largestFigures.map((name) => [name, callFigureDefinitions[name].title.toUpperCase()]);
  const { withinSeconds = defaultWithinSeconds } = settings;
  const columns: Readonly<Record<string, string>> = {
    label: isOneDay(records) ? 'DAY' : 'DAYS',
    ...Object.fromEntries(titles),
    serviceLevel: `${callFigureDefinitions.serviceLevel.title.toUpperCase()}, ${withinSeconds} S`,
  };
  const largestRow = (label: string, calls: DayGroup['calls']): TableRow => ({
    label,
    ...Object.fromEntries(figuresOf({ calls }).map((one) => [one.name, valueAndShare(one)])),
  });
  printTable(terminal, columns, [
    largestRow(periodText(records), figures.calls),
    ...(weeksBefore?.figures ? [largestRow(beforeLabel(weeksBefore, records), weeksBefore.figures)] : []),
  ]);
};

const valueAndShare = (figure: NamedFigure): Cell =>
  figure.share === undefined ? shownValue(figure) : `${shownValue(figure)} (${percent(figure.share)})`;

/** The days, and the time at which they stop if they are compared with a day that is not over. */
const beforeLabel = ({ upTo, ...days }: WeeksBefore, { timeZone }: DayReport['records']): string => {
  if (upTo === undefined) return periodText(days);
  return `${periodText(days)}${isOneDay(days) ? ' to' : ''} ${localText(upTo, timeZone).slice(11, 16)}`;
};

const printAll = (terminal: Terminal, figures: Figures): void => {
  const rows = figuresOf(figures).map((one) => {
    const { declaration, figure } = one;
    const ofCalls = 'of' in figure && declaration.unit === 'seconds' ? `of ${counted(figure.of, 'call')}` : '';
    return { title: declaration.title, value: shownValue(one), note: noteOf(figure) || ofCalls };
  });
  printTable(terminal, { title: 'FIGURE', value: 'VALUE', note: '' }, rows);
  const { secondsByState, loggedInSeconds } = figures.agents ?? {};
  if (secondsByState === undefined) return;
  terminal.print('');
  const states = stateRows(secondsByState, loggedInSeconds?.value ?? 0);
  printTable(terminal, { state: 'AGENTS’ STATE', time: 'TIME', share: 'SHARE' }, states);
};

const durations = {
  timeToAnswerMedianSeconds: 'TO ANSWER',
  talkMedianSeconds: 'TALK',
  holdMedianSeconds: 'HOLD',
  wrapUpMedianSeconds: 'WRAP-UP',
  handleMedianSeconds: 'HANDLE TIME',
};
const times = {
  loggedInSeconds: 'LOGGED IN',
  handlingSeconds: 'HANDLING',
  availableSeconds: 'AVAILABLE',
  occupancy: 'OCCUPANCY',
};

const columnsBy = (by: CallGrouping, showPersonal: boolean): Readonly<Record<string, string>> => ({
  key: by.toUpperCase(),
  ...(by === 'agent' && showPersonal && { name: 'NAME' }),
  calls: 'CALLS',
  offered: 'OFFERED',
  answered: 'ANSWERED',
  ...(by === 'agent' && { answeredByOthers: 'BY OTHERS' }),
  missed: 'MISSED',
  abandoned: 'ABANDONED',
  shortAbandoned: 'SHORT',
  undecided: 'UNDECIDED',
  handled: 'HANDLED',
  serviceLevel: 'SERVICE LEVEL',
  abandonment: 'ABANDONMENT',
  ...durations,
  ...(hasTime(by) && times),
});

const printGroups = (terminal: Terminal, report: DayReport, by: CallGrouping): void => {
  const { records, groups, showPersonal } = report;
  const labels = labelsOf(by, groups, records);
  const names = namesOf(report);
  const rows = groups.map((group): TableRow => {
    const figures = [...figuresOf(group), answeredByOthers(group)];
    return {
      ...Object.fromEntries(figures.map((one) => [one.name, valueAndPair(one)])),
      key: labels.get(group.key) ?? group.key,
      name: names.get(group.key ?? ''),
    };
  });
  printTable(terminal, columnsBy(by, showPersonal), rows);
};

const valueAndPair = (figure: NamedFigure): Cell =>
  figure.otherStatistic === undefined
    ? shownValue(figure)
    : `${shownValue(figure)} / ${secondsText(figure.otherStatistic.value)}`;
