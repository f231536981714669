import { describe, expect, it } from 'vitest';
import { understood, vocabulary } from '../../../lib/text/vocabulary.ts';

const words = vocabulary(['phone-number', 'predictive'], { Predective: 'predictive' });

describe('understood', () => {
  it.each([
    ['our own spelling', 'phone-number'],
    ['capitals and a space', 'Phone Number'],
    ['camel case', 'PhoneNumber'],
    ['an underscore', 'PHONE_NUMBER'],
    ['several spaces', 'phone  number'],
  ])('knows a word in %s', (_title, text) => {
    expect(understood(words, text)).toEqual({ word: 'phone-number' });
  });

  it('knows a word in the sender’s misspelling, in any letter case', () => {
    expect(understood(words, 'PREDECTIVE')).toEqual({ word: 'predictive' });
  });

  it.each(['Fax', 'phone number 2', 'toString', '__proto__', 'unknown', ''])(
    'keeps the new word "%s" as sent',
    (text) => {
      expect(understood(words, text)).toEqual({ word: 'unknown', asSent: text });
    },
  );
});
