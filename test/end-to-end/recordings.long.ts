import { expect, it } from 'vitest';
import { expectDayArchived } from '../support/expect-archived.ts';

it('archives the recordings of a simulated day of 300 calls, a third of them odd', {
  timeout: 1_800_000,
}, async () => {
  const counts = await expectDayArchived({ calls: 300, seed: 20_261_120, oddShare: 1 / 3 });

  expect(counts.whole).toBeGreaterThan(150);
  expect(counts.inVain).toBeGreaterThan(15);
});
