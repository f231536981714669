import { describe, expect, it } from 'vitest';
import { instantFrom } from '../../../cli/input/instant-from.ts';
import { wholeNumber } from '../../../cli/input/whole-number.ts';

describe('instantFrom', () => {
  it.each([
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20T06:00Z', '2026-11-20T06:00:00.000Z'],
    ['2026-11-20T06:00:00.5Z', '2026-11-20T06:00:00.500Z'],
    ['2026-11-20T11:30:00+05:30', '2026-11-20T06:00:00.000Z'],
  ])('reads %s', (typed, instant) => {
    expect(instantFrom(typed)).toBe(instant);
  });

  it.each([
    '',
    'today',
    '2026-11-20T06:00:00',
    '2026-02-30',
    '2026-02-30T06:00Z',
    '2026-13-01',
    '2026-11-20T25:00Z',
    '20-11-2026',
  ])('says what is allowed instead of %s', (typed) => {
    expect(() => instantFrom(typed)).toThrow('Expected an instant with its zone, such as 2026-11-20T06:00:00Z');
  });
});

describe('wholeNumber', () => {
  it.each(['1', '10'])('reads %s', (typed) => {
    expect(wholeNumber(1, 10)(typed)).toBe(Number(typed));
  });

  it.each(['0', '11', '1.5', '-1', 'x', '', '9'.repeat(20)])('says what is allowed instead of %s', (typed) => {
    expect(() => wholeNumber(1, 10)(typed)).toThrow('Expected a whole number from 1 to 10.');
  });
});
