import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { flatness } from '../../../torture/figures/flatness.ts';
import { lineThrough } from '../../../torture/figures/line-through.ts';

const points = (valueAt: (at: number) => number, count = 60) =>
  Array.from({ length: count }, (_, index) => ({ at: index * 10, value: valueAt(index * 10) }));
const noise = seededRandom(5);
const noisy = points((at) => 50 + 4 * noise() + 0 * at);

describe('lineThrough', () => {
  it('finds slope and scatter', () => {
    expect(lineThrough(points((at) => 3 + 0.5 * at))).toEqual({ slope: 0.5, scatter: 0 });
    expect(lineThrough(noisy).scatter).toBeGreaterThan(0.5);
  });

  it('is not tilted by a spike', () => {
    expect(lineThrough(points((at) => (at === 590 ? 10_000 : 7))).slope).toBe(0);
  });

  it.each([[[]], [[{ at: 1, value: 5 }]]])('of %j is level', (few) => {
    expect(lineThrough(few)).toEqual({ slope: 0, scatter: 0 });
  });
});

describe('flatness', () => {
  it.each([
    ['a constant', points(() => 40), true],
    ['noise', noisy, true],
    ['a spike', points((at) => (at === 300 ? 400 : 40)), true],
    ['what falls', points((at) => 100 - at), true],
    ['what grows by less than is allowed', points((at) => 40 + at / 590), true],
    ['what grows by more than is allowed', points((at) => 40 + (4 * at) / 590), false],
    ['what grows in the midst of noise', noisy.map(({ at, value }) => ({ at, value: value + at / 30 })), false],
    ['what grows in steps', points((at) => 40 + 5 * Math.floor(at / 100)), false],
  ])('takes %s for what it is', (_what, series, flat) => {
    expect(flatness(series, 3).isFlat).toBe(flat);
  });

  it('says by how much it grew, and might have', () => {
    expect(
      flatness(
        points((at) => at / 59),
        3,
      ),
    ).toMatchObject({ growth: expect.closeTo(10), bound: 3 });
    expect(flatness(noisy, 0.1).bound).toBeGreaterThan(1);
  });
});
