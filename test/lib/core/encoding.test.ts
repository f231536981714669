import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compressText,
  contentHash,
  decompressText,
  percentBytes,
  percentDecoded,
  plainText,
} from '../../../lib/core/encoding.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';

describe('a text in which % and two digits stand for a byte', () => {
  it.each([
    ['digits and letters, large and small', '%41%5a%5A%7e', 'AZZ~'],
    ['a letter of three bytes', '%E0%A4%85', 'अ'],
    ['a letter beyond the digits', '%4g%G4', '%4g%G4'],
    ['a sign before and behind the digits', '%4/%4:%4@%4`', '%4/%4:%4@%4`'],
    ['a % that ends it', '100%', '100%'],
    ['a % with one digit', '%4', '%4'],
    ['a % before another', '%%41', '%A'],
    ['a plus sign', 'a+b%2B', 'a+b+'],
    ['nothing encoded', 'अ', 'अ'],
  ])('is read with %s: %s', (_what, encoded, expected) => {
    expect(percentDecoded(encoded)).toBe(expected);
  });

  it('has the bytes of Latin-1 beside those that are encoded', () => {
    expect([...percentBytes('\u00e9%e9+')]).toEqual([0xe9, 0xe9, 0x2b]);
  });
});

describe('the plain form of a text', () => {
  it.each([
    ['wide digits, small ones, and an encoded slash', '０９８７/⁰⁰¹%2F२३४५', '0987/001/2345'],
    ['digits in circles', '①②⑨', '129'],
    ['a mark above a digit', '1\u03054', '14'],
    ['a mark above a letter', 'e\u0301', 'e\u0301'],
    ['other letters', 'अमित', 'अमित'],
  ])('is that of %s: %s', (_what, text, expected) => {
    expect(plainText(text)).toBe(expected);
  });
});

it('contentHash is the first 128 bits of SHA-256 over the canonical text, and differs where content does', () => {
  expect(contentHash({})).toBe('44136fa355b3678a1146ad16f7e8649e');
  expect(contentHash(['1'])).not.toBe(contentHash([1]));
});

it('compressText is undone to the letter, and makes a short text that any reader of gzip in base64 can read', () => {
  holds(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(decompressText(compressText(text))).toBe(text);
    }),
  );
  expect(compressText('{"Status":"Answered"},'.repeat(1_000))).toMatch(/^H4sI[\w+/]{1,200}={0,2}$/);
});
