import { getAllTimezones, getTimezone } from 'countries-and-timezones';
import { describe, expect, it, test, vi } from 'vitest';
import { isTimeZone } from '../../../lib/core/time.ts';
import { e164, machineSpellings, numberKey } from '../../../lib/telephony/e164.ts';
import { countryOfZone } from '../../../lib/telephony/zone-countries.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';

describe('a number in E.164', () => {
  test.each([
    ['09000000042', 'IN', '+919000000042'],
    ['919000000042', 'IN', '+919000000042'],
    ['0091 90000-00042', 'IN', '+919000000042'],
    ['+44 7700 900674', 'IN', '+447700900674'],
    ['+44 (0)7700 900674', 'IN', '+447700900674'],
    ['(07700) 900-674', 'GB', '+447700900674'],
    ['0044 7700 900674', 'US', '+447700900674'],
    ['0011 91 98765-00042', 'AU', '+919876500042'],
    ['0 0 44 7700 900674', 'IN', '+447700900674'],
    ['0061 491 570 006', 'AU', '+61491570006'],
    ['001 91 98765 00042', 'SG', '+919876500042'],
    ['011 44 7700 900674', 'US', '+447700900674'],
    ['0011 44 7700 900674', 'AU', '+447700900674'],
    ['0011 61 491 570 006', 'AU', '+61491570006'],
    ['(+91) 98765-00042', 'IN', '+919876500042'],
    ['9876500042.0', 'IN', '+919876500042'],
    ['0011819012345000', 'JP', undefined],
    ['0012345678', 'US', undefined],
    ['447700900674', 'IN', '+447700900674'],
    ['14155552671', 'IN', '+14155552671'],
    ['18002345678', 'IN', '+9118002345678'],
    ['15123456161', 'DE', '+4915123456161'],
    ['35312345678', 'US', '+35312345678'],
    ['35300345678', 'US', undefined],
    ['971501234567', 'IN', '+971501234567'],
    ['5991234567890', 'IN', '+915991234567890'],
    ['014155552671', 'IN', '+9114155552671'],
    ['०९०००००००४२', 'IN', '+919000000042'],
    ['\u200e+44 7700 900674\u200f', 'GB', '+447700900674'],
    ['4915123456161', 'DE', '+4915123456161'],
    ['03123456715', 'IT', '+3903123456715'],
    ['07700900674', undefined, undefined],
    ['+447700900674', undefined, '+447700900674'],
    ['07700900674', 'ZZ', undefined],
    ['0000000000', 'IN', undefined],
    ['1800-FLOWERS', 'US', undefined],
    ['09000000042,09000000043', 'IN', undefined],
    ['09000000042 -> 09000000043', 'IN', undefined],
    ['09000000042 / 43', 'IN', undefined],
    ['09000000042 ext. 5', 'IN', undefined],
    ['9000000042;ext=5', 'IN', undefined],
    ['112', 'IN', undefined],
    ['12345', 'DE', undefined],
    ['312345', 'AD', '+376312345'],
    ['+9876500042', 'IN', undefined],
    ['73114920511', 'SG', '+73114920511'],
    ['6271999701', 'US', '+16271999701'],
    [`0900${' '.repeat(100)}0000042`, 'IN', undefined],
    ['Anonymous', 'IN', undefined],
    ['erased', 'IN', undefined],
    ['sip:asha@example.com', 'IN', undefined],
    ['+', 'IN', undefined],
    ['', 'IN', undefined],
  ])('%j in %s is %s', (sent, country, expected) => {
    expect(e164(sent, country)).toBe(expected);
  });
});

describe('the key of a caller', () => {
  test.each([
    ['098765-00042', 'IN', '+919876500042'],
    ['112', 'IN', '112'],
    ['00123', 'IN', '123'],
    ['123456789012345', 'ZZ', '123456789012345'],
    ['1234567890123456', 'ZZ', undefined],
    ['09000000042 09000000043', 'IN', undefined],
    ['0000000000', 'IN', undefined],
    ['Anonymous', 'IN', undefined],
  ])('of %j in %s is %s', (sent, country, expected) => {
    expect(numberKey(sent, country)).toBe(expected);
  });
});

describe('2,000 numbers of 20 countries', () => {
  it.each(numberCountries)('are found by each spelling of a machine in %s, and by no other number’s', (country) => {
    const owners = new Map<string, string>();
    for (const { number, spellings } of numbersOf(country)) {
      expect(spellings.map((spelling) => e164(spelling, country))).toEqual(spellings.map(() => number));
      expect(machineSpellings(number, country)).toEqual(spellings);
      for (const spelling of spellings) {
        expect(owners.get(spelling)).toBeUndefined();
        owners.set(spelling, number);
      }
    }
  });

  it('asks only with its code for a number of another country, whose other spellings mean somebody else', () => {
    expect(machineSpellings('+447700900674', 'US')).toEqual(['+447700900674', '447700900674', '00447700900674']);
    expect(machineSpellings('+6591234567', 'IN')).toEqual(['+6591234567', '006591234567']);
  });
});

describe('the country of a time zone', () => {
  // An account can have these only, and no alias without a slash, such as GB. `Intl` takes Johnston, an island without people,
  // for Honolulu.
  const zones = Object.keys(getAllTimezones({ deprecated: true })).filter(
    (zone) => isTimeZone(zone) && !/^Antarctica|Johnston$/.test(zone),
  );

  it('is the one of zone.tab, under each name of the zone', () => {
    expect(zones.length).toBeGreaterThan(500);
    for (const zone of zones) expect([zone, countryOfZone(zone)]).toEqual([zone, getTimezone(zone)?.countries[0]]);
  });

  it.each(['UTC', 'Etc/GMT+5', 'Mars/Phobos', ''])('is unknown for %j, with one format of `Intl`', (zone) => {
    using formats = vi.spyOn(Intl, 'DateTimeFormat');
    for (let calls = 0; calls < 100; calls++) expect(countryOfZone(zone)).toBeUndefined();
    expect(formats.mock.results.filter(({ type }) => type === 'return').length).toBeLessThan(zone === 'UTC' ? 1 : 2);
  });
});
