import { percentile } from './percentile.ts';

/** A measured value at an instant, both in whatever unit. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** A line through points, and how far the points lie from it. */
export interface Line {
  readonly slope: number;
  /** The standard deviation of the points about the line, estimated from its median: an odd point does not count. */
  readonly scatter: number;
}

/** Turns the median of distances into a standard deviation, where they are distributed normally. */
const perMedian = 1.4826;

const middle = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** The line by Theil and Sen, the median of the slopes between all pairs of points: a spike does not tilt it. */
export const lineThrough = (points: readonly Point[]): Line => {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .flatMap((other) => (other.at === one.at ? [] : (other.value - one.value) / (other.at - one.at))),
  );
  const slope = middle(slopes);
  const levels = points.map(({ at, value }) => value - slope * at);
  const level = middle(levels);

  return { slope, scatter: perMedian * middle(levels.map((value) => Math.abs(value - level))) };
};
