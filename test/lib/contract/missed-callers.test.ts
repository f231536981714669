import { describe, expect, it } from 'vitest';
import {
  type CallOfCustomer,
  type MissedRules,
  missedCallStates,
  waitingCallers,
} from '../../../lib/contract/missed-callers.ts';

const outcomes = {
  missed: { status: 'not-answered', type: 'inbound' },
  answered: { status: 'answered', type: 'inbound' },
  'called back': { status: 'answered', type: 'manual' },
  'called in vain': { status: 'not-answered', type: 'manual' },
} as const;

type Line = readonly [time: string, what: keyof typeof outcomes | object, number?: string];

const at = (time: string) => `2026-11-20T${time.padStart(5, '0')}:00.000Z`;

/** The calls of lines, whose ids are their times. */
const callsOf = (lines: readonly Line[]): readonly CallOfCustomer[] =>
  lines.map(([time, what, customerNumber]) => ({
    ...{ callId: time, listedAt: at(time), timeZone: 'Asia/Kolkata' },
    ...(customerNumber !== undefined && { customerNumber }),
    ...(typeof what === 'string' ? outcomes[what] : what),
  }));

const statesOf = (lines: readonly Line[], rules: MissedRules = {}) =>
  missedCallStates(callsOf(lines), rules).map(({ call, state, answeredBy }) =>
    [call.callId, state, ...(answeredBy === undefined ? [] : [answeredBy.callId, answeredBy.afterSeconds])].join(' '),
  );

/** One customer in the spellings of machines, and somebody else. */
const [asha, bare, trunk] = ['+919840012345', '9840012345', '09840012345'];
const [code, exit, other] = ['919840012345', '00919840012345', '+919840012346'];

describe('a missed call', () => {
  it.each<[string, readonly Line[], readonly string[], MissedRules?]>([
    ['nobody called afterwards', [['9:00', 'missed', asha]], ['9:00 open']],
    [
      'both were called back',
      [
        ['9:00', 'missed', asha],
        ['9:10', 'missed', bare],
        ['9:40', 'called back', exit],
      ],
      ['9:10 returned 9:40 1800', '9:00 returned 9:40 2400'],
    ],
    [
      'the customer rang again',
      [
        ['9:00', 'missed', trunk],
        ['9:05', 'answered', code],
      ],
      ['9:00 rang-again 9:05 300'],
    ],
    [
      'the first conversation counts',
      [
        ['9:00', 'missed', asha],
        ['9:05', 'called back', asha],
        ['9:06', 'answered', asha],
      ],
      ['9:00 returned 9:05 300'],
    ],
    [
      'they spoke before',
      [
        ['8:00', 'answered', asha],
        ['9:00', 'missed', asha],
      ],
      ['9:00 open'],
    ],
    [
      'the other call began at once',
      [
        ['9:00', 'answered', asha],
        ['9:00', 'missed', asha],
      ],
      ['9:00 open'],
    ],
    [
      'the call back was in vain',
      [
        ['9:00', 'missed', asha],
        ['9:40', 'called in vain', asha],
      ],
      ['9:00 open'],
    ],
    [
      'somebody else was called',
      [
        ['9:00', 'missed', asha],
        ['9:40', 'called back', other],
      ],
      ['9:00 open'],
    ],
    [
      'they called back in time, and not for the earlier call',
      [
        ['9:00', 'missed', asha],
        ['9:10', 'missed', asha],
        ['9:40', 'called back', asha],
      ],
      ['9:10 returned 9:40 1800', '9:00 open'],
      { withinSeconds: 1_800 },
    ],
    [
      'a menu answered',
      [
        ['9:00', 'missed', asha],
        ['9:05', { status: 'answered', type: 'ivr' }, asha],
      ],
      ['9:00 open'],
    ],
    [
      'a chat was answered',
      [
        ['9:00', 'missed', asha],
        ['9:05', { status: 'answered', type: 'chat' }, asha],
      ],
      ['9:00 open'],
    ],
    [
      'the type of the answered call is unknown',
      [
        ['9:00', 'missed', asha],
        ['9:05', { status: 'answered', type: 'unknown' }, asha],
      ],
      ['9:00 open'],
    ],
    [
      'the answered call has no type',
      [
        ['9:00', 'missed', asha],
        ['9:05', { status: 'answered' }, asha],
      ],
      ['9:00 rang-again 9:05 300'],
    ],
    [
      'it has no number',
      [
        ['9:00', 'missed'],
        ['9:05', 'answered'],
      ],
      ['9:00 no-number'],
    ],
    [
      'the number was withheld',
      [
        ['9:00', 'missed', 'anonymous'],
        ['9:05', 'answered', 'anonymous'],
      ],
      ['9:00 no-number'],
    ],
    [
      'one digit stands for a number',
      [
        ['9:00', 'missed', '0000000000'],
        ['9:05', 'answered', '0000000000'],
      ],
      ['9:00 no-number'],
    ],
    [
      'the customer was erased',
      [
        ['9:00', 'missed', 'erased'],
        ['9:05', 'answered', 'erased'],
      ],
      ['9:00 erased'],
    ],
    [
      'many people share the number',
      [
        ['9:00', 'missed', trunk],
        ['9:05', 'answered', asha],
      ],
      ['9:00 shared-number'],
      { country: 'IN', sharedNumbers: ['098400 12345'] },
    ],
    [
      'a short number is compared as sent',
      [
        ['9:00', 'missed', '4021'],
        ['9:01', 'missed', '4022'],
        ['9:05', 'called back', '4021'],
      ],
      ['9:01 open', '9:00 returned 9:05 300'],
    ],
    [
      'the account is of another country than its zone',
      [
        ['9:00', 'missed', '07700900674'],
        ['9:05', 'called back', '+447700900674'],
      ],
      ['9:00 returned 9:05 300'],
      { country: 'GB' },
    ],
    [
      'calls in vain are no missed calls',
      [
        ['9:00', 'called in vain', asha],
        ['9:01', { status: 'unknown', type: 'inbound' }, asha],
      ],
      [],
    ],
  ])('is as it should be where %s', (_what, lines, states, rules) => {
    expect(statesOf(lines, rules)).toEqual(states);
    expect(statesOf(lines.toReversed(), rules)).toEqual(states);
  });
});

it('callers who wait have a row each: the most attempts first, then the longest waiting', () => {
  const lines: readonly Line[] = [
    ['9:00', { ...outcomes.missed, skillName: 'Sales' }, '4021'],
    ['9:05', { ...outcomes.missed, skillName: 'Sales' }, trunk],
    ['9:10', { ...outcomes.missed, skillName: 'Support' }, asha],
    ['9:15', outcomes.missed, other],
    ['9:20', 'answered', '4022'],
    ['9:30', 'missed'],
  ];
  const missed = missedCallStates(callsOf(lines), {});

  expect(waitingCallers(missed, at('10:00'))).toEqual([
    {
      ...{ customerNumber: asha, customerNumberE164: asha, attempts: 2, waitingSeconds: 3_300 },
      ...{
        firstMissedAt: at('9:05'),
        lastMissedAt: at('9:10'),
        skills: ['Sales', 'Support'],
        callIds: ['9:05', '9:10'],
      },
    },
    {
      ...{ customerNumber: '4021', attempts: 1, waitingSeconds: 3_600 },
      ...{ firstMissedAt: at('9:00'), lastMissedAt: at('9:00'), skills: ['Sales'], callIds: ['9:00'] },
    },
    {
      ...{ customerNumber: other, customerNumberE164: other, attempts: 1, waitingSeconds: 2_700 },
      ...{ firstMissedAt: at('9:15'), lastMissedAt: at('9:15'), skills: [], callIds: ['9:15'] },
    },
  ]);
});
