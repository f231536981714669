import { describe, expect, it } from 'vitest';
import { lookUpWord, vocabulary } from '../../../lib/telephony/vocabulary.ts';
import { callFacts } from '../../support/call-records.ts';

const words = vocabulary(['phone-number', 'predictive'], { Predective: 'predictive' });

describe('lookUpWord', () => {
  it.each([
    ['our own spelling', 'phone-number'],
    ['capitals and a space', 'Phone Number'],
    ['camel case', 'PhoneNumber'],
    ['an underscore', 'PHONE_NUMBER'],
    ['several spaces', 'phone  number'],
  ])('finds a word in %s', (_title, text) => {
    expect(lookUpWord(words, text)).toEqual({ word: 'phone-number' });
  });

  it('finds a word in the sender’s misspelling, in any letter case', () => {
    expect(lookUpWord(words, 'PREDECTIVE')).toEqual({ word: 'predictive' });
  });

  it.each(['Fax', 'phone number 2', 'toString', '__proto__', 'unknown', ''])(
    'returns unknown and the original for "%s"',
    (text) => {
      expect(lookUpWord(words, text)).toEqual({ word: 'unknown', asSent: text });
    },
  );
});

type Row = readonly [field: string, sent: string, fact: string, word: string];

const each = (field: string, fact: string, words: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(words).map(([sent, word]): Row => [field, sent, fact, word]);

const same = (...words: readonly string[]) =>
  Object.fromEntries(words.map((word) => [word, word.toLowerCase().replaceAll('_', '-')]));

/** Every word in the specification and in the samples; InBound and Predective occur in production only. */
const single: readonly Row[] = [
  ...each('Status', 'status', { Answered: 'answered', NotAnswered: 'not-answered' }),
  ...each('Type', 'type', {
    ...same('Progressive', 'Inbound', 'Manual', 'Preview', 'Mail', 'IVR', 'Chat', 'Predictive'),
    InBound: 'inbound',
    Predective: 'predictive',
  }),
  ...each('CampaignStatus', 'campaignStatus', same('ONLINE', 'OFFLINE')),
  ...each('HangupBy', 'hangupBy', {
    UserHangup: 'user',
    'Agent Hangup': 'agent',
    AgentHangup: 'agent',
    SystemHangup: 'system',
  }),
];

const listed: readonly Row[] = [
  ...each('AgentStatus', 'agentStatuses', {
    ...same('answered', 'not_answered', 'user_disconnected'),
    NotDialed: 'not-dialled',
  }),
  ...each('CustomerStatus', 'customerStatuses', {
    ...same('Congestion', 'answered', 'not_answered', 'ring', 'exception', 'Busy'),
    InvalidNumber: 'invalid-number',
    NoRouteDestination: 'no-route-destination',
    Dialing: 'dialling',
    NoResponse: 'no-response',
    ISDDisabled: 'isd-disabled',
    SubcriberAbsent: 'subscriber-absent',
    SubscriberAbsent: 'subscriber-absent',
    InvalidNumberFormat: 'invalid-number-format',
    NormalUnspecified: 'normal-unspecified',
  }),
  ...each('DialStatus', 'dialStatuses', {
    ...same('not_answered', 'answered', 'ring', 'invalid_number', 'exception', 'SUCCESS'),
    NormalUnspecified: 'normal-unspecified',
  }),
  ...each('TransferType', 'transferTypes', {
    ...same('Agent', 'Skill'),
    'Phone Number': 'phone-number',
    PhoneNumber: 'phone-number',
    'No Transfers': 'no-transfer',
  }),
];

describe('a documented word', () => {
  it.each(single)('%s %s makes %s: %s', (field, sent, fact, word) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', [fact]: word });
  });

  it.each(listed)('%s %s makes %s: %s', (field, sent, fact, word) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', [fact]: [word] });
  });
});

/** Words that occur in production and in no document. */
describe('an undocumented word', () => {
  it.each([
    ['CustomerStatus', 'DND'],
    ['CustomerStatus', 'BlockedNumber'],
    ['DialStatus', 'MaxDialTimeExceeded'],
    ['DialStatus', 'NoAnswer'],
    ['AgentStatus', 'agent_disconnect'],
    ['CustomerStatus', 'Authentication error'],
    ['Status', 'Fail'],
    ['HangupBy', 'QTimeExceeded{60}'],
    ['Type', 'WhatsApp'],
  ])('in %s is unknown, and stored as sent without a note: %s', (field, word) => {
    const facts = callFacts({ [field]: word });

    expect(JSON.stringify(facts)).toContain(`"${word}"`);
    expect(JSON.stringify(facts)).toContain('unknown');
    expect(facts.notes).toBeUndefined();
  });

  it('in a chain stores all words of the chain as sent', () => {
    expect(callFacts({ CustomerStatus: 'answered -> DND' })).toMatchObject({
      customerStatuses: ['answered', 'unknown'],
      customerStatusesAsSent: ['answered', 'DND'],
    });
  });
});
