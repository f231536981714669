import { describe, expect, it } from 'vitest';
import { soak } from '../../../torture/soak/part.ts';

describe('soak', () => {
  it('finds memory, handles and lag flat', async () => {
    const { figures, failures } = await soak.run({ seed: 1, size: 'quick', onProgress: () => undefined });
    const figure = (what: string) => figures.find((one) => one.what === what)?.value ?? 0;

    expect(failures).toEqual([]);
    expect(figure('posts')).toBeGreaterThan(50);
    expect(figure('polls')).toBeGreaterThan(0);
    for (const what of ['live heap', 'resident memory', 'open files', 'reply, median', 'row to event, median'])
      expect(figure(`${what}: in the middle`)).toBeGreaterThan(0);
  }, 240_000);
});
