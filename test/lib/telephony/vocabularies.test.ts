import { describe, expect, it } from 'vitest';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import { agentStates, lookUpWord, unknownWords, vocabulary } from '../../../lib/telephony/vocabularies.ts';
import { callFacts } from '../../support/posted-records.ts';

const ofCalls = Object.values(callFields).flatMap(({ spelling, vocabulary }) =>
  vocabulary === undefined ? [] : [{ spelling, vocabulary }],
);

const words = vocabulary({ 'phone-number': [], predictive: ['Predective'], 'queue-time-exceeded': ['QTimeExceeded'] });

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

  it.each(['QTimeExceeded{60}', 'qtimeexceeded {60}', 'QTimeExceeded{}', 'QTimeExceeded{1}{2}', 'QTimeExceeded{\n}'])(
    'finds a word with a parameter, and returns it as sent: "%s"',
    (text) => {
      expect(lookUpWord(words, text)).toEqual({ word: 'queue-time-exceeded', asSent: text });
    },
  );

  it.each([
    ['in any spelling, without its own', 'FAX call', { word: 'phone-number' }],
    ['with a parameter', 'fax_call{2}', { word: 'phone-number', asSent: 'fax_call{2}' }],
    ['not against the vocabulary', 'Predective', { word: 'predictive' }],
    ['not for what the vocabulary lacks', 'Telex', { word: 'unknown', asSent: 'Telex' }],
    ['not for what every object has', 'toString', { word: 'unknown', asSent: 'toString' }],
    ['not one of hyphens alone', '-', { word: 'unknown', asSent: '-' }],
  ])('finds an added word: %s', (_title, text, match) => {
    const added = { 'Fax Call': 'phone-number', Predective: 'phone-number', Telex: 'telegraph', _: 'phone-number' };

    expect(lookUpWord(words, text, added)).toEqual(match);
  });

  it.each([
    ...['Fax', 'phone number 2', 'toString', '__proto__', 'unknown', ''],
    ...['Fax{60}', '{60}', 'QTimeExceeded{60', 'QTimeExceeded60}', 'QTimeExceeded{60}s', '{QTimeExceeded}'],
  ])('returns unknown and the original for "%s"', (text) => {
    expect(lookUpWord(words, text)).toEqual({ word: 'unknown', asSent: text });
  });
});

type Row = readonly [field: string, sent: string, fact: string, word: string];

const each = (field: string, fact: string, words: Readonly<Record<string, string>>): readonly Row[] =>
  Object.entries(words).map(([sent, word]): Row => [field, sent, fact, word]);

const same = (...words: readonly string[]) =>
  Object.fromEntries(words.map((word) => [word, word.toLowerCase().replaceAll('_', '-')]));

/** How an attempt to reach somebody ended, in any of the three statuses. */
const outcomeRows = {
  ...same('answered', 'not_answered', 'user_disconnected', 'Congestion', 'ring', 'exception', 'Busy', 'SUCCESS'),
  ...same('invalid_number', 'Rejected'),
  NotDialed: 'not-dialled',
  InvalidNumber: 'invalid-number',
  NoRouteDestination: 'no-route-destination',
  Dialing: 'dialling',
  NoResponse: 'no-response',
  ISDDisabled: 'isd-disabled',
  SubcriberAbsent: 'subscriber-absent',
  SubscriberAbsent: 'subscriber-absent',
  InvalidNumberFormat: 'invalid-number-format',
  NormalUnspecified: 'normal-unspecified',
  NoAnswer: 'not-answered',
  DND: 'do-not-disturb',
  BlockedNumber: 'blocked-number',
  MaxDialTimeExceeded: 'max-dial-time-exceeded',
  QTimeExceeded: 'queue-time-exceeded',
  agent_disconnect: 'agent-disconnected',
  'Authentication error': 'authentication-error',
  Fail: 'failed',
  FAILED: 'failed',
  NetworkOutOfOrder: 'network-out-of-order',
  RecoveryTimerOnExpiry: 'recovery-on-timer-expiry',
};

/** Every word in the specification and in the samples, and those that occur in production. */
const single: readonly Row[] = [
  ...each('Status', 'status', {
    Answered: 'answered',
    NotAnswered: 'not-answered',
    NoAnswer: 'not-answered',
    Unanswered: 'not-answered',
  }),
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
    user_disconnected: 'user',
    agent_disconnect: 'agent',
  }),
];

const listed: readonly Row[] = [
  ...each('AgentStatus', 'agentStatuses', outcomeRows),
  ...each('CustomerStatus', 'customerStatuses', outcomeRows),
  ...each('DialStatus', 'dialStatuses', outcomeRows),
  ...each('TransferType', 'transferTypes', {
    ...same('Agent', 'Skill'),
    'Phone Number': 'phone-number',
    PhoneNumber: 'phone-number',
    'No Transfers': 'no-transfer',
  }),
];

describe('a known word', () => {
  it.each(single)('%s %s makes %s: %s', (field, sent, fact, word) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', [fact]: word });
  });

  it.each(listed)('%s %s makes %s: %s', (field, sent, fact, word) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', [fact]: [word] });
  });

  it('is tested for every word of every vocabulary', () => {
    const tested = new Set([...single, ...listed].map(([, , , word]) => word));

    expect(ofCalls.flatMap(({ vocabulary: each }) => each.words.filter((word) => !tested.has(word)))).toEqual([]);
  });

  it('with a parameter is known too, and all words of its chain are stored as sent', () => {
    expect(callFacts({ DialStatus: 'QTimeExceeded{60} -> answered' })).toMatchObject({
      dialStatuses: ['queue-time-exceeded', 'answered'],
      dialStatusesAsSent: ['QTimeExceeded{60}', 'answered'],
    });
  });
});

describe('a vocabulary', () => {
  it.each([...ofCalls, { spelling: 'AgentState', vocabulary: agentStates }])(
    'finds every word of $spelling in its own spellings',
    ({ vocabulary: each }) => {
      for (const [word, spellings] of Object.entries(each.spellings))
        for (const text of [word, ...spellings]) expect(lookUpWord(each, text)).toEqual({ word });
    },
  );
});

describe('an unknown word', () => {
  it.each([
    ['CustomerStatus', 'CallBarred'],
    ['DialStatus', 'CallBarred{3}'],
    ['AgentStatus', 'on a break'],
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
    expect(callFacts({ CustomerStatus: 'answered -> CallBarred' })).toMatchObject({
      customerStatuses: ['answered', 'unknown'],
      customerStatusesAsSent: ['answered', 'CallBarred'],
    });
  });
});

it('names no unknown word that was not kept as sent, as in rows of before', () => {
  expect(unknownWords({ status: 'unknown', type: ['unknown', 'manual'], typeAsSent: ['x', 'manual'] })).toEqual([
    { field: 'type', word: 'x' },
  ]);
});
