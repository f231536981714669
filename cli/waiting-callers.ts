import * as z from 'zod';
import { type MissedCalls, type MissedFigures, missedFigures } from '../lib/client/missed-calls.ts';
import { WaitingCaller, waitingCallers } from '../lib/contract/missed-callers.ts';
import { keysOf } from '../lib/core/collections.ts';
import type { Matching } from './call-list.ts';
import { redacted } from './output/redact.ts';
import { counted, durationText, forSpreadsheets, joined, localText, printCsv, printTable } from './output/report.ts';
import { printableJson, type Terminal } from './output/terminal.ts';

/** Who waits among the callers of some missed calls, and what became of those calls. */
export interface Waiting extends MissedFigures {
  readonly asOf: string;
  readonly callers: readonly WaitingCaller[];
}

export const waitingOf = async ({ asOf, calls }: MissedCalls, matching: Pick<Matching, 'of'>): Promise<Waiting> => {
  const fitting = new Set(await matching.of(calls.map(({ call }) => call)));
  const missed = calls.filter(({ call }) => fitting.has(call));
  return { asOf, callers: waitingCallers(missed, asOf), ...missedFigures(missed) };
};

interface WaitingOptions {
  readonly json: boolean;
  readonly csv: boolean;
  readonly showPersonal: boolean;
  readonly limit: number;
  readonly timeZone: string;
}

export const printWaiting = (terminal: Terminal, waiting: Waiting, options: WaitingOptions): void => {
  const { json, csv, showPersonal, limit } = options;
  const some = waiting.callers.slice(0, limit);
  const callers = showPersonal ? some : redacted(z.array(WaitingCaller), some);
  if (json) for (const caller of callers) terminal.print(printableJson(caller));
  else if (csv) printWaitingCsv(terminal, callers);
  else waitingTable(terminal, callers, options);
  const all = counted(waiting.callers.length, 'caller');
  const of = some.length < waiting.callers.length ? `${some.length} of ` : '';
  terminal.note(`${of}${all} listed. ${missedSummary(waiting)}`);
};

const columns = {
  ...{ attempts: 'ATTEMPTS', waiting: 'WAITING', firstMissedAt: 'FIRST MISSED', lastMissedAt: 'LAST MISSED' },
  ...{ skills: 'SKILLS', lastCall: 'LAST CALL' },
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
      skills: skills.length === 0 ? undefined : joined(skills),
      lastCall: callIds.at(-1),
    })),
  );

const csvColumns = keysOf(WaitingCaller.shape);

const printWaitingCsv = (terminal: Pick<Terminal, 'print'>, callers: readonly WaitingCaller[]): void => {
  const file = forSpreadsheets(terminal);
  printCsv(file, csvColumns);
  for (const caller of callers)
    printCsv(
      file,
      csvColumns.map((column) => caller[column]),
    );
};

/** What became of all missed calls of the question, and as of when. */
const missedSummary = ({ counts, returnedAfterSeconds, asOf }: Waiting): string => {
  const missed = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const after =
    returnedAfterSeconds === undefined ? '' : ` (half of them within ${durationText(returnedAfterSeconds)})`;
  const apart = [
    [counts['no-number'], 'without a number'],
    [counts['shared-number'], 'of shared numbers'],
    [counts.erased, 'of erased customers'],
  ] as const;
  const parts = [
    `${counted(missed, 'missed call')}: ${counts.open} open`,
    `${counts.returned} returned${after}`,
    `${counts['rang-again']} rang again`,
    ...apart.flatMap(([count, text]) => (count === 0 ? [] : [`${count} ${text}`])),
  ];
  return `${parts.join(', ')}. As of ${asOf}: a callback that comes later may close a call.`;
};
