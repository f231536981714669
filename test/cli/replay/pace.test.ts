import { describe, expect, it } from 'vitest';
import { pace } from '../../../cli/replay/pace.ts';

const paced = () => {
  const time = { now: 1_000 };
  const next = pace(10, {
    now: () => time.now,
    pause: async (milliseconds) => {
      time.now += milliseconds;
    },
  });
  return { time, next };
};

describe('pace', () => {
  it('lets the first pass at once, and the others evenly', async () => {
    const { time, next } = paced();
    const passed: number[] = [];
    for (let count = 0; count < 4; count++) {
      await next();
      passed.push(time.now);
    }

    expect(passed).toEqual([1_000, 1_100, 1_200, 1_300]);
  });

  it('makes up for no time that was not used', async () => {
    const { time, next } = paced();
    await next();
    time.now += 5_000;
    await next();
    await next();

    expect(time.now).toBe(6_100);
  });
});
