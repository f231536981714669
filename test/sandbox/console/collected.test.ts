import { describe, expect, it } from 'vitest';
import { collected } from '../../../sandbox/console/collected.ts';

describe('collected', () => {
  it('tells together what comes in a while', async () => {
    const told: (readonly number[])[] = [];
    const items = collected<number>(20, (some) => told.push(some));
    items.add([1, 2]);
    items.add([]);
    items.add([3]);

    await expect.poll(() => told).toEqual([[1, 2, 3]]);
    items.add([4]);
    await expect.poll(() => told).toEqual([[1, 2, 3], [4]]);
  });

  it('tells at once when it is flushed, and then nothing twice', () => {
    const told: (readonly number[])[] = [];
    const items = collected<number>(60_000, (some) => told.push(some));
    items.add([1]);
    items.flush();
    items.flush();

    expect(told).toEqual([[1]]);
  });
});
