import { describe, expect, it } from 'vitest';
import { machineSpellings } from '../../../lib/telephony/caller-key.ts';
import { e164 } from '../../../lib/telephony/e164.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';

describe('2,000 numbers of 20 countries', () => {
  it.each(numberCountries)('are read from each spelling of a machine in %s', (country) => {
    for (const { number, spellings } of numbersOf(country))
      expect(spellings.map((spelling) => e164(spelling, country))).toEqual(spellings.map(() => number));
  });

  it.each(numberCountries)('are looked for by each spelling of a machine in %s', (country) => {
    for (const { number, spellings } of numbersOf(country))
      expect(machineSpellings(number, country)).toEqual(expect.arrayContaining(spellings));
  });

  it.each(numberCountries)('share no spelling of a machine in %s', (country) => {
    const all = numbersOf(country).flatMap(({ spellings }) => spellings);
    expect(all).toHaveLength(new Set(all).size);
  });
});

describe('a number of another country, whose other spellings mean somebody else', () => {
  it.each([
    ['+447400123456', 'US', ['+447400123456', '447400123456', '00447400123456']],
    ['+6591234567', 'IN', ['+6591234567', '006591234567']],
  ])('is looked for only with its code: %s in %s', (number, country, spellings) => {
    expect(machineSpellings(number, country)).toEqual(spellings);
  });
});
