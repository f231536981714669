/** The value that a share of the numbers, 0 to 1, does not exceed; 0 where there are none. */
export const percentile = (numbers: readonly number[], share: number): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

/** The value in the middle, the lower one of two. */
export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);
