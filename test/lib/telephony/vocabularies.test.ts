import { describe, expect, it } from 'vitest';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import { agentStates, lookUpWord, unknownWords, vocabulary } from '../../../lib/telephony/vocabularies.ts';
import { callFacts } from '../../support/posted-records.ts';

const words = vocabulary({ 'phone-number': [], predictive: ['Predective'], 'queue-time-exceeded': ['QTimeExceeded'] });

describe('lookUpWord', () => {
  const added = { 'Fax Call': 'phone-number', Predective: 'phone-number', Telex: 'telegraph', _: 'phone-number' };
  const [phone, predictive, unknown] = ['phone-number', 'predictive', 'unknown'].map((word) => ({ word }));
  const withParameters = [' {60}', '{}', '{1}{2}', '{\n}'].map((parameter) => `QTimeExceeded${parameter}`);
  const unknowns = [
    ...['phone number 2', 'toString', '__proto__', 'unknown', ''],
    ...['Fax{60}', '{60}', 'QTimeExceeded{60', 'QTimeExceeded60}', 'QTimeExceeded{60}s', '{QTimeExceeded}'],
  ];

  it.each<[string, string, object | undefined, typeof added?]>([
    ['a word in camel case', 'PhoneNumber', phone],
    ['a word with an underscore', 'PHONE_NUMBER', phone],
    ['a word with several spaces', 'phone  number', phone],
    ['a word in the sender’s misspelling, in any letter case', 'PREDECTIVE', predictive],
    ...withParameters.map((asSent): [string, string, object] => [
      ...(['a word with a parameter, as sent', asSent, { word: 'queue-time-exceeded', asSent }] as const),
    ]),
    ['an added word in any spelling, without its own', 'FAX call', phone, added],
    ['an added word with a parameter', 'fax_call{2}', { ...phone, asSent: 'fax_call{2}' }, added],
    ['no added word against the vocabulary', 'Predective', predictive, added],
    ['no added word for what the vocabulary lacks', 'Telex', { ...unknown, asSent: 'Telex' }, added],
    ['no added word for what every object has', 'toString', { ...unknown, asSent: 'toString' }, added],
    ['no added word of hyphens alone', '-', { ...unknown, asSent: '-' }, added],
    ...unknowns.map((asSent): [string, string, object] => ['no word', asSent, { ...unknown, asSent }]),
  ])('finds %s: “%s”', (_title, text, match, more) => {
    expect(lookUpWord(words, text, more)).toEqual(match);
  });
});

it('every word of each vocabulary is found in its own spellings', () => {
  for (const { vocabulary: each } of [...Object.values(callFields), { vocabulary: agentStates }])
    for (const [word, spellings] of Object.entries(each?.spellings ?? {}))
      for (const text of [word, ...spellings]) expect(each && lookUpWord(each, text)).toEqual({ word });
});

it('an unknown word in a chain, or one with a parameter, stores all words of the chain as sent', () => {
  expect(callFacts({ CustomerStatus: 'answered -> CallBarred', DialStatus: 'QTimeExceeded{60} -> answered' })).toEqual({
    timeZone: 'Asia/Kolkata',
    customerStatuses: ['answered', 'unknown'],
    customerStatusesAsSent: ['answered', 'CallBarred'],
    dialStatuses: ['queue-time-exceeded', 'answered'],
    dialStatusesAsSent: ['QTimeExceeded{60}', 'answered'],
  });
});

it('names no unknown word that was not kept as sent, as in rows of before', () => {
  expect(unknownWords({ status: 'unknown', type: ['unknown', 'manual'], typeAsSent: ['x', 'manual'] })).toEqual([
    { field: 'type', word: 'x' },
  ]);
});
