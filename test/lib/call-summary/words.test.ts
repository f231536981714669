import { describe, expect, it } from 'vitest';
import { callFacts } from '../support/facts-of.ts';

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
