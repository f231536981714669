import { describe, expect, it } from 'vitest';
import { createLanes } from '../../../../sandbox/simulator/delivery/lanes.ts';

describe('createLanes', () => {
  it('runs as many tasks at a time as it has lanes, in the order in which they came', async () => {
    const inLane = createLanes(2);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const tasks = [0, 1, 2, 3].map((number) =>
      inLane(() => {
        started.push(number);
        return new Promise<number>((resolve) => ends.push(() => resolve(number)));
      }),
    );

    expect(started).toEqual([0, 1]);
    ends[1]?.();
    await expect.poll(() => started).toEqual([0, 1, 2]);
    ends[0]?.();
    await expect.poll(() => started).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    ends[3]?.();
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3]);
  });

  it('hands a lane on after a failure, and takes new tasks when all are done', async () => {
    const inLane = createLanes(1);
    const fails = inLane(() => Promise.reject(new Error('no')));
    const follows = inLane(async () => 'yes');

    await expect(fails).rejects.toThrow('no');
    expect(await follows).toBe('yes');
    expect(await inLane(async () => 'again')).toBe('again');
  });
});
