import { describe, expect, it } from 'vitest';
import { percentile } from '../../../torture/figures/percentile.ts';

describe('percentile', () => {
  it.each([
    [[], 0.5, 0],
    [[7], 0.99, 7],
    [[3, 1, 2], 0.5, 2],
    [[4, 3, 2, 1], 0.5, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 100], 0.9, 9],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 100], 0.99, 100],
    [[5, 6], 1, 6],
    [[5, 6], 0, 5],
  ])('of %j at %d is %d', (numbers, share, value) => {
    expect(percentile(numbers, share)).toBe(value);
  });
});
