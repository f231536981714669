import { expect, it } from 'vitest';
import { type CallSides, isOutgoing, spokeWithCustomer } from '../../../lib/contract/conversations.ts';
import {
  type CallOfCustomer,
  type MissedRules,
  missedCallJudge,
  waitingCallers,
} from '../../../lib/contract/missed-callers.ts';
import { outcomes as outcomeWords } from '../../../lib/telephony/vocabularies.ts';

/** What happens in a call, by the words of the table. */
const outcomes: Readonly<Record<string, Partial<CallOfCustomer & CallSides>>> = {
  missed: { status: 'not-answered', type: 'inbound' },
  answered: { status: 'answered', type: 'inbound' },
  'called-back': { status: 'answered', type: 'manual' },
  'called-in-vain': { status: 'not-answered', type: 'manual' },
  'rang-a-busy-line': { status: 'answered', type: 'manual', customerStatuses: ['busy'] },
  'dialled-without-agent': { status: 'answered', type: 'predictive', agentStatuses: ['not-dialled'] },
  'in-a-menu': { status: 'answered', type: 'ivr' },
  'in-a-chat': { status: 'answered', type: 'chat' },
  'of-unknown-type': { status: 'answered', type: 'unknown' },
  'without-type': { status: 'answered' },
  'with-unknown-status': { status: 'unknown', type: 'inbound' },
};

/** An instant of 9:00, 9:00:20 or 9:00:20.500. */
const at = (time: string) =>
  new Date(`2026-11-20T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}Z`).toISOString();

/**
 * The calls of lines such as `9:00 missed 09840012345 Sales`. Their ids are their times, or stand before these: `a=9:00`. A call that
 * lasts until 9:05 is `9:00-9:05`, and one that continues another `9:00^a`.
 */
const callsOf = (lines: string): readonly CallOfCustomer[] =>
  lines.split('; ').map((line) => {
    const [when = '', what = '', customerNumber = '', skillName] = line.split(' ');
    const [, id, time = '', end, linkedCallId] = /^(?:(\w+)=)?([\d:.]+)(?:-([\d:.]+))?(?:\^(.+))?$/.exec(when) ?? [];
    return {
      callId: id ?? time,
      listedAt: at(time),
      timeZone: 'Asia/Kolkata',
      ...outcomes[what],
      ...(end !== undefined && { endedAt: at(end) }),
      ...(linkedCallId !== undefined && { linkedCallId }),
      ...(customerNumber !== '' && { customerNumber }),
      ...(skillName !== undefined && { skillName }),
    };
  });

const statesOf = (calls: readonly CallOfCustomer[], rules: MissedRules = {}): string => {
  const inVain = calls.filter((call) => isOutgoing(call) && !spokeWithCustomer(call)).map(({ callId }) => callId);
  return missedCallJudge(
    calls,
    rules,
  )(new Set(inVain))
    .map(({ call, state, answeredBy: by }) => `${call.callId} ${state}${by ? ` ${by.callId} ${by.afterSeconds}` : ''}`)
    .join('; ');
};

const shared = { country: 'IN', sharedNumbers: ['098400 12345', 'no number'] };

it.each<[string, string, string, MissedRules?]>([
  ['nobody called afterwards', '9:00 missed +919840012345', '9:00 open'],
  [
    'both were called back, in other spellings',
    '9:00 missed +919840012345; 9:10 missed 9840012345; 9:40 called-back 00919840012345',
    '9:10 returned 9:40 1800; 9:00 returned 9:40 2400',
  ],
  ['the customer rang again', '9:00 missed 09840012345; 9:05 answered 919840012345', '9:00 rang-again 9:05 300'],
  [
    'the first conversation counts',
    '9:00 missed 9840012345; 9:05 called-back 9840012345; 9:06 answered 9840012345',
    '9:00 returned 9:05 300',
  ],
  ['they spoke before', '8:00 answered 9840012345; 9:00 missed 9840012345', '9:00 open'],
  ['the other call began at once', '9:00 answered 9840012345; 9:00 missed 9840012345', '9:00 open'],
  ['the call back was in vain', '9:00 missed 9840012345; 9:40 called-in-vain 9840012345', '9:00 open'],
  ['somebody else was called', '9:00 missed 9840012345; 9:40 called-back 9840012346', '9:00 open'],
  ['the customer called back was busy', '9:00 missed 9840012345; 9:40 rang-a-busy-line 9840012345', '9:00 open'],
  ['no agent had the call back', '9:00 missed 9840012345; 9:40 dialled-without-agent 9840012345', '9:00 open'],
  [
    'the first call back was in vain',
    '9:00 missed 9840012345; 9:40 rang-a-busy-line 9840012345; 9:50 called-back 9840012345',
    '9:00 returned 9:50 3000',
  ],
  [
    'an agent was dialling the customer',
    '8:59-9:10 called-back 9840012345; 9:00-9:01 missed 9840012345; 9:40 called-back 9840012345',
    '9:00 returned 8:59 0',
  ],
  [
    'a call began at once and ended later',
    'a=9:00-9:10 answered 9840012345; b=9:00-9:01 missed 9840012345',
    'b rang-again a 0',
  ],
  ['the other call was over', '8:59-9:00 called-back 9840012345; 9:00 missed 9840012345', '9:00 open'],
  [
    'the other call had begun four hours before',
    '5:00-9:01 called-back 9840012345; 9:00 missed 9840012345',
    '9:00 returned 5:00 0',
  ],
  [
    'the other call had begun earlier than four hours before',
    '4:59-9:30 called-back 9840012345; 8:59 missed 9840012345; 9:00 missed 9840012345',
    '9:00 open; 8:59 returned 4:59 0',
  ],
  [
    'of two calls one was under way',
    '8:50-8:55 called-back 9840012345; 8:51-9:05 called-back 9840012345; 9:00 missed 9840012345',
    '9:00 returned 8:51 0',
  ],
  [
    'an agent dialled in vain at that moment',
    '8:59-9:01 rang-a-busy-line 9840012345; 9:00 missed 9840012345',
    '9:00 open',
  ],
  ['it went on in the same second', 'a=9:00:00.500 missed 9840012345; b=9:00^a answered 9840012345', 'a continued b 0'],
  [
    'it went on later, over a call that was missed too',
    'a=9:00 missed 9840012345; b=9:01^a missed 9840012345; c=9:02^b answered 9840012345',
    'b continued c 60; a continued c 120',
  ],
  [
    'it went on over a menu',
    'a=9:00 missed 9840012345; b=9:01^a in-a-menu 9840012345; c=9:02^b answered 9840012345',
    'a continued c 120',
  ],
  ['it went on, and nobody answered', 'a=9:00 missed 9840012345; b=9:01^a missed 9840012345', 'b open; a open'],
  ['it went on without a number', 'a=9:00 missed anonymous; b=9:01^a answered anonymous', 'a continued b 60'],
  [
    'it went on as a call in vain, and was called back',
    'a=9:00 missed 9840012345; b=9:01^a rang-a-busy-line 9840012345; c=9:02 called-back 9840012345',
    'a returned c 120',
  ],
  [
    'it went on too late, and was called back before',
    'a=9:00 missed 9840012345; b=9:02^a answered 9840012346; c=9:01 called-back 9840012345',
    'a returned c 60',
    { withinSeconds: 60 },
  ],
  ['it continues a call that was answered', 'a=9:00 answered 4021; b=9:01^a missed 9840012345', 'b open'],
  ['what continues it began before', 'a=9:00 missed 9840012345; b=8:59^a answered 4021', 'a open'],
  [
    'two calls began at once',
    '9:00 missed 9840012345; b=9:01 answered 9840012345; a=9:01 called-back 9840012345',
    '9:00 returned a 60',
  ],
  [
    'calls continue each other',
    'a=9:00^b missed 9840012345; b=9:00^a missed 9840012345; c=9:00^c missed 9840012345',
    'c open; b open; a open',
  ],
  [
    'the customer rang again, and that call went on',
    'a=9:00 missed 9840012345; b=9:10 missed 9840012345; c=9:11^b answered 9840012345',
    'b continued c 60; a rang-again c 660',
  ],
  [
    'the call back was in time for the later call alone',
    '9:00 missed 9840012345; 9:10 missed 9840012345; 9:40 called-back 9840012345',
    '9:10 returned 9:40 1800; 9:00 open',
    { withinSeconds: 1_800 },
  ],
  ['a menu answered', '9:00 missed 9840012345; 9:05 in-a-menu 9840012345', '9:00 open'],
  ['a chat was answered', '9:00 missed 9840012345; 9:05 in-a-chat 9840012345', '9:00 open'],
  ['the type is an unknown word', '9:00 missed 9840012345; 9:05 of-unknown-type 9840012345', '9:00 open'],
  ['the type is absent', '9:00 missed 9840012345; 9:05 without-type 9840012345', '9:00 rang-again 9:05 300'],
  ['it has no number', '9:00 missed; 9:05 answered', '9:00 no-number'],
  ['the number was withheld', '9:00 missed anonymous; 9:05 answered anonymous', '9:00 no-number'],
  ['one digit stands for a number', '9:00 missed 0000000000; 9:05 answered 0000000000', '9:00 no-number'],
  ['the customer was erased', '9:00 missed erased; 9:05 answered erased', '9:00 erased'],
  ['many people share the number', '9:00 missed 9840012345; 9:05 answered +919840012345', '9:00 shared-number', shared],
  [
    'a short number is compared as sent',
    '9:00 missed 4021; 9:01 missed 4022; 9:05 called-back 4021',
    '9:01 open; 9:00 returned 9:05 300',
  ],
  [
    'the account is of another country than its zone',
    '9:00 missed 07700900674; 9:05 called-back +447700900674',
    '9:00 returned 9:05 300',
    { country: 'GB' },
  ],
  ['no call was missed', '9:00 called-in-vain 9840012345; 9:01 with-unknown-status 9840012345', ''],
])('a missed call is as it should be where %s', (_what, lines, states, rules) => {
  expect(statesOf(callsOf(lines), rules)).toBe(states);
  expect(statesOf(callsOf(lines).toReversed(), rules)).toBe(states);
});

const outgoing = { status: 'answered', type: 'predictive' } as const;
const took = { agentIds: ['asha'], agentStatuses: ['answered'], customerStatuses: ['answered'] } as const;
const words = ['answered', 'success', 'normal-unspecified', 'unknown'] as const;

it.each<[string, Partial<CallSides>, boolean]>([
  ['nothing is said of either side', { type: 'manual' }, true],
  ['both sides answered', took, true],
  ...outcomeWords.words.map((word): [string, Partial<CallSides>, boolean] => [
    `the customer’s side was ${word}`,
    { ...took, customerStatuses: [word] },
    [...words, 'user-disconnected'].includes(word),
  ]),
  ...outcomeWords.words.map((word): [string, Partial<CallSides>, boolean] => [
    `the agent’s side was ${word}`,
    { ...took, agentStatuses: [word] },
    [...words, 'agent-disconnected'].includes(word),
  ]),
  ['an unknown word is said of the customer', { ...took, customerStatuses: ['unknown'] }, true],
  ['an unknown word is said of the agent', { ...took, agentStatuses: ['unknown'] }, true],
  ['the customer answered at the second attempt', { ...took, customerStatuses: ['busy', 'answered'] }, true],
  ['no attempt reached the customer', { ...took, customerStatuses: ['busy', 'not-answered'] }, false],
  ['the second agent answered', { ...took, agentStatuses: ['not-answered', 'answered'] }, true],
  ['a dialler names no agent', { customerStatuses: ['answered'] }, false],
  ['a dialler names an agent', { agentIds: ['asha'] }, true],
  ['an agent who dialled is not named', { type: 'manual', customerStatuses: ['answered'] }, true],
  ['an agent who saw the data first is not named', { type: 'preview' }, true],
  ['a dialler called for a free agent, and names none', { type: 'progressive' }, false],
  [
    'another leg reached the customer',
    { ...took, customerStatuses: ['busy'], legs: [{ ...took, status: 'answered' }] },
    true,
  ],
  [
    'a leg that was not answered has words of its own',
    { ...took, customerStatuses: ['busy'], legs: [{ ...took, status: 'not-answered' }] },
    false,
  ],
  [
    'a leg had no agent either',
    { customerStatuses: ['answered'], legs: [{ status: 'answered', customerStatuses: ['answered'] }] },
    false,
  ],
])('whether agent and customer spoke in an outgoing call is known where %s', (_what, sides, isSpoken) => {
  expect(spokeWithCustomer({ ...outgoing, ...sides })).toBe(isSpoken);
});

it('callers who wait have a row each: the most attempts first, then the longest waiting', () => {
  const missed = missedCallJudge(
    callsOf(
      '9:00 missed 4021 Sales; 9:05 missed 09840012345 Sales; 9:10 missed +919840012345 Support; ' +
        '10:01 missed 9840012346; 9:20 answered 4022; 9:30 missed; ' +
        // One mobile of Argentina, as it is dialled from there and from abroad.
        '9:06 missed +541123456789; 9:11 missed +5491123456789',
    ),
    {},
  )();

  expect(waitingCallers(missed, '2026-11-20T10:00:00.900Z')).toEqual([
    {
      customerNumber: '+919840012345',
      customerNumberE164: '+919840012345',
      attempts: 2,
      waitingSeconds: 3_300,
      firstMissedAt: at('9:05'),
      lastMissedAt: at('9:10'),
      skills: ['Sales', 'Support'],
      callIds: ['9:05', '9:10'],
    },
    {
      customerNumber: '+5491123456789',
      customerNumberE164: '+5491123456789',
      attempts: 2,
      waitingSeconds: 3_240,
      firstMissedAt: at('9:06'),
      lastMissedAt: at('9:11'),
      skills: [],
      callIds: ['9:06', '9:11'],
    },
    {
      customerNumber: '4021',
      attempts: 1,
      waitingSeconds: 3_600,
      firstMissedAt: at('9:00'),
      lastMissedAt: at('9:00'),
      skills: ['Sales'],
      callIds: ['9:00'],
    },
    {
      customerNumber: '9840012346',
      customerNumberE164: '+919840012346',
      attempts: 1,
      waitingSeconds: 0,
      firstMissedAt: at('10:01'),
      lastMissedAt: at('10:01'),
      skills: [],
      callIds: ['10:01'],
    },
  ]);
});
