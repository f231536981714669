import { expect, it } from 'vitest';
import { fuzz, outcomes } from './fuzz/part.ts';

it('no fuzzed post or answer breaks a guarantee, and most outcomes are reached', async () => {
  const { figures, failures } = await fuzz.run({ seed: 20_261_121, size: 'quick', onProgress: () => undefined });

  expect(failures).toEqual([]);
  const counted = new Map(figures.map(({ what, value }) => [what, value]));
  expect(counted.get('histories of requests')).toBe(450);
  expect(outcomes.filter((one) => counted.has(one)).length).toBeGreaterThan(outcomes.length / 2);
  expect(counted.get('requests: stored')).toBeGreaterThan(125);
}, 180_000);
