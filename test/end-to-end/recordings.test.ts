import { expect, it } from 'vitest';
import { expectDayArchived } from '../support/expect-archived.ts';

it('archives the recordings of a simulated morning, a third of them odd, byte for byte and each once', {
  timeout: 180_000,
}, async () => {
  const { whole, inVain, never } = await expectDayArchived({ calls: 30, seed: 32, oddShare: 1 / 3 });

  expect(whole).toBeGreaterThan(10);
  expect(inVain).toBeGreaterThan(1);
  expect(never).toBeGreaterThan(0);
});
