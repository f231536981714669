import { listedAtOf } from '../lib/calls/call-keys.ts';
import { isConversation } from '../lib/contract/conversations.ts';
import { defaultReturnSeconds, type MissedCall, missedCallJudge } from '../lib/contract/missed-callers.ts';
import type { Call, ListedCall } from '../lib/contract/rows.ts';
import { isMissed } from '../lib/contract/rules.ts';
import { maxUnderWaySeconds } from '../lib/contract/wait-ends.ts';
import { callerKey } from '../lib/telephony/caller-key.ts';
import type { InstantRange } from './arguments.ts';
import { type CallsTable, readCallsByTime } from './calls-by-time.ts';
import { customerCallList, type NumberedTables, readNumbering, sameCaller } from './customer-calls.ts';
import { judgedByRows } from './missed-calls.ts';

/** What became of a missed call, and of which missed calls a call ended the wait. */
export interface CallWait {
  /** When the answer was true: a call that arrives later may end a wait. */
  readonly asOf: string;
  /** Of a missed call. */
  readonly missed: WaitOfMissed | undefined;
  /** The missed calls whose wait this call ended, newest first. */
  readonly ended: readonly MissedCall[];
  /**
   * Whether each call of the account was looked at that may decide. Where these are too many, only the caller's calls with a usual
   * spelling of the number were.
   */
  readonly isComplete: boolean;
}

export interface WaitOfMissed extends MissedCall {
  /** The call that ended the wait. */
  readonly endedBy: ListedCall | undefined;
  /** The other missed calls of the same wait, newest first: with the same end, or as open as this one. */
  readonly attempts: readonly ListedCall[];
}

/** At a request for 1,000 calls. The index by customer takes a request for each usual spelling, and so one for ten of these. */
const mostLookedThrough = 10_000;

/** Calls that are looked at one after the other are about the same range, so that a client that keeps lists reads it once. */
const keptSeconds = 6 * 3_600;

const rounded = (ms: number, round: (steps: number) => number, seconds: number): string =>
  new Date(round(ms / (seconds * 1_000)) * seconds * 1_000).toISOString();

/** What may end the wait of a call, and the calls whose wait it may have ended. */
const rangeAround = (
  listedAt: string,
  step: number,
): Required<InstantRange> & { readonly from: string; readonly to: string } => {
  const at = Date.parse(listedAt);
  return {
    from: rounded(at - (defaultReturnSeconds + maxUnderWaySeconds) * 1_000, Math.floor, step),
    to: rounded(at + defaultReturnSeconds * 1_000, Math.ceil, step),
  };
};

interface WaitTables extends NumberedTables, CallsTable {
  readonly clock: () => Date;
}

/** The calls of a range that may decide; where the range has too many, those that the index has of the caller. */
const readDeciding = async (
  tables: WaitTables,
  range: InstantRange,
  { number, isWanted }: { readonly number: string | undefined; readonly isWanted: (call: ListedCall) => boolean },
) => {
  const listed = await readCallsByTime(tables, { ...range, most: mostLookedThrough }, isWanted);
  if (!('moreThan' in listed)) return { calls: listed, isComplete: true };
  const calls: ListedCall[] = [];
  if (number !== undefined) {
    const usualSpellings = { calls: [], isComplete: false };
    for await (const call of customerCallList(tables, { number, ...range }, usualSpellings))
      if (isWanted(call)) calls.push(call);
  }
  return { calls, isComplete: false };
};

/** By the rule of `missedCalls`, with its default time, of one call. */
export const readCallWait = async (tables: WaitTables, call: Call): Promise<CallWait> => {
  const asOf = tables.clock().toISOString();
  if (!isMissed(call) && !isConversation(call)) return { asOf, missed: undefined, ended: [], isComplete: true };
  const { customerNumber: number, callId, linkedCallId } = call;
  const numbering = await readNumbering(tables);
  const listedAt = listedAtOf({ facts: call, deliveries: call.deliveries });
  const isNumber = number !== undefined && callerKey(number, numbering.country) !== undefined;
  const isCaller = isNumber ? sameCaller(number, numbering.country) : () => false;
  const isNamed = (one: ListedCall) => one.callId === callId || one.callId === linkedCallId;
  const isWanted = (one: ListedCall) =>
    isNamed(one) || one.linkedCallId !== undefined || ((isConversation(one) || isMissed(one)) && isCaller(one));
  const range = rangeAround(listedAt ?? call.firstReceivedAt, tables.kept === undefined ? 1 : keptSeconds);
  const { calls, isComplete } = await readDeciding(tables, range, { number, isWanted });

  const judge = missedCallJudge(calls, numbering);
  const judged = await judgedByRows(tables, calls, judge, (one) => isNamed(one) || isCaller(one));
  const missed = judged.find((one) => one.call.callId === callId);
  const isOfSameWait = (one: MissedCall) =>
    one.caller !== undefined &&
    one.caller === missed?.caller &&
    one.state === missed.state &&
    one.answeredBy?.callId === missed.answeredBy?.callId;
  return {
    asOf,
    missed: missed && {
      ...missed,
      endedBy: calls.find((one) => one.callId === missed.answeredBy?.callId),
      attempts: judged.flatMap((one) => (one !== missed && isOfSameWait(one) ? [one.call] : [])),
    },
    ended: judged.filter(({ answeredBy }) => answeredBy?.callId === callId),
    isComplete,
  };
};
