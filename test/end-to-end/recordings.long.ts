import { expect, it } from 'vitest';
import { expectDayArchived } from '../support/expect-archived.ts';

it('archives the recordings of a simulated day of 1,000 calls, a third of them odd', {
  timeout: 1_800_000,
}, async () => {
  const counts = await expectDayArchived({ calls: 1_000, seed: 20_261_120, oddShare: 1 / 3 });

  expect(counts.whole).toBeGreaterThan(500);
  expect(counts.inVain).toBeGreaterThan(50);
});
