import * as z from 'zod';
import type { ListedCall, MissedCalls, MissedState, TooManyCalls } from '../../client/index.ts';
import { missedAnswer } from '../../client/missed-calls.ts';
import { WaitingCaller } from '../../lib/contract/missed-callers.ts';
import { missedStates } from '../../lib/contract/rules.ts';
import { keysOf } from '../../lib/core/collections.ts';
import { tooManyText } from '../day/period.ts';
import { csvTable, forSpreadsheets } from '../frame/csv.ts';
import { redacted } from '../frame/redact.ts';
import { printTable } from '../frame/table.ts';
import { printableJson, type Terminal } from '../frame/terminal.ts';
import { counted, durationText, localText } from '../frame/texts.ts';
import type { Selection } from './call-list.ts';

/** Why missed calls are not read: whether one is open, many others decide. */
export const tooManyMissed = (found: TooManyCalls, timeZone: string): string =>
  `The range, with four hours before it and the time after it in which a call back counts, ${tooManyText(found, timeZone)} Ask for a shorter one.`;

/** What is known of the missed calls that are selected. */
export const selectedOf = async (
  { asOf, calls }: MissedCalls,
  selection: Selection<ListedCall>,
): Promise<MissedCalls> => {
  const fitting = new Set(await selection.of(calls.map(({ call }) => call)));
  return missedAnswer(
    calls.filter(({ call }) => fitting.has(call)),
    asOf,
  );
};

interface WaitingOptions {
  readonly json: boolean;
  readonly csv: boolean;
  readonly showPersonal: boolean;
  readonly limit: number;
  readonly timeZone: string;
}

export const printWaiting = (terminal: Terminal, missed: MissedCalls, options: WaitingOptions): void => {
  const { json, csv, showPersonal, limit } = options;
  const { waiting } = missed;
  const some = waiting.slice(0, limit);
  const callers = showPersonal ? some : redacted(z.array(WaitingCaller), some);
  if (json) for (const caller of callers) terminal.print(printableJson(caller));
  else if (csv) csvTable(forSpreadsheets(terminal), keysOf(WaitingCaller.shape))(callers);
  else waitingTable(terminal, callers, options);
  const all = counted(waiting.length, 'caller');
  const of = some.length < waiting.length ? `${some.length} of ` : '';
  terminal.note(`${of}${all} listed. ${missedSummary(missed)}`);
};

const columns = {
  attempts: 'ATTEMPTS',
  waiting: 'WAITING',
  firstMissedAt: 'FIRST MISSED',
  lastMissedAt: 'LAST MISSED',
  skills: 'SKILLS',
  lastCall: 'LAST CALL',
};
const personalColumns = { customerNumber: 'CUSTOMER', customerNumberE164: 'E.164' };

const waitingTable = (
  terminal: Terminal,
  callers: readonly WaitingCaller[],
  { timeZone, showPersonal }: Pick<WaitingOptions, 'timeZone' | 'showPersonal'>,
): void =>
  printTable(
    terminal,
    { ...columns, ...(showPersonal && personalColumns) },
    callers.map(({ skills, callIds, waitingSeconds, firstMissedAt, lastMissedAt, ...caller }) => ({
      ...caller,
      waiting: durationText(waitingSeconds),
      firstMissedAt: localText(firstMissedAt, timeZone),
      lastMissedAt: localText(lastMissedAt, timeZone),
      skills: skills.length === 0 ? undefined : skills.join(', '),
      lastCall: callIds.at(-1),
    })),
  );

const alwaysNamed: readonly MissedState[] = ['open', 'returned', 'rang-again'];

/** What became of all missed calls of the question, and as of when. */
const missedSummary = ({ calls, counts, returnedAfterSeconds: after, asOf }: MissedCalls): string => {
  const soon = after === undefined ? '' : ` (half of them within ${durationText(after)})`;
  const parts = keysOf(missedStates)
    .filter((state) => counts[state] > 0 || alwaysNamed.includes(state))
    .map((state) => `${counts[state]} ${missedStates[state].text}${state === 'returned' ? soon : ''}`);
  const missed = counted(calls.length, 'missed call');
  return `${missed}: ${parts.join(', ')}. As of ${asOf}: a callback that comes later may close a call.`;
};
