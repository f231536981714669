import { describe, expect, test } from 'vitest';
import { e164 } from '../../../lib/telephony/e164.ts';
import { decoratedNumbers, numberlessCallers, withheldNumbers } from './number-texts.ts';

/** Why a text is read so, the text, the country of the account, and the number. */
type NumberRow = readonly [reason: string, sent: string, country: string | undefined, expected: string | undefined];

const title = '%s: %j in %s is %s';

const readsAll = (rows: readonly NumberRow[]): void => {
  test.each(rows)(title, (_reason, sent, country, expected) => {
    expect(e164(sent, country)).toBe(expected);
  });
};

describe('a number of its own country', () => {
  readsAll([
    ['with the trunk prefix', '09000000042', 'IN', '+919000000042'],
    ['with the code alone', '919000000042', 'IN', '+919000000042'],
    ['with brackets and dashes', '(07700) 900-674', 'GB', '+447700900674'],
    ['though the United States have such a number too', '15123456161', 'DE', '+4915123456161'],
    ['a toll-free number, though the United States have it too', '18002345678', 'IN', '+9118002345678'],
    ['with the code alone', '4915123456161', 'DE', '+4915123456161'],
    ['where the 0 is a part of the number', '03123456715', 'IT', '+3903123456715'],
    ['six digits, where numbers are that short', '312345', 'AD', '+376312345'],
    ['the code in brackets', '(+91) 98765-00042', 'IN', '+919876500042'],
  ]);
});

describe('a number behind an exit code', () => {
  readsAll([
    ['00', '0091 90000-00042', 'IN', '+919000000042'],
    ['00, though 011 is dialled there', '0044 7700 900674', 'US', '+447700900674'],
    ['0011 of Australia', '0011 91 98765-00042', 'AU', '+919876500042'],
    ['00 with a blank in it', '0 0 44 7700 900674', 'IN', '+447700900674'],
    ['00 and the own code', '0061 491 570 006', 'AU', '+61491570006'],
    ['001 of Singapore', '001 91 98765 00042', 'SG', '+919876500042'],
    ['011 of North America', '011 44 7700 900674', 'US', '+447700900674'],
    ['0011 and another country', '0011 44 7700 900674', 'AU', '+447700900674'],
    ['0011 and the own country', '0011 61 491 570 006', 'AU', '+61491570006'],
    ['an exit code that Japan does not have', '0011819012345000', 'JP', undefined],
    ['00 and too few digits', '0012345678', 'US', undefined],
  ]);
});

describe('a number of another country', () => {
  readsAll([
    ['with +', '+44 7700 900674', 'IN', '+447700900674'],
    ['a trunk prefix in brackets', '+44 (0)7700 900674', 'IN', '+447700900674'],
    ['valid there, without +', '447400123456', 'IN', '+447400123456'],
    ['not valid there, without +', '447700900674', 'IN', undefined],
    ['valid in the United States, without +', '14155552671', 'IN', '+14155552671'],
    ['valid in Ireland, without +', '35312345678', 'US', '+35312345678'],
    ['not valid in Ireland, without +', '35300345678', 'US', undefined],
    ['valid in the Emirates, without +', '971501234567', 'IN', '+971501234567'],
    ['more digits than the country has', '5991234567890', 'IN', undefined],
    ['a 0 that a machine put before it', '014155552671', 'IN', '+14155552671'],
    ['not valid at home, valid in Indonesia', '6271999701', 'US', '+6271999701'],
    ['a + makes it Iran’s, which has none such', '+9876500042', 'IN', undefined],
    ['Russia has none such', '73114920511', 'SG', undefined],
  ]);
});

describe('a number as people and programs write it', () => {
  readsAll([
    ['as a number of a spreadsheet', '9876500042.0', 'IN', '+919876500042'],
    ['in Devanagari digits', '०९०००००००४२', 'IN', '+919000000042'],
    ['between marks of writing direction', '\u200e+44 7700 900674\u200f', 'GB', '+447700900674'],
    ['with a mark of writing direction in it', '+44 7700\u200e 900674', 'IN', '+447700900674'],
    ['with a blank behind +', '+ 44 7700 900674', 'IN', '+447700900674'],
    [
      'in a tel address, with the code of another country behind it',
      'tel:7700-900674;phone-context=+44',
      'IN',
      '+447700900674',
    ],
    ['in an address with a parameter of its own', 'tel:09840070001;x-phone-context=+44', 'IN', '+919840070001'],
    ['in a SIP address without a host', 'sip:+919840070001', 'IN', '+919840070001'],
    ['in an address whose end was cut off', '"Asha" <+919840070001', 'IN', '+919840070001'],
    ['with a slash behind the area', '089/12345678', 'DE', '+498912345678'],
    ['with an exponent that keeps all digits', '9.84E9', 'IN', '+919840000000'],
  ]);
});

describe('a number without a usable country', () => {
  readsAll([
    ['no country', '07700900674', undefined, undefined],
    ['no country, and none is needed', '+447700900674', undefined, '+447700900674'],
    ['a country that does not exist', '07700900674', 'ZZ', undefined],
  ]);
});

describe('a text that is no number', () => {
  readsAll([
    ['one digit repeated', '0000000000', 'IN', undefined],
    ['letters', '1800-FLOWERS', 'US', undefined],
    ['two numbers with a comma', '09000000042,09000000043', 'IN', undefined],
    ['two numbers with an arrow', '09000000042 -> 09000000043', 'IN', undefined],
    ['two numbers, the first in an address behind a word', 'a tel:09000000042;09000000043', 'IN', undefined],
    ['a number and a word in which an extension seems to be', '09000000042;context 12', 'IN', undefined],
    ['two endings', '09000000042 / 43', 'IN', undefined],
    ['an area, a number and an ending', '089/12345678/9', 'DE', undefined],
    ['the number for emergencies', '112', 'IN', undefined],
    ['a short number', '12345', 'DE', undefined],
    ['too long a text', `0900${' '.repeat(100)}0000042`, 'IN', undefined],
    ['the word for a withheld number', 'Anonymous', 'IN', undefined],
    ['the word of an erasure', 'erased', 'IN', undefined],
    ['a SIP address without a number', 'sip:asha@example.com', 'IN', undefined],
    ['a + alone', '+', 'IN', undefined],
    ['nothing', '', 'IN', undefined],
  ]);
});

describe('a number that a telephone, gateway or program decorated', () => {
  test.each(decoratedNumbers)('with %s is read: %s', (_decoration, sent) => {
    expect(e164(sent, 'IN')).toBe('+919840070001');
  });

  test.each(numberlessCallers)('has no E.164 as %s: %s', (_what, sent) => {
    expect(e164(sent, 'IN')).toBeUndefined();
  });

  test.each(withheldNumbers)('has no E.164 as %s: %s in %s', (_what, sent, country) => {
    expect(e164(sent, country)).toBeUndefined();
  });
});

describe('a number of which the text names the country', () => {
  readsAll([
    ['+, though it would be withheld without', '+919999999999', 'US', '+919999999999'],
    ['a trunk prefix, though it would be withheld without', '09999999999', 'IN', '+919999999999'],
    ['+ before a code that has no such number', '+9840012345', 'IN', undefined],
    ['00 before a code that has no such number', '009840012345', 'IN', undefined],
    ['+ before a short number', '+112', 'IN', undefined],
    ['+ before the code, and too few digits', '+2618574165', 'MG', undefined],
    ['00 before a short number', '00112', 'IN', undefined],
    ['a trunk prefix, of a number that the tables do not know', '01234567890', 'IN', '+911234567890'],
    ['a trunk prefix, though it is valid in the Netherlands too', '031612345413', 'DE', '+4931612345413'],
    ['the exit code of Russia', '810442071234567', 'RU', '+442071234567'],
    ['the trunk prefix of Russia', '89161234567', 'RU', '+79161234567'],
    ['the trunk prefix of Hungary, of two digits', '06201234567', 'HU', '+36201234567'],
    ['the code of a carrier behind the trunk prefix', '01511987654321', 'BR', '+5511987654321'],
    ['a prefix that withholds the number from those who are called', '1831491570006', 'AU', '+61491570006'],
    ['the prefix of a text relay, which the library would drop', '1800207400123456', 'GB', undefined],
  ]);
});

describe('a number of which the tables know the country', () => {
  readsAll([
    ['one of the United States', '12015550123', 'SG', '+12015550123'],
    ['one of the Emirates', '971501234567', 'PK', '+971501234567'],
    ['one of the Netherlands', '31612345413', 'DE', '+31612345413'],
    ['one of France', '33612345678', 'BR', '+33612345678'],
    ['none of Mexico any more', '5215512340009', 'IN', undefined],
    ['one of the United Kingdom, with too many digits behind a 0 for India', '0447400123456', 'IN', '+447400123456'],
    ['one of Korea, though 8 is the trunk prefix of Russia', '821012345678', 'RU', '+821012345678'],
    ['one of the only area of its own country', '4646543', 'AG', '+12684646543'],
  ]);
});

describe('the former number of a person', () => {
  readsAll([
    ['with the 1 that Mexico dropped', '+5215512340002', 'MX', undefined],
    ['with the 044 that Mexico dropped', '0445512340002', 'MX', undefined],
    ['without the 9 that Brazil added', '1187654321', 'BR', undefined],
    ['without that 9, with +', '+551187654321', 'IN', '+551187654321'],
    ['with the 9 of a mobile in Argentina', '+5491123456789', 'IN', '+5491123456789'],
  ]);
});
