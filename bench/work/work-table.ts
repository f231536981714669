import type { Table } from '../costs/table.ts';
import { median } from '../percentile.ts';
import { type Round, stepNames, type Timed } from './measured.ts';

/** What one payload takes: by steps, and in microseconds of processor time by the whole handler, a round each. */
export interface Work extends Timed {
  readonly handlerUs: readonly number[];
}

/** How many times as long as the floor all steps may take. */
const mostTimesFloor = 3;

/** The payload that the bar is for: nearly all posts are such. */
const barred = 'typical';

const medianOf = ({ rounds }: Timed, step: keyof Round): number => median(rounds.map((round) => round[step]));

/** The median of what each round says by itself. */
const timesFloor = ({ rounds }: Timed, step: keyof Round): number =>
  median(rounds.map((round) => round[step] / round.floor));

const stepCell = (timed: Timed, step: keyof Round): string => {
  const us = medianOf(timed, step).toFixed(1);
  return step === 'floor' ? us : `${us} (${timesFloor(timed, step).toFixed(1)} x)`;
};

/** One payload a row; in brackets how many times the floor. */
export const workTable = (works: readonly Work[]): Table => ({
  head: ['Callback', 'bytes of form', ...stepNames, 'whole handler'],
  rows: works.map((each) => [
    each.name,
    String(each.bytes),
    ...stepNames.map((step) => stepCell(each, step)),
    median(each.handlerUs).toFixed(0),
  ]),
});

/** What is above the bar. */
export const slowSteps = (works: readonly Work[]): readonly string[] =>
  works
    .filter(({ name }) => name === barred)
    .flatMap((each) => {
      const times = timesFloor(each, 'normalise');
      return times <= mostTimesFloor
        ? []
        : [`A ${each.name} callback takes ${times.toFixed(1)} x the bare decoding; the bar is ${mostTimesFloor} x.`];
    });
