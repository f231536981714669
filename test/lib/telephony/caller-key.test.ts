import { describe, expect, test } from 'vitest';
import { callerKey, machineSpellings } from '../../../lib/telephony/caller-key.ts';
import { decoratedNumbers, numberlessCallers, withheldNumbers } from './number-texts.ts';

describe('the key of a caller', () => {
  test.each(decoratedNumbers)('is the number, sent with %s: %s', (_decoration, sent) => {
    expect(callerKey(sent, 'IN')).toBe('+919840070001');
  });

  test.each(numberlessCallers)('is the text of %s: %s', (_what, sent) => {
    expect(callerKey(sent, 'IN')).toBe(sent.toLowerCase());
  });

  test.each(numberlessCallers)('is the same with blanks around %s: %s', (_what, sent) => {
    expect(callerKey(` ${sent} `, 'IN')).toBe(callerKey(sent, 'IN'));
  });

  test.each(withheldNumbers)('is none of %s: %s in %s', (_what, sent, country) => {
    expect(callerKey(sent, country)).toBeUndefined();
  });

  test.each([
    ['a number with the trunk prefix', '098765-00042', 'IN', '+919876500042'],
    ['a short number', '112', 'IN', '112'],
    ['00 and a short number', '00123', 'IN', '123'],
    ['a number that the tables do not know', '+12221230000', 'MX', '+12221230000'],
    ['fifteen digits without a country', '123456789012345', 'ZZ', '123456789012345'],
    ['more digits than a number has', '1234567890123456', 'ZZ', '1234567890123456'],
    ['two numbers with a blank', '09000000042 09000000043', 'IN', '0900000004209000000043'],
    ['zeros', '0000000000', 'IN', undefined],
    ['the word for a withheld number', 'Anonymous', 'IN', undefined],
  ])('of %s, %j in %s, is %s', (_what, sent, country, expected) => {
    expect(callerKey(sent, country)).toBe(expected);
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
  const countries = [
    { country: 'MX', key: '+525512340002', spellings: mexico },
    { country: 'BR', key: '+5511987654321', spellings: brazil },
    { country: 'AR', key: '+541123456789', spellings: argentina },
  ];

  test.each(countries)('every spelling in $country has one key', ({ country, key, spellings }) => {
    for (const spelling of spellings) expect([spelling, callerKey(spelling, country)]).toEqual([spelling, key]);
  });

  test.each(countries)('each spelling in $country is looked for by the key', ({ country, key, spellings }) => {
    // Machines do not write the 15 that people dial in Argentina.
    const ofMachines = spellings.filter((spelling) => !spelling.includes('15 '));
    expect(machineSpellings(key, country)).toEqual(expect.arrayContaining(ofMachines));
  });

  test.each(countries)('the key is looked for by each spelling in $country', ({ country, key, spellings }) => {
    for (const spelling of spellings)
      expect([spelling, machineSpellings(spelling, country)]).toEqual([spelling, expect.arrayContaining([key])]);
  });

  test.each(countries)('what is looked for in $country has that key', ({ country, key }) => {
    for (const spelling of machineSpellings(key, country))
      expect([spelling, callerKey(spelling, country)]).toEqual([spelling, key]);
  });
});
