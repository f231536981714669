/** The value that a share of the numbers, 0 to 1, does not exceed; 0 where there are none. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

/** The value in the middle, the lower one of two. */
export const lowerMedian = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** The middle one of some numbers, or the mean of the two in the middle. Throws where there are none. */
export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError('There is no middle of nothing');
  return (lower + upper) / 2;
};

/** What was measured at a size. */
export interface Point {
  readonly size: number;
  readonly value: number;
}

/** How a value grows with the size. */
export interface Exponent {
  /** 1 where twice the size adds twice as much, 2 where it adds four times as much. */
  readonly exponent: number;
  /** The sizes by which it was found. */
  readonly sizes: readonly number[];
}

/** A size shows growth if it takes so many times what the smallest takes. */
const minGrowth = 1.5;

/** Fewer sizes tell nothing; of more than these the largest count, as growth that sets in late must not be averaged out. */
const minSizes = 3;
const maxSizes = 4;

/**
 * The power with which that grows which a size takes more than the first one: what any size takes is gone then. It is the
 * slope of the line by Theil and Sen, the median of the slopes between all pairs of points, through the logarithms.
 * Undefined where too few sizes take notably more than the first.
 */
export const growthExponent = (points: readonly Point[]): Exponent | undefined => {
  const [first, ...others] = points.toSorted((a, b) => a.size - b.size);
  if (first === undefined) return undefined;

  const shown = others.filter(({ value }) => value >= minGrowth * first.value && value > first.value).slice(-maxSizes);
  if (shown.length < minSizes) return undefined;

  const logs = shown.map(({ size, value }) => ({ x: Math.log(size - first.size), y: Math.log(value - first.value) }));
  const slopes = logs.flatMap((one, index) =>
    logs.slice(index + 1).map((other) => (other.y - one.y) / (other.x - one.x)),
  );
  return { exponent: median(slopes), sizes: shown.map(({ size }) => size) };
};
