import { describe, expect, it } from 'vitest';
import { tooFast } from '../../../torture/hostile/measure/grow.ts';
import { exponentOf, growthOf } from '../../../torture/hostile/measure/growth.ts';
import { bytesPerCase, memoryFailures } from '../../../torture/hostile/measure/memory-verdict.ts';

const sizes = [30_000, 60_000, 120_000, 240_000];

describe('the growth of time', () => {
  it.each([
    ['nothing', () => 5, 0],
    ['the size', (size: number) => size / 1_000, 1],
    ['its square', (size: number) => size ** 2 / 1e8, 2],
  ])('with %s is told', (_title, time, exponent) => {
    expect(exponentOf(sizes, sizes.map(time))).toBeCloseTo(exponent, 5);
  });

  it('is a failure where it is faster than n log n, and long enough to tell', () => {
    const squares = { name: 'x', bytes: sizes, cpuMs: [10, 40, 160, 640], exponent: 2, mostExponent: 1.5 };
    const steady = { name: 'y', bytes: sizes, cpuMs: [10, 22, 48, 104], exponent: 1.13, mostExponent: 1.5 };

    expect(tooFast([steady, { ...squares, cpuMs: [0, 0, 1, 3] }])).toEqual([]);
    expect(tooFast([squares])).toEqual([expect.stringMatching(/^The time of “x” grows with the power 2\.00/)]);
  });

  it('is measured of what takes quadratic time', async () => {
    const quadratic = (text: string) => /a*b/.exec(text);
    const growth = await growthOf('a', [5_000, 10_000, 20_000], (count) => ({
      bytes: count,
      run: async () => quadratic('a'.repeat(count)),
    }));

    expect(tooFast([{ ...growth, mostExponent: 1.5 }])).toHaveLength(1);
  });
});

describe('the memory in use', () => {
  it('may grow while it gets warm, and jump once', () => {
    const used = [10e6, 20e6, 30e6, 31e6, 31e6, 31.1e6, 31e6, 33e6, 31e6, 31e6, 31.1e6, 31e6];

    expect(memoryFailures(used, 1_000, 300)).toEqual([]);
  });

  it('may not grow with each case', () => {
    const used = Array.from({ length: 12 }, (_, round) => 30e6 + round * 2e6 + (round % 2) * 1e5);

    expect(bytesPerCase(used, 1_000)).toBeCloseTo(2_000, -2);
    expect(memoryFailures(used, 1_000, 300)).toEqual([
      expect.stringMatching(/^The memory in use grows by 20\d\d bytes/),
    ]);
  });
});
