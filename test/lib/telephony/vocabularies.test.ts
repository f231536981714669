import { describe, expect, it } from 'vitest';
import { callFields } from '../../../lib/telephony/call-fields.ts';
import { agentStates, lookUpWord, unknownWords, vocabulary } from '../../../lib/telephony/vocabularies.ts';
import { callFacts } from '../../support/posted-records.ts';

const ofCalls = Object.values(callFields).flatMap(({ spelling, vocabulary }) =>
  vocabulary === undefined ? [] : [{ spelling, vocabulary }],
);

const words = vocabulary({ 'phone-number': [], predictive: ['Predective'], 'queue-time-exceeded': ['QTimeExceeded'] });

describe('lookUpWord', () => {
  const added = { 'Fax Call': 'phone-number', Predective: 'phone-number', Telex: 'telegraph', _: 'phone-number' };
  const [phone, predictive, unknown] = ['phone-number', 'predictive', 'unknown'].map((word) => ({ word }));
  const withParameters = ['{60}', ' {60}', '{}', '{1}{2}', '{\n}'].map((parameter) => `QTimeExceeded${parameter}`);
  const unknowns = [
    ...['Fax', 'phone number 2', 'toString', '__proto__', 'unknown', ''],
    ...['Fax{60}', '{60}', 'QTimeExceeded{60', 'QTimeExceeded60}', 'QTimeExceeded{60}s', '{QTimeExceeded}'],
  ];

  it.each<[string, string, object | undefined, typeof added?]>([
    ['a word in our own spelling', 'phone-number', phone],
    ['a word in capitals and a space', 'Phone Number', phone],
    ['a word in camel case', 'PhoneNumber', phone],
    ['a word with an underscore', 'PHONE_NUMBER', phone],
    ['a word with several spaces', 'phone  number', phone],
    ['a word in the sender’s misspelling, in any letter case', 'PREDECTIVE', predictive],
    ...[...withParameters, 'qtimeexceeded {60}'].map((asSent): [string, string, object] => [
      'a word with a parameter, as sent',
      asSent,
      { word: 'queue-time-exceeded', asSent },
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

type Row = readonly [field: string, sent: string, fact: string, word: string | readonly string[]];

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

const inList = (rows: readonly Row[]) =>
  rows.map(([field, sent, fact, word]): Row => [field, sent, fact, [word].flat()]);
const listed = inList([
  ...each('AgentStatus', 'agentStatuses', outcomeRows),
  ...each('CustomerStatus', 'customerStatuses', outcomeRows),
  ...each('DialStatus', 'dialStatuses', outcomeRows),
  ...each('TransferType', 'transferTypes', {
    ...same('Agent', 'Skill'),
    'Phone Number': 'phone-number',
    PhoneNumber: 'phone-number',
    'No Transfers': 'no-transfer',
  }),
]);

describe('a known word', () => {
  it.each([...single, ...listed])('%s %s makes %s: %s', (field, sent, fact, word) => {
    expect(callFacts({ [field]: sent })).toEqual({ timeZone: 'Asia/Kolkata', [fact]: word });
  });

  it('is tested for every word of every vocabulary', () => {
    const tested = new Set([...single, ...listed].flatMap(([, , , word]) => word));

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
