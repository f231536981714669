import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customerSearch } from '../../../cli/erase/erase-customer.ts';
import { callbackSecretHash } from '../../../lib/accounts/callback-secret.ts';
import { keyReplacement } from '../../../lib/accounts/find-keys.ts';
import { redactorFor } from '../../../lib/accounts/redact-secrets.ts';
import { isFound } from '../../../lib/core/numbers-in-text.ts';
import { holds } from '../../support/arbitraries.ts';
import { takesLessThanParsing } from '../../support/processor-time.ts';

// Here and not beside the other tests of these rules: CI runs those with coverage, which slows our code and not the parser.

const searchOf = (typed: string, ...countries: readonly (string | undefined)[]) =>
  customerSearch(typed, countries) ?? expect.unreachable(typed);

describe('a search of 32 KB takes less than to parse them as JSON 3,000 times, some 50 ms,', () => {
  const searches = [searchOf('+919876543210', 'IN'), searchOf('9876543210', 'IN', 'GB', 'BR', 'US')];

  const isFast = (textOf: (index: number) => string): boolean => {
    let text = '';
    for (let index = 0; text.length < 32 * 1024; index += 1) text += textOf(index);
    return searches.every(({ search }) => takesLessThanParsing(3_000, text, () => isFound(search, text)));
  };

  const hard = ['1 543210 ', '1 3543210 ', '9 8 7 6 543210 ', '5 4 3 2 1 0 ', '6543210 ', '00 44 9876543210 '];
  it.each(hard)('of %j again and again', (unit) => expect(isFast(() => unit)).toBe(true));

  it('of different numbers with the same end', () => {
    expect(isFast((index) => `${index}543210 ${index} 543210 `)).toBe(true);
  });

  it('of any digits, gaps, plus signs and areas again and again', () => {
    const digits = ['1', '22', '0', '00', '011', '022', '15', '44', '91', '543210', '6543210', '9876543210'];
    const others = ['+', '+1', '+91', ' ', '  ', '-', '(', ') ', '/', '2026-11-20', '12:30', '<b>', '&nbsp;', 'E+9'];
    const pieces = fc.array(fc.constantFrom(...digits, ...others), { minLength: 1, maxLength: 4 });
    holds(
      fc.property(pieces, (unit) => isFast(() => unit.join(''))),
      60,
    );
  });
});

describe('redacting 64 KB takes less than to parse them as JSON 3,000 times, some 100 ms,', () => {
  const key = 'tr1cky+Key/of=demo&7';
  const redactKey = redactorFor(keyReplacement([key]), callbackSecretHash('0123456789-secret'));
  const units = [
    key,
    encodeURIComponent(key),
    'tr1cky%2bKey/of%3Ddemo%267',
    encodeURIComponent(encodeURIComponent(key)),
    ...[
      '%26',
      '%2526',
      '%25',
      '%',
      '\\',
      '\\\\u002b',
      '\\"',
      '+',
      '%C3%A9',
      '%C3',
      'tr1cky',
      '/%30',
      '/0123456789-secret',
    ],
  ];

  it.each(units)('with a key and %s again and again', (unit) => {
    const text = `tr1cky+Key ${key} ${unit.repeat((64 * 1024) / unit.length)}`;
    expect(takesLessThanParsing(3_000, text, redactKey)).toBe(true);
  });
});
