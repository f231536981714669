import { describe, expect, it } from 'vitest';
import { growthsOf } from '../../../bench/growth/fit/growths-of.ts';
import type { Reading } from '../../../bench/growth/readings.ts';
import { tooSteep } from '../../../bench/growth/too-steep.ts';

const sizes = [1, 2, 100, 200, 400, 800];

const readings = (powers: readonly number[], work = 'one'): readonly Reading[] =>
  powers.flatMap((power, round) =>
    sizes.map((size) => ({ subject: 'poll', counted: 'agents', base: 2, work, size, round, value: size ** power })),
  );

describe('the growths of what was read', () => {
  it('have the median of the rounds at each size, from the smallest one', () => {
    const [growth] = growthsOf(readings([1, 5, 2]).toReversed());

    expect(growth?.points).toEqual(sizes.map((size) => ({ size, value: size ** 2 })));
  });

  it('have the exponents of the lowest and the highest round for a range', () => {
    const [growth] = growthsOf(readings([1, 2, 3]));

    expect(growth?.fit?.exponent).toBeCloseTo(2, 1);
    expect(growth?.range?.[0]).toBeCloseTo(1, 1);
    expect(growth?.range?.[1]).toBeCloseTo(3, 1);
  });

  it('are one for each work', () => {
    expect(growthsOf([...readings([1]), ...readings([1], 'other')]).map(({ work }) => work)).toEqual(['one', 'other']);
  });

  it('leave sizes below the base out of the fit, and in the figures', () => {
    const jump = readings([1]).map((reading) => (reading.size === 1 ? { ...reading, value: 0 } : reading));

    expect(growthsOf(jump)[0]?.fit).toEqual(growthsOf(readings([1]))[0]?.fit);
    expect(growthsOf(jump)[0]?.points[0]).toEqual({ size: 1, value: 0 });
  });
});

describe('what is too steep', () => {
  it.each<readonly [string, readonly number[], number]>([
    ['linear growth', [1, 1, 1], 0],
    ['growth that every round shows to be steep', [1.3, 1.4], 1],
    ['growth that one round shows to be linear', [1, 1.4, 1.4], 0],
  ])('is told of %s as it is', (_, powers, failures) => {
    expect(tooSteep('time', growthsOf(readings(powers)))).toHaveLength(failures);
  });

  it('is told with its exponent and what is allowed', () => {
    expect(tooSteep('memory', growthsOf(readings([2])))).toEqual([
      expect.stringMatching(/^poll, one: memory grows with the exponent 1\.9\d; at most 1\.15 may be\.$/),
    ]);
  });
});
