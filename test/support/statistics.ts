/** The value that a share of the numbers (0 to 1) does not exceed; 0 for no numbers. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

/** The median: of two middle numbers their mean. Throws where there are no numbers. */
export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError('No numbers have no median');
  return (lower + upper) / 2;
};

/** A measured value with as many digits as are significant. */
export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

/** A measured value at an instant or a size, in any units. */
export interface Point {
  readonly at: number;
  readonly value: number;
}

/** A line through points, and how far the points lie from it. */
interface Line {
  readonly slope: number;
  /** The standard deviation of the points about the line, estimated from the median distance: outliers do not count. */
  readonly scatter: number;
}

/** Turns the median of normally distributed distances into a standard deviation. */
const perMedian = 1.4826;

/** The line by Theil and Sen, the median of the slopes between all pairs of points: a spike does not tilt it. */
export const lineThrough = (points: readonly Point[]): Line => {
  const slopes = points.flatMap((one, index) =>
    points
      .slice(index + 1)
      .flatMap((other) => (other.at === one.at ? [] : (other.value - one.value) / (other.at - one.at))),
  );
  if (slopes.length === 0) return { slope: 0, scatter: 0 };
  const slope = median(slopes);
  const levels = points.map(({ at, value }) => value - slope * at);
  const level = median(levels);

  return { slope, scatter: perMedian * median(levels.map((value) => Math.abs(value - level))) };
};

/** How much a series grew, and how much growth is allowed. */
interface Flatness {
  /** How much the line through the points rises from the first to the last. */
  readonly growth: number;
  readonly bound: number;
  readonly isFlat: boolean;
}

/** Noise can look like growth of this many times the scatter about the line. */
const timesScatter = 3;

/**
 * Whether a series is flat. It may grow by `allowed`, or by what noise can explain, if that is more. A series that grows
 * steadily has little scatter about its line, so noise cannot hide it.
 */
export const flatness = (points: readonly Point[], allowed: number): Flatness => {
  const { slope, scatter } = lineThrough(points);
  const span = (points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0);
  const growth = slope * span;
  const bound = Math.max(allowed, timesScatter * scatter);

  return { growth, bound, isFlat: growth <= bound };
};
