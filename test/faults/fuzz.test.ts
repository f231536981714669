import { expect, it } from 'vitest';
import { classes, fuzz } from './fuzz/part.ts';

it('finds nothing broken by some hundred hostile posts and answers, and reaches most of what can become of one', async () => {
  const { figures, failures } = await fuzz.run({ seed: 20_261_121, size: 'quick', onProgress: () => undefined });

  expect(failures).toEqual([]);
  const counted = new Map(figures.map(({ what, value }) => [what, value]));
  expect(counted.get('requests')).toBe(700);
  expect(classes.filter((one) => counted.has(one)).length).toBeGreaterThan(classes.length / 2);
  expect(counted.get('stored')).toBeGreaterThan(200);
});
