import { describe, expect, it } from 'vitest';
import { nonBlank } from '../../../lib/text/blank.ts';

describe('nonBlank', () => {
  it.each(['', ' ', '\t\n', 'None', 'none', 'NONE', 'null', 'Null', 'NULL', '-', ' - ', ' None '])(
    'is absent for "%s", which the sender writes for a missing value',
    (text) => {
      expect(nonBlank(text)).toBeUndefined();
    },
  );

  it('is absent for a key that was left out', () => {
    expect(nonBlank(undefined)).toBeUndefined();
  });

  it.each([
    ['0', '0'],
    ['--', '--'],
    ['nil', 'nil'],
    ['Nonesuch', 'Nonesuch'],
    ['no', 'no'],
    [' 1001 ', '1001'],
    ['None of them', 'None of them'],
  ])('of "%s" is "%s"', (text, expected) => {
    expect(nonBlank(text)).toBe(expected);
  });
});
