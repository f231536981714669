import { groupings } from '../../../../cli/day/day.ts';
import type { Centre } from '../centre.ts';

/** A command line of the centre’s account, in words. */
export type Line = readonly string[];

/** The figures of a day and of a period, whole and by every group. */
const dayLines = ({ days: { today, weekBefore, changeDay = weekBefore } }: Centre): readonly Line[] => [
  ['day', '--within', '13'],
  ['day', '--date', changeDay],
  ...groupings.map(
    (by, index): Line => [
      'day',
      '--by',
      by,
      ...(index % 2 === 0 ? ['--from', weekBefore, '--to', today] : ['--date', 'today', '--within', '13']),
    ],
  ),
];

/** Every command that shows numbers of what is stored. */
export const linesFor = (centre: Centre, ids: readonly string[]): readonly Line[] => [
  ...dayLines(centre),
  ['calls', '--day', 'today'],
  ['calls', '--day', centre.days.weekBefore, '--missed', '--skill', "It's $(id)"],
  ['calls', '--day', 'today', '--agent', 'ravi', '--counted', 'answered'],
  ['calls', '--day', 'today', '--customer', '+447700900001'],
  ['calls', '--day', 'today', '--open'],
  ['calls', '--day', 'today', '--open', '--limit', '1'],
  ['calls', '--day', 'yesterday', '--open', '--skill', 'Sales'],
  ...ids.map((id): Line => ['call', id]),
  ['agents'],
  ['agents', 'asha'],
  ['agents', '--state', 'ready'],
  ['floor', '--at', centre.minutesAgo(40)],
  ['timeline', 'asha'],
  ['status'],
  ['status', '--since', '6h'],
  ['dead-letters'],
  ['dead-letters', 'list', 'parked'],
  ['quarantine', 'list'],
  ['quarantine', 'list', '--limit', '2'],
];

/** Commands that ask for no account, as they are about the deployment. */
export const ofDeployment = ['status', 'dead-letters', 'quarantine'];
