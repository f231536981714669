/** The median: of two middle numbers their mean. Throws where there are no numbers. */
export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError('No numbers have no median');
  return (lower + upper) / 2;
};

/** A measurement at a size. */
export interface Point {
  readonly size: number;
  readonly value: number;
}

/** How a value grows with the size. */
export interface Exponent {
  /** 1 where twice the size adds twice as much, 2 where it adds four times as much. */
  readonly exponent: number;
  /** The sizes that it was fitted to. */
  readonly sizes: readonly number[];
}

/** A size shows growth if its value is so many times that of the smallest size. */
const minGrowth = 1.5;

/** Fewer sizes are too few. Of more sizes the largest count: growth that sets in late must not be averaged out. */
const minSizes = 3;
const maxSizes = 4;

/**
 * The exponent of the growth beyond the first size, so that a constant cost does not count. It is the slope by Theil and
 * Sen, the median of the slopes between all pairs of points, of the logarithms. Undefined where too few sizes show growth.
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
