/** The middle one of some numbers, or the mean of the two in the middle. Throws where there are none. */
export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (lower === undefined || upper === undefined) throw new RangeError('There is no middle of nothing');
  return (lower + upper) / 2;
};
