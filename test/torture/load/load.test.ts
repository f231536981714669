import { describe, expect, it } from 'vitest';
import { load } from '../../../torture/load/part.ts';

describe('load', () => {
  it('loses nothing and tells nothing twice, under faults and a kill', async () => {
    const told: string[] = [];
    const { figures, failures } = await load.run({ seed: 1, size: 'quick', onProgress: (line) => told.push(line) });
    const figure = (what: string) => figures.find((one) => one.what === what)?.value ?? 0;

    expect(failures).toEqual([]);
    expect(told.join('\n')).toMatch(/killed after \d+ events/);
    expect(figure('distinct deliveries acknowledged')).toBeGreaterThan(50);
    expect(figure('events of calls and participants')).toBeGreaterThan(50);
    expect(figure('posts answered: no answer')).toBeGreaterThan(0);
    expect(figure('away after the kill')).toBeGreaterThan(0);
  }, 240_000);
});
