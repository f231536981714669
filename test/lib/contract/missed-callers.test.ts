import { expect, it } from 'vitest';
import {
  type CallOfCustomer,
  type MissedRules,
  missedCallStates,
  waitingCallers,
} from '../../../lib/contract/missed-callers.ts';

/** What happens in a call, by the words of the table. */
const outcomes: Readonly<Record<string, Partial<CallOfCustomer>>> = {
  missed: { status: 'not-answered', type: 'inbound' },
  answered: { status: 'answered', type: 'inbound' },
  'called-back': { status: 'answered', type: 'manual' },
  'called-in-vain': { status: 'not-answered', type: 'manual' },
  'in-a-menu': { status: 'answered', type: 'ivr' },
  'in-a-chat': { status: 'answered', type: 'chat' },
  'of-unknown-type': { status: 'answered', type: 'unknown' },
  'without-type': { status: 'answered' },
  'with-unknown-status': { status: 'unknown', type: 'inbound' },
};

const at = (time: string) => `2026-11-20T${time.padStart(5, '0')}:00.000Z`;

/** The calls of lines such as `9:00 missed 09840012345 Sales`, whose ids are their times. */
const callsOf = (lines: string): readonly CallOfCustomer[] =>
  lines.split('; ').map((line) => {
    const [time = '', what = '', customerNumber = '', skillName] = line.split(' ');
    return {
      ...{ callId: time, listedAt: at(time), timeZone: 'Asia/Kolkata', ...outcomes[what] },
      ...(customerNumber !== '' && { customerNumber }),
      ...(skillName !== undefined && { skillName }),
    };
  });

const statesOf = (calls: readonly CallOfCustomer[], rules: MissedRules = {}): string =>
  missedCallStates(calls, rules)
    .map(({ call, state, answeredBy: by }) => `${call.callId} ${state}${by ? ` ${by.callId} ${by.afterSeconds}` : ''}`)
    .join('; ');

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

it('callers who wait have a row each: the most attempts first, then the longest waiting', () => {
  const missed = missedCallStates(
    callsOf(
      '9:00 missed 4021 Sales; 9:05 missed 09840012345 Sales; 9:10 missed +919840012345 Support; ' +
        '10:01 missed 9840012346; 9:20 answered 4022; 9:30 missed',
    ),
    {},
  );

  expect(waitingCallers(missed, '2026-11-20T10:00:00.900Z')).toEqual([
    {
      ...{ customerNumber: '+919840012345', customerNumberE164: '+919840012345', attempts: 2, waitingSeconds: 3_300 },
      ...{
        firstMissedAt: at('9:05'),
        lastMissedAt: at('9:10'),
        skills: ['Sales', 'Support'],
        callIds: ['9:05', '9:10'],
      },
    },
    {
      ...{ customerNumber: '4021', attempts: 1, waitingSeconds: 3_600, firstMissedAt: at('9:00') },
      ...{ lastMissedAt: at('9:00'), skills: ['Sales'], callIds: ['9:00'] },
    },
    {
      ...{ customerNumber: '9840012346', customerNumberE164: '+919840012346', attempts: 1, waitingSeconds: 0 },
      ...{ firstMissedAt: at('10:01'), lastMissedAt: at('10:01'), skills: [], callIds: ['10:01'] },
    },
  ]);
});
