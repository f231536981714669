import { figure } from '../costs/figures.ts';
import type { TitledTable } from '../part.ts';
import type { Growth } from './fit/growths-of.ts';
import type { Quantity } from './readings.ts';

const units: Readonly<Record<Quantity, string>> = { time: 'ms of processor time', memory: 'MB of memory' };

/** A table for each subject: a row for each size, a column for each work. */
export const sizeTables = (quantity: Quantity, growths: readonly Growth[]): readonly TitledTable[] =>
  [...Map.groupBy(growths, ({ subject }) => subject)].map(([subject, works]) => {
    const [{ counted, points } = { counted: '', points: [] }] = works;
    return {
      title: `A ${subject}: ${units[quantity]}, by ${counted}`,
      table: {
        head: [counted, ...works.map(({ work }) => work)],
        rows: points.map(({ size }) => [figure(size), ...works.map((work) => figureAt(work, size))]),
      },
    };
  });

const figureAt = ({ points }: Growth, size: number): string => {
  const value = points.find((point) => point.size === size)?.value;
  return value === undefined ? '' : value.toFixed(value < 10 ? 2 : 0);
};

/** One table for all: with what power each work grows. */
export const exponentTable = (all: Readonly<Record<Quantity, readonly Growth[]>>): TitledTable => ({
  title: 'Growth: the exponent of what a size takes more than the smallest one; 1 is linear',
  table: {
    head: ['work', 'of', 'exponent', 'lowest and highest round', 'sizes'],
    rows: Object.entries(all).flatMap(([quantity, growths]) =>
      growths.map(({ subject, work, fit, range }) => [
        `${subject}, ${work}`,
        quantity,
        fit === undefined ? 'does not grow' : fit.exponent.toFixed(2),
        range === undefined ? '' : range.map((exponent) => exponent.toFixed(2)).join(' to '),
        fit === undefined ? '' : `${figure(Math.min(...fit.sizes))} to ${figure(Math.max(...fit.sizes))}`,
      ]),
    ),
  },
});
