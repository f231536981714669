import { missedCallStates, WaitingCaller, waitingCallers } from '../../lib/contract/missed-callers.ts';
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

const calls = morning.map(({ time, ...call }, index) => ({
  ...{ ...call, callId: `${index + 1}`, timeZone: 'Asia/Kolkata' },
  listedAt: new Date(`2026-11-20T${time}:00+05:30`).toISOString(),
}));

const missed = missedCallStates(calls, { country: 'IN' });

const becameOf = (callId: string): string => {
  const found = missed.find(({ call }) => call.callId === callId);
  if (found === undefined) return '';
  const { state, answeredBy } = found;
  return answeredBy === undefined ? state : `${state}, by call ${answeredBy.callId} after ${answeredBy.afterSeconds} s`;
};

/** The generated parts of the contract that are about missed calls, by their names. */
export const missedParts = () => ({
  'missed-states': markdownTable(
    ['What became of it', 'Holds if'],
    keysOf(missedStates).map((state) => [code(state), missedStates[state]]),
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
  'waiting-caller': fieldList(Object.entries(WaitingCaller.shape)),
});
