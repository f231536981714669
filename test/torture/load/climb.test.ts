import { describe, expect, it } from 'vitest';
import { climb, isSustained, sustainedRate } from '../../../torture/load/climb.ts';

const good = {
  rate: 100,
  posts: 1_000,
  achieved: 99,
  p50: 5,
  p90: 10,
  p99: 50,
  max: 80,
  lag: 300,
  cpu: { sandbox: 0.5, dynamodb: 0.5, poster: 0.1 },
};

describe('isSustained', () => {
  it.each([
    ['all is well', {}, true],
    ['fewer are taken in than come', { achieved: 89 }, false],
    ['one in a hundred waits long', { p99: 1_001 }, false],
    ['events fall behind', { lag: 5_001 }, false],
  ])('where %s', (_what, change, sustained) => {
    expect(isSustained({ ...good, ...change })).toBe(sustained);
  });
});

describe('climb', () => {
  it('ends with the first rate that is not sustained twice', async () => {
    const steps = await climb([50, 100, 200, 400], async (rate) => ({ ...good, rate, achieved: Math.min(rate, 150) }));

    expect(steps.map(({ rate }) => rate)).toEqual([50, 100, 200]);
    expect(sustainedRate(steps)).toBe(100);
  });

  it('tries a rate once more before it gives up', async () => {
    const tried: number[] = [];
    const steps = await climb([50, 100], async (rate) => {
      tried.push(rate);
      return { ...good, rate, achieved: rate, p99: tried.length === 1 ? 5_000 : 50 };
    });

    expect(sustainedRate(steps)).toBe(100);
    expect([tried, steps.map(isSustained)]).toEqual([
      [50, 50, 100],
      [true, true],
    ]);
  });
});
