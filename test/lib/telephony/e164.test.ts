import { getAllTimezones, getTimezone } from 'countries-and-timezones';
import { describe, expect, it, test, vi } from 'vitest';
import { isTimeZone } from '../../../lib/core/time.ts';
import { callerKey, machineSpellings } from '../../../lib/telephony/caller-key.ts';
import { e164 } from '../../../lib/telephony/e164.ts';
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
    ['447400123456', 'IN', '+447400123456'],
    ['447700900674', 'IN', undefined],
    ['14155552671', 'IN', '+14155552671'],
    ['18002345678', 'IN', '+9118002345678'],
    ['15123456161', 'DE', '+4915123456161'],
    ['35312345678', 'US', '+35312345678'],
    ['35300345678', 'US', undefined],
    ['971501234567', 'IN', '+971501234567'],
    ['5991234567890', 'IN', undefined],
    ['014155552671', 'IN', '+14155552671'],
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
    ['112', 'IN', undefined],
    ['12345', 'DE', undefined],
    ['312345', 'AD', '+376312345'],
    ['+9876500042', 'IN', undefined],
    ['73114920511', 'SG', undefined],
    ['6271999701', 'US', '+6271999701'],
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

describe('a number that a telephone, gateway or program decorated', () => {
  test.each([
    'tel:+919840070001',
    'TEL:+91-98400-70001;ext=12',
    'tel:98400-70001;phone-context=+91',
    'sip:+919840070001@gw.example',
    'sip:%2B919840070001@gw.example',
    'sips:09840070001:secret@gw.example:5061;user=phone',
    '"Asha Rao" <sip:+919840070001@10.0.0.1>;tag=4',
    '9840070001 <tel:9840070001>',
    '+919840070001;ext=12',
    '9840070001 x12',
    '9840070001x12',
    '9840070001 ext 12',
    '9840070001, Extn. 12',
    '9840070001 #12',
    '9840070001,,12',
    '"9840070001"',
    '“9840070001”',
    "'9840070001",
    '="9840070001"',
    '98400/70001',
    '->09840070001',
    '09840070001 ->',
    '09840070001 -> 09840070001',
    '9840070001 (Mobile)',
    '9840070001(Mobile)',
    'Tel.: +91 98400-70001',
    '9840070001.0',
    '9840070001.00',
    '9.840070001E9',
    '919840070001,0',
    '+09840070001',
    '+0919840070001',
    '++919840070001',
    '0919840070001',
    '9109840070001',
    '+91(0)9840070001',
  ])('%s is read', (sent) => {
    expect(e164(sent, 'IN')).toBe('+919840070001');
    expect(callerKey(sent, 'IN')).toBe('+919840070001');
  });

  test.each([
    ['089/12345678', 'DE', '+498912345678'],
    ['9.84E9', 'IN', '+919840000000'],
  ])('%s in %s is %s', (sent, country, expected) => {
    expect(e164(sent, country)).toBe(expected);
  });

  test.each([
    ['two numbers', '9840070007/9840070008'],
    ['two numbers in a chain', '09840070007 -> 09840070008'],
    ['two numbers behind a comma', '9840070007,9840070008'],
    ['two numbers behind a semicolon', '9840070007;9840070008'],
    ['two numbers with words', '+91 98400 70007 or +91 98400 70008'],
    ['two endings', '9840070007 / 8'],
    ['another number as the name', '"9840070007" <sip:9840070008@gw.example>'],
    ['a number as the name of nobody', '"9840070007" <sip:anonymous@gw.example>'],
    ['a number that was rounded', '9.840070E+09'],
    ['an id', 'CUST-9840070007'],
    ['an id with a letter at its end', '9840070007a'],
    ['a mail address', '9840070007@gw.example'],
    ['the code of a service before it', '*31#9840070007'],
  ])('%s is no number but a caller under its text', (_what, sent) => {
    expect(e164(sent, 'IN')).toBeUndefined();
    expect(callerKey(sent, 'IN')).toBe(sent.toLowerCase());
    expect(callerKey(` ${sent} `, 'IN')).toBe(sent.toLowerCase());
  });

  test.each([
    '+266696687',
    '266696687',
    '+910000000000',
    '910000000000',
    '0910000000000',
    '00910000000000',
    '+440000000000',
    '0000000000',
    '9999999999',
    'sip:anonymous@192.168.10.100',
    'sip:192.168.10.100',
    '9.84E+09',
    'Anonymous -> ',
  ])('%s is withheld', (sent) => {
    expect(e164(sent, 'IN')).toBeUndefined();
    expect(callerKey(sent, 'IN')).toBeUndefined();
  });

  test.each([
    ['01111111111', 'IN'],
    ['0888888', 'FR'],
    ['82222222222', 'RU'],
  ])('%s in %s is withheld: one digit behind the trunk prefix', (sent, country) => {
    expect(e164(sent, country)).toBeUndefined();
    expect(callerKey(sent, country)).toBeUndefined();
  });
});

describe('a number whose country is not sure', () => {
  test.each([
    ['12015550123', 'SG', '+12015550123'],
    ['971501234567', 'PK', '+971501234567'],
    ['31612345413', 'DE', '+31612345413'],
    ['33612345678', 'BR', '+33612345678'],
    ['5215512340009', 'IN', undefined],
    ['+919999999999', 'US', '+919999999999'],
    ['09999999999', 'IN', '+919999999999'],
    ['+9840012345', 'IN', undefined],
    ['009840012345', 'IN', undefined],
    ['+112', 'IN', undefined],
    ['+2618574165', 'MG', undefined],
    ['00112', 'IN', undefined],
    ['0447400123456', 'IN', '+447400123456'],
    ['01234567890', 'IN', '+911234567890'],
    ['031612345413', 'DE', '+4931612345413'],
    ['810442071234567', 'RU', '+442071234567'],
    ['89161234567', 'RU', '+79161234567'],
    ['821012345678', 'RU', '+821012345678'],
    ['06201234567', 'HU', '+36201234567'],
    ['01511987654321', 'BR', '+5511987654321'],
    ['1831491570006', 'AU', '+61491570006'],
    ['1800207400123456', 'GB', undefined],
    ['4646543', 'AG', '+12684646543'],
  ])('%s in %s is %s: by what it says, or by the tables', (sent, country, expected) => {
    expect(e164(sent, country)).toBe(expected);
  });
});

describe('the two numbers of one person', () => {
  const mexico = [
    '+525512340002',
    '5512340002',
    '5215512340002',
    '+5215512340002',
    '0445512340002',
    '0455512340002',
    '015512340002',
  ];
  const brazil = [
    '+5511987654321',
    '11987654321',
    '011987654321',
    '1187654321',
    '01187654321',
    '+551187654321',
    '551187654321',
  ];
  const argentina = [
    '+541123456789',
    '1123456789',
    '01123456789',
    '+5491123456789',
    '5491123456789',
    '011 15 2345-6789',
    '+54 11 15 2345 6789',
  ];
  test.each([
    ['MX', '+525512340002', mexico],
    ['BR', '+5511987654321', brazil],
    ['AR', '+541123456789', argentina],
  ])('in %s are one caller', (country, key, spellings) => {
    for (const spelling of spellings) expect([spelling, callerKey(spelling, country)]).toEqual([spelling, key]);
    const asked = machineSpellings(key, country);
    for (const spelling of spellings)
      expect([spelling, machineSpellings(spelling, country)]).toEqual([spelling, expect.arrayContaining([key])]);
    expect(asked).toEqual(expect.arrayContaining(spellings.filter((spelling) => !spelling.includes('15 '))));
    for (const spelling of asked) expect([spelling, callerKey(spelling, country)]).toEqual([spelling, key]);
  });

  test.each([
    ['+5215512340002', 'MX', undefined],
    ['0445512340002', 'MX', undefined],
    ['1187654321', 'BR', undefined],
    ['+551187654321', 'IN', '+551187654321'],
    ['+5491123456789', 'IN', '+5491123456789'],
  ])('%s in %s has the E.164 of the tables, %s', (sent, country, expected) => {
    expect(e164(sent, country)).toBe(expected);
  });
});

describe('the key of a caller', () => {
  test.each([
    ['098765-00042', 'IN', '+919876500042'],
    ['112', 'IN', '112'],
    ['00123', 'IN', '123'],
    ['+12221230000', 'MX', '+12221230000'],
    ['123456789012345', 'ZZ', '123456789012345'],
    ['1234567890123456', 'ZZ', '1234567890123456'],
    ['09000000042 09000000043', 'IN', '0900000004209000000043'],
    ['0000000000', 'IN', undefined],
    ['Anonymous', 'IN', undefined],
  ])('of %j in %s is %s', (sent, country, expected) => {
    expect(callerKey(sent, country)).toBe(expected);
  });
});

describe('2,000 numbers of 20 countries', () => {
  it.each(numberCountries)('are found by each spelling of a machine in %s, and by no other number’s', (country) => {
    const owners = new Map<string, string>();
    for (const { number, spellings } of numbersOf(country)) {
      expect(spellings.map((spelling) => e164(spelling, country))).toEqual(spellings.map(() => number));
      expect(machineSpellings(number, country)).toEqual(expect.arrayContaining(spellings));
      for (const spelling of spellings) {
        expect(owners.get(spelling)).toBeUndefined();
        owners.set(spelling, number);
      }
    }
  });

  it('asks only with its code for a number of another country, whose other spellings mean somebody else', () => {
    expect(machineSpellings('+447400123456', 'US')).toEqual(['+447400123456', '447400123456', '00447400123456']);
    expect(machineSpellings('+6591234567', 'IN')).toEqual(['+6591234567', '006591234567']);
  });
});

describe('the country of a time zone', () => {
  // `Intl` takes Johnston, an island without people, for Honolulu.
  const zones = Object.keys(getAllTimezones({ deprecated: true })).filter(
    (zone) => isTimeZone(zone) && !/^Antarctica|Johnston$/.test(zone),
  );

  it('is the one of zone.tab, under each name of the zone', () => {
    expect(zones.length).toBeGreaterThan(500);
    for (const zone of zones) expect([zone, countryOfZone(zone)]).toEqual([zone, getTimezone(zone)?.countries[0]]);
  });

  it.each([
    ['Singapore', 'SG'],
    ['Japan', 'JP'],
    ['GB', 'GB'],
    ['NZ', 'NZ'],
    ['Eire', 'IE'],
    ['Navajo', 'US'],
    ['PRC', 'CN'],
  ])('of the alias %s is %s', (zone, country) => {
    expect(countryOfZone(zone)).toBe(country);
  });

  it.each(['UTC', 'Etc/GMT+5', 'Mars/Phobos', ''])('is unknown for %j, with one format of `Intl`', (zone) => {
    using formats = vi.spyOn(Intl, 'DateTimeFormat');
    for (let calls = 0; calls < 100; calls++) expect(countryOfZone(zone)).toBeUndefined();
    expect(formats.mock.results.filter(({ type }) => type === 'return').length).toBeLessThan(zone === 'UTC' ? 1 : 2);
  });
});
