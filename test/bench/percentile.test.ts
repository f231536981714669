import { expect, it } from 'vitest';
import { percentile } from '../../bench/percentile.ts';

it.each([
  { share: 0.5, numbers: [3, 1, 2], is: 2, why: 'the one in the middle' },
  { share: 0.5, numbers: [4, 1, 3, 2], is: 2, why: 'of two in the middle the lower' },
  { share: 1, numbers: [1, 10, 9], is: 10, why: 'the largest, by value' },
  { share: 0, numbers: [2, 1], is: 1, why: 'the smallest' },
  { share: 0.5, numbers: [], is: 0, why: 'nothing of nothing' },
])('a percentile is $why', ({ share, numbers, is }) => {
  expect(percentile(numbers, share)).toBe(is);
});
