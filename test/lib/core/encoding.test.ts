import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressText, decompressText } from '../../../lib/core/encoding.ts';
import { anyCharacter, holds } from '../../support/property.ts';

describe('compressText', () => {
  it('is undone to the letter', () => {
    holds(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(decompressText(compressText(text))).toBe(text);
      }),
    );
  });

  it('makes a short text of a repetitive one, which any reader of gzip in base64 can read', () => {
    const compressed = compressText('{"Status":"Answered"},'.repeat(1_000));

    expect(compressed).toMatch(/^H4sI[\w+/]{1,200}={0,2}$/);
  });
});
