import type { Read } from '../../client/index.ts';
import { dollarFigure, figure, markdownTable } from '../part.ts';
import type { Deployed } from './deployed.ts';
import { type ConsoleReads, type Units, type ViewReads, views, watchedSeconds } from './measure-console.ts';
import { dollarsOf, type Quantities } from './prices.ts';
import { scenario } from './scenario.ts';

const { daysAMonth, openHoursADay } = scenario;

/** A console on the wall, which is opened every day and shows one view for all of the open hours. */
const monthOf = ({ opening, hour }: ViewReads, { isInfrequent }: Pick<Deployed, 'isInfrequent'>): Quantities => {
  const unitsOf = (table: Read['table']) => daysAMonth * (opening[table] + openHoursADay * hour[table]);
  return {
    readUnits: unitsOf('agents') + (isInfrequent ? 0 : unitsOf('calls')),
    infrequentReadUnits: isInfrequent ? unitsOf('calls') : 0,
  };
};

const consoleTable = (measured: readonly ConsoleReads[], deployed: Pick<Deployed, 'isInfrequent'>): string => {
  const sumOf = ({ calls, agents }: Units) => figure(Math.round(calls + agents));
  return markdownTable({
    head: [
      'View',
      ...measured.flatMap(({ volume: { callsADay, agents } }) => [
        `${figure(callsADay)} calls a day, ${agents} agents: units to open`,
        'units an hour',
        '$ a month',
      ]),
    ],
    rows: Object.keys(views).map((view) => [
      view,
      ...measured.flatMap(({ reads }) =>
        reads
          .filter((one) => one.view === view)
          .flatMap((one) => [sumOf(one.opening), sumOf(one.hour), dollarFigure(dollarsOf(monthOf(one, deployed)))]),
      ),
    ]),
  });
};

export const consoleReport = (
  measured: readonly ConsoleReads[],
  { deployed }: { readonly deployed: Pick<Deployed, 'isInfrequent'> },
): string =>
  [
    consoleTable(measured, deployed),
    [
      `A view is watched from the middle of the day on, for ${watchedSeconds / 60} minutes of its clock, while calls come, get their ` +
        'dispositions and agents change.',
      `A month is a console that is opened every morning and shows the view ${openHoursADay} hours a day. A second one costs the same again.`,
      'An agent, a call and Health read a few rows every 5 seconds, which is less than Floor. A page that nobody sees reads nothing.',
    ]
      .map((sentence) => `- ${sentence}`)
      .join('\n'),
  ].join('\n\n');
