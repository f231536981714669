import { type CallSides, spokeWithCustomer } from '../../lib/contract/conversations.ts';
import { missedCallJudge, WaitingCaller, waitingCallers } from '../../lib/contract/missed-callers.ts';
import { missedStates } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { fieldList } from './field-tables.ts';
import { code, jsonBlock, markdownTable } from './markdown.ts';

/** A morning, short enough to judge it by hand. Each number is written as another machine would write it. */
const morning = [
  { time: '09:00', status: 'not-answered', type: 'inbound', customerNumber: '09840012345', skillName: 'Sales' },
  { time: '09:10', status: 'not-answered', type: 'inbound', customerNumber: '+919840012345', skillName: 'Sales' },
  { time: '09:20', status: 'not-answered', type: 'inbound', customerNumber: '919840099999', skillName: 'Support' },
  { time: '09:25', status: 'answered', type: 'inbound', customerNumber: '9840099999', skillName: 'Support' },
  { time: '09:40', status: 'answered', type: 'manual', customerNumber: '00919840012345', skillName: 'Sales' },
  { time: '09:45', status: 'not-answered', type: 'inbound', customerNumber: '9840012345', skillName: 'Support' },
  { time: '09:50', status: 'not-answered', type: 'inbound', customerNumber: 'anonymous', skillName: 'Sales' },
] as const;

const timeZone = 'Asia/Kolkata';
const instantOf = (time: string): string => new Date(`2026-11-20T${time}+05:30`).toISOString();

const calls = morning.map(({ time, ...call }, index) => ({
  ...call,
  callId: `${index + 1}`,
  timeZone,
  listedAt: instantOf(`${time}:00`),
}));

const missed = missedCallJudge(calls, { country: 'IN' })();

const becameOf = (callId: string): string => {
  const found = missed.find(({ call }) => call.callId === callId);
  if (found === undefined) return '';
  const { state, answeredBy } = found;
  return answeredBy === undefined ? state : `${state}, by call ${answeredBy.callId} after ${answeredBy.afterSeconds} s`;
};

interface OtherCall extends CallSides {
  /** What the row shows about the rule. */
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  readonly linkedCallId?: string;
}

/** Beside a call that was missed at 10:00, another one with the same customer: one or two for each rule, to be judged by hand. */
const otherCalls: readonly OtherCall[] = [
  { rule: 'both sides were there', from: '10:30:00', to: '10:33:00', type: 'manual', customerStatuses: ['answered'] },
  { rule: 'the customer’s was not', from: '10:30:00', to: '10:30:40', type: 'manual', customerStatuses: ['busy'] },
  {
    rule: 'the customer’s was, at the second attempt',
    from: '10:30:00',
    to: '10:33:00',
    type: 'preview',
    customerStatuses: ['not-answered', 'answered'],
  },
  {
    rule: 'no agent had it',
    from: '10:30:00',
    to: '10:30:20',
    type: 'predictive',
    customerStatuses: ['answered'],
    agentStatuses: ['not-dialled'],
  },
  { rule: 'a dialler names no agent', from: '10:30:00', to: '10:30:20', type: 'predictive' },
  { rule: 'under way, and ended later', from: '09:59:50', to: '10:04:00', type: 'manual' },
  { rule: 'it had ended', from: '09:55:00', to: '10:00:00', type: 'manual' },
  { rule: 'it began over four hours before', from: '05:59:00', to: '10:04:00', type: 'inbound' },
  { rule: 'the same call, going on', from: '10:00:00', to: '10:04:00', type: 'inbound', linkedCallId: 'missed' },
  { rule: 'the customer called again', from: '10:00:01', to: '10:04:00', type: 'inbound' },
];

const customerNumber = '09840012345';

const becameBeside = ({ from, to, linkedCallId, ...sides }: OtherCall): string => {
  const missedOne = { callId: 'missed', status: 'not-answered', type: 'inbound', customerNumber, timeZone } as const;
  const other = {
    callId: 'other',
    status: 'answered',
    type: sides.type,
    customerNumber,
    timeZone,
    linkedCallId,
  } as const;
  const both = [
    { ...missedOne, listedAt: instantOf('10:00:00') },
    { ...other, listedAt: instantOf(from), endedAt: instantOf(to) },
  ];
  const inVain = spokeWithCustomer(sides) ? [] : [other.callId];
  const [found] = missedCallJudge(both, { country: 'IN' })(new Set(inVain));
  return [found?.state, found?.answeredBy && `after ${found.answeredBy.afterSeconds} s`].filter(Boolean).join(' ');
};

/** The generated parts of the contract that are about missed calls, by their names. */
export const missedParts = () => ({
  'missed-states': markdownTable(
    ['What became of it', 'Holds if'],
    keysOf(missedStates).map((state) => [code(state), missedStates[state].meaning]),
  ),
  'missed-by-hand': [
    markdownTable(
      ['Call', 'At', '`status`', '`type`', '`customerNumber`', 'What became of it'],
      morning.map(({ time, status, type, customerNumber }, index) => {
        const callId = `${index + 1}`;
        return [callId, time, status, type, customerNumber, becameOf(callId)];
      }),
    ),
    'At 10:00 one caller waits, and the row for that caller is:',
    jsonBlock(waitingCallers(missed, '2026-11-20T04:30:00.000Z')[0]),
  ].join('\n\n'),
  'wait-ends-by-hand': markdownTable(
    ['The other call', 'From', 'To', '`type`', '`customerStatuses`', '`agentStatuses`', 'The missed one is'],
    otherCalls.map((other) => [
      other.rule,
      other.from,
      other.to,
      code(other.type ?? ''),
      (other.customerStatuses ?? []).join(', '),
      (other.agentStatuses ?? []).join(', '),
      becameBeside(other),
    ]),
  ),
  'waiting-caller': fieldList(Object.entries(WaitingCaller.shape)),
});
