import {
  type CallGrouping,
  callFigureDefinitions,
  type DayGroup,
  defaultWithinSeconds,
} from '../../lib/client/index.ts';
import { isOneDay, periodText } from '../../lib/core/time.ts';
import {
  answeredByOthers,
  type DayReport,
  type Figures,
  figuresOf,
  hasTime,
  largestFigures,
  type NamedFigure,
  namesOf,
  noteOf,
} from './day.ts';
import { labelsOf } from './period.ts';
import {
  type Cell,
  counted,
  durationText,
  localText,
  percent,
  printTable,
  stateRows,
  type TableRow,
} from './report.ts';
import { printable, styled, type Terminal } from './terminal.ts';

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

const cellOf = ({ about: { unit }, figure: { value } }: NamedFigure): Cell => {
  if (value === undefined || unit === 'calls') return value;
  return unit === 'seconds' ? durationText(Math.round(value)) : percent(value);
};

const printLargest = (terminal: Terminal, { records, figures, weeksBefore, settings }: DayReport): void => {
  const titles = largestFigures.map((name) => [name, callFigureDefinitions[name].title.toUpperCase()]);
  const { withinSeconds = defaultWithinSeconds } = settings;
  const columns: Readonly<Record<string, string>> = {
    label: isOneDay(records) ? 'DAY' : 'DAYS',
    ...Object.fromEntries(titles),
    serviceLevel: `${callFigureDefinitions.serviceLevel.title.toUpperCase()}, ${withinSeconds} S`,
  };
  const cell = (one: NamedFigure) => (one.share === undefined ? cellOf(one) : `${cellOf(one)} (${percent(one.share)})`);
  const row = (label: string, calls: DayGroup['calls']): TableRow => ({
    label,
    ...Object.fromEntries(figuresOf({ calls }).map((one) => [one.name, cell(one)])),
  });
  const { figures: ofBefore, upTo } = weeksBefore ?? {};
  const time = upTo && localText(upTo, records.timeZone).slice(11, 16);
  const until = time === undefined ? '' : `${isOneDay(records) ? ' to' : ''} ${time}`;
  printTable(terminal, columns, [
    row(periodText(records), figures.calls),
    ...(weeksBefore && ofBefore ? [row(`${periodText(weeksBefore)}${until}`, ofBefore)] : []),
  ]);
};

const printAll = (terminal: Terminal, figures: Figures): void => {
  const rows = figuresOf(figures).map((one) => {
    const { about, figure } = one;
    const calls = 'of' in figure && about.unit === 'seconds' ? `of ${counted(figure.of, 'call')}` : '';
    return { title: about.title, value: cellOf(one), note: noteOf(figure) || calls };
  });
  printTable(terminal, { title: 'FIGURE', value: 'VALUE', note: '' }, rows);
  const { secondsByState, loggedInSeconds } = figures.agents ?? {};
  if (secondsByState === undefined) return;
  terminal.print('');
  const states = stateRows(secondsByState, loggedInSeconds?.value ?? 0);
  printTable(terminal, { state: 'AGENTS’ STATE', time: 'TIME', share: 'SHARE' }, states);
};

const durations = { timeToAnswer: 'TO ANSWER', talk: 'TALK', hold: 'HOLD', wrapUp: 'WRAP-UP', handle: 'HANDLE TIME' };
const times = {
  ...{ loggedInSeconds: 'LOGGED IN', handlingSeconds: 'HANDLING', availableSeconds: 'AVAILABLE' },
  occupancy: 'OCCUPANCY',
};

const columnsBy = (by: CallGrouping, showPersonal: boolean): Readonly<Record<string, string>> => ({
  key: by.toUpperCase(),
  ...(by === 'agent' && showPersonal && { name: 'NAME' }),
  ...{ calls: 'CALLS', offered: 'OFFERED', answered: 'ANSWERED' },
  ...(by === 'agent' && { byOthers: 'BY OTHERS' }),
  ...{ missed: 'MISSED', abandoned: 'ABANDONED', shortAbandoned: 'SHORT', undecided: 'UNDECIDED' },
  ...{ handled: 'HANDLED', serviceLevel: 'SERVICE LEVEL', abandonment: 'ABANDONMENT', ...durations },
  ...(hasTime(by) && times),
});

const printGroups = (terminal: Terminal, report: DayReport, by: CallGrouping): void => {
  const { records, groups, showPersonal } = report;
  const labels = labelsOf(by, groups, records);
  const names = namesOf(report);
  const rows = groups.map((group): TableRow => {
    const cells = Object.fromEntries(figuresOf(group).map((one) => [one.name, cellOf(one)]));
    const pairs = Object.keys(durations).map((name) => {
      const [median, average] = [cells[`${name}MedianSeconds`], cells[`${name}AverageSeconds`]];
      return [name, median === undefined ? undefined : `${median} / ${average}`];
    });
    return {
      ...{ ...cells, ...Object.fromEntries(pairs), byOthers: answeredByOthers(group.calls) },
      ...{ key: labels.get(group.key) ?? group.key, name: names.get(group.key ?? '') },
    };
  });
  printTable(terminal, columnsBy(by, showPersonal), rows);
};
