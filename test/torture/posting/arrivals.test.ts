import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/simulator/random.ts';
import { arrivals } from '../../../torture/posting/arrivals.ts';
import { atTheirTimes } from '../../../torture/posting/at-their-times.ts';

describe('arrivals', () => {
  const times = arrivals(seededRandom(1), 50, 5_000);

  it('come one after the other, at the rate on average', () => {
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeGreaterThan(0.9 * 100_000);
    expect(times.at(-1)).toBeLessThan(1.1 * 100_000);
  });

  it('do not keep a distance from each other', () => {
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));

    expect(gaps.filter((gap) => gap < 2).length).toBeGreaterThan(300);
    expect(gaps.filter((gap) => gap > 60).length).toBeGreaterThan(100);
  });
});

describe('atTheirTimes', () => {
  it('starts everything in order, and tells when it was due', async () => {
    const started: (readonly [index: number, dueAt: number])[] = [];
    const before = performance.now();
    await atTheirTimes([0, 1, 5], (index, dueAt) => started.push([index, dueAt]));

    expect(started.map(([index]) => index)).toEqual([0, 1, 2]);
    expect(performance.now() - before).toBeGreaterThanOrEqual(5);
    const [[, first = 0] = [], [, second = 0] = [], [, third = 0] = []] = started;
    expect([second - first, third - first]).toEqual([expect.closeTo(1), expect.closeTo(5)]);
  });

  it('does not wait for what was started, and ends when it is told to', async () => {
    const stopping = new AbortController();
    const started: number[] = [];
    const start = (index: number): void => {
      started.push(index);
      stopping.abort();
    };
    await atTheirTimes([0, 1, 2], start, stopping.signal);

    expect(started).toEqual([0]);
  });
});
