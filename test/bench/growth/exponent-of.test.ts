import { describe, expect, it } from 'vitest';
import { exponentOf } from '../../../bench/growth/fit/exponent-of.ts';

const sizes = [10, 100, 1_000, 2_000, 5_000, 10_000, 20_000];
const points = (valueAt: (size: number) => number) => sizes.map((size) => ({ size, value: valueAt(size) }));

describe('the exponent of a growth', () => {
  it.each<readonly [string, number, (size: number) => number]>([
    ['linear', 1, (size) => 3 * size],
    ['linear beside a large share that any size takes', 1, (size) => 5_000 + 3 * size],
    ['quadratic', 2, (size) => size ** 2],
    ['that of a root', 0.5, (size) => 7 * size ** 0.5],
  ])('is found where it is %s', (_, exponent, valueAt) => {
    expect(exponentOf(points(valueAt))?.exponent).toBeCloseTo(exponent, 1);
  });

  it('is that of the largest sizes, where growth sets in late', () => {
    const fit = exponentOf(points((size) => size + (size / 1_000) ** 4));

    expect(fit?.exponent).toBeGreaterThan(1.5);
    expect(fit?.sizes).toEqual([2_000, 5_000, 10_000, 20_000]);
  });

  it('does not follow a single odd value', () => {
    const odd = points((size) => (size === 5_000 ? 3 : 1) * size);

    expect(exponentOf(odd)?.exponent).toBeCloseTo(1, 1);
  });

  it.each<readonly [string, readonly { readonly size: number; readonly value: number }[]]>([
    ['nothing was measured', []],
    ['nothing grows', points(() => 5)],
    ['only two sizes take notably more than the first', points((size) => (size < 10_000 ? 5 : size))],
  ])('is not told where %s', (_, measured) => {
    expect(exponentOf(measured)).toBeUndefined();
  });
});
