import type { Reading } from '../readings.ts';
import { type Exponent, exponentOf, type Point } from './exponent-of.ts';
import { median } from './median.ts';

/** How one quantity of a piece of work grows. */
export interface Growth {
  readonly subject: string;
  readonly work: string;
  /** What its size counts. */
  readonly counted: string;
  /** The medians of all rounds, from the smallest size to the largest. */
  readonly points: readonly Point[];
  /** Undefined where it does not grow. */
  readonly fit: Exponent | undefined;
  /** The lowest and the highest exponent of a single round: what noise leaves open. */
  readonly range: readonly [number, number] | undefined;
}

/** The growths of everything that was read. */
export const growthsOf = (readings: readonly Reading[]): readonly Growth[] =>
  [...Map.groupBy(readings, ({ subject, work }) => JSON.stringify([subject, work])).values()].flatMap((some) => {
    const [first] = some;
    return first === undefined ? [] : [growthOf(first, some)];
  });

const growthOf = ({ subject, work, counted, base }: Reading, readings: readonly Reading[]): Growth => {
  const points = pointsOf(readings);
  const fitted = (all: readonly Point[]) => exponentOf(all.filter(({ size }) => size >= base));
  const rounds = [...Map.groupBy(readings, ({ round }) => round).values()];
  const exponents = rounds.flatMap((round) => fitted(pointsOf(round))?.exponent ?? []);
  const fit = fitted(points);
  const range = exponents.length === 0 ? undefined : ([Math.min(...exponents), Math.max(...exponents)] as const);
  return { subject, work, counted, points, fit, range: fit && range };
};

const pointsOf = (readings: readonly Reading[]): readonly Point[] =>
  [...Map.groupBy(readings, ({ size }) => size)]
    .map(([size, some]) => ({ size, value: median(some.map(({ value }) => value)) }))
    .sort((a, b) => a.size - b.size);
