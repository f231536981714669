import { describe, expect, it } from 'vitest';
import { printable, printableJson } from '../../../cli/output/printable.ts';

describe('what is printed', () => {
  it.each<[string, string, string]>([
    ['plain text', 'Zoë “x” 😀', 'Zoë “x” 😀'],
    ['an escape sequence', 'a\u001B[2Jb', 'a\\u001b[2Jb'],
    ['the same in one character', 'a\u009B2Jb', 'a\\u009b2Jb'],
    ['text that turns round', 'a\u202Eb\u2066c', 'a\\u202eb\\u2066c'],
    ['breaks of lines', 'a\r\nb\u2028c', 'a\\u000d\\u000ab\\u2028c'],
  ])('has nothing that a terminal obeys: %s', (_title, value, shown) => {
    expect(printable(value)).toBe(shown);
    expect(printableJson({ value })).not.toMatch(/[\p{Cc}\u2028\u202A-\u202E\u2066-\u2069]/u);
    expect(JSON.parse(printableJson({ value }))).toEqual({ value });
  });

  it('keeps the breaks of a text', () => {
    expect(printable('a\r\n\tb', true)).toBe('a\\u000d\n\tb');
  });
});
