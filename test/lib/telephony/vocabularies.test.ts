import { describe, expect, it } from 'vitest';
import { lookUpWord, vocabulary } from '../../../lib/telephony/vocabularies.ts';
import { callFacts } from '../../support/call-records.ts';

const words = vocabulary(['phone-number', 'predictive'], { Predective: 'predictive' });

describe('understood', () => {
  it.each([
    ['our own spelling', 'phone-number'],
    ['capitals and a space', 'Phone Number'],
    ['camel case', 'PhoneNumber'],
    ['an underscore', 'PHONE_NUMBER'],
    ['several spaces', 'phone  number'],
  ])('knows a word in %s', (_title, text) => {
    expect(lookUpWord(words, text)).toEqual({ word: 'phone-number' });
  });

  it('knows a word in the sender’s misspelling, in any letter case', () => {
    expect(lookUpWord(words, 'PREDECTIVE')).toEqual({ word: 'predictive' });
  });

  it.each(['Fax', 'phone number 2', 'toString', '__proto__', 'unknown', ''])(
    'keeps the new word "%s" as sent',
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

/** Every value that the specification names, and the samples' own. */
const single: readonly Row[] = [
  ...each('Status', 'status', { Answered: 'answered', NotAnswered: 'not-answered' }),
  ...each('Type', 'type', same('Progressive', 'Inbound', 'Manual', 'Preview', 'Mail', 'IVR', 'Chat', 'Predictive')),
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
  it.each(single)('%s %s is %s: %s', (field, sent, fact, word) => {
    const facts = callFacts({ [field]: sent });

    expect(facts).toMatchObject({ [fact]: word });
    expect(facts).not.toHaveProperty(`${fact}AsSent`);
  });

  it.each(listed)('%s %s is in %s: %s', (field, sent, fact, word) => {
    const facts = callFacts({ [field]: sent });

    expect(facts).toMatchObject({ [fact]: [word] });
    expect(facts).not.toHaveProperty(`${fact}AsSent`);
  });

  it('keeps all words of a chain as sent where one of them is new', () => {
    expect(callFacts({ CustomerStatus: 'answered -> DND' })).toMatchObject({
      customerStatuses: ['answered', 'unknown'],
      customerStatusesAsSent: ['answered', 'DND'],
    });
  });
});

/** How words and sizes differ in production from the lists. */
describe('the receiver survives', () => {
  it.each([
    ['Type', 'inbound', { type: 'inbound' }],
    ['Type', 'InBound', { type: 'inbound' }],
    ['Type', 'Inbound', { type: 'inbound' }],
    ['Type', 'Manual', { type: 'manual' }],
    ['Type', 'manual', { type: 'manual' }],
    ['Type', 'Predective', { type: 'predictive' }],
    ['Status', 'Answered', { status: 'answered' }],
    ['Status', 'answered', { status: 'answered' }],
    ['CustomerStatus', 'SubcriberAbsent', { customerStatuses: ['subscriber-absent'] }],
    ['HangupBy', 'Agent Hangup', { hangupBy: 'agent' }],
    ['HangupBy', 'AgentHangup', { hangupBy: 'agent' }],
    ['TransferType', 'Phone Number', { transferTypes: ['phone-number'] }],
    ['TransferType', 'PhoneNumber', { transferTypes: ['phone-number'] }],
  ])('letter case and spelling: %s %s', (field, sent, facts) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', ...facts });
  });

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
  ])('a word that is in no list, in %s: %s is kept as sent and stored', (field, word) => {
    const facts = callFacts({ [field]: word });

    expect(JSON.stringify(facts)).toContain(`"${word}"`);
    expect(JSON.stringify(facts)).toContain('unknown');
    expect(facts.notes).toBeUndefined();
  });

  it.each([
    ['AudioFile', 783, 'recordings'],
    ['CallerConfAudioFile', 571, 'conferenceRecordings'],
    ['AgentUniqueID', 25, 'agentUniqueIds'],
  ])('a %s of %d characters with a note and never a refusal', (field, length, fact) => {
    const text = '7'.repeat(length);

    expect(callFacts({ [field]: text })).toMatchObject({
      [fact]: [text],
      notes: [{ field: fact, reason: 'over-long' }],
    });
  });
});
