import { describe, expect, it } from 'vitest';
import { shrunk } from '../../../torture/hostile/shrink.ts';

describe('shrunk', () => {
  it('leaves what it takes to show the same', async () => {
    const text = `${'x'.repeat(300)}{"toString":1}${'y'.repeat(500)}`;

    expect(await shrunk(text, async (shorter) => shorter.includes('toString'))).toBe('toString');
  });

  it('gives up after so many tries', async () => {
    expect(await shrunk('abcd', async () => false, 1)).toBe('abcd');
  });
});
