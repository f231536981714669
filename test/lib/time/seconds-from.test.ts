import { describe, expect, it } from 'vitest';
import { secondsFrom } from '../../../lib/time/seconds-from.ts';

describe('secondsFrom', () => {
  it.each([
    ['hours, minutes and seconds', '01:02:03', 3723],
    ['nothing at all', '00:00:00', 0],
    ['59 minutes and seconds beside hours', '01:59:59', 7199],
    ['one digit for the hours', '1:02:03', 3723],
    ['more than a day', '100:00:00', 360_000],
    ['minutes and seconds', '02:03', 123],
    ['minutes beyond an hour', '75:00', 4500],
    ['seconds as a number', '250', 250],
    ['a fraction of seconds', '250.5', 250.5],
    ['milliseconds', '250.125', 250.125],
    ['the most seconds that are taken', '999999999', 999_999_999],
  ])('reads %s', (_title, text, expected) => {
    expect(secondsFrom(text)).toBe(expected);
  });

  it.each([
    ['60 seconds', '00:00:60'],
    ['60 minutes beside hours', '01:60:00'],
    ['60 seconds beside minutes', '01:60'],
    ['a sign', '-5'],
    ['words', '5 min'],
    ['nothing', ''],
    ['an exponent', '1e3'],
    ['one digit for the seconds', '00:00:5'],
    ['four parts', '00:00:00:00'],
    ['ten digits', '1000000000'],
    ['five digits of hours', '10000:00:00'],
    ['a fraction behind a clock time', '00:00:01.5'],
  ])('finds no duration in %s', (_title, text) => {
    expect(secondsFrom(text)).toBeUndefined();
  });
});
