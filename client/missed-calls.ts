import * as z from 'zod/mini';
import { CallLeg } from '../lib/calls/schema.ts';
import { isConversation, isOutgoing, spokeWithCustomer } from '../lib/contract/conversations.ts';
import {
  defaultReturnSeconds,
  type MissedCall,
  type MissedJudge,
  missedCallJudge,
  type WaitingCaller,
  waitingCallers,
} from '../lib/contract/missed-callers.ts';
import { Call, type ListedCall } from '../lib/contract/rows.ts';
import { isMissed, type MissedState, missedStates } from '../lib/contract/rules.ts';
import { maxUnderWaySeconds } from '../lib/contract/wait-ends.ts';
import { mapValues } from '../lib/core/collections.ts';
import {
  type CallDay,
  type CallRange,
  instantsArgument,
  numberArgument,
  pastArgument,
  rangeArgument,
} from './arguments.ts';
import { median } from './call-figures.ts';
import { rowsOfCalls, type TooManyCalls } from './calls.ts';
import { type CallsTable, daySeconds, defaultMostCalls, type LookThrough, readCallsByTime } from './calls-by-time.ts';
import { type NumberedTables, readNumbering } from './customer-calls.ts';
import { rowReader } from './read-rows.ts';

/** Which missed calls are asked for, and what ends the wait of their callers. */
export interface MissedQuestion extends LookThrough {
  /** Only the calls that nobody has returned yet. Default: all missed calls. */
  readonly open?: boolean | undefined;
  /** Within how many seconds after a missed call another one ends the wait, up to 31 days. Default: a day. */
  readonly withinSeconds?: number | undefined;
  /** As it was at an instant of the past: calls that started later neither count nor end a wait. Default: now. */
  readonly asOf?: Date | string | undefined;
}

export interface MissedCalls {
  /** When the answer was true: a callback that arrives later may end a wait. */
  readonly asOf: string;
  /** The missed calls of the range, newest first. */
  readonly calls: readonly MissedCall[];
  /** Who waits: a row for each caller of the open calls. The most attempts come first, then the longest waiting. */
  readonly waiting: readonly WaitingCaller[];
  /** How many missed calls there are of each state: of all of the range, also where only open ones are asked for. */
  readonly counts: Readonly<Record<MissedState, number>>;
  /** The middle of the times after which calls were returned; undefined if none was. */
  readonly returnedAfterSeconds: number | undefined;
}

/** What is to say of some missed calls: who waits, how many are of each state, and how soon they were returned. */
export const missedAnswer = (calls: readonly MissedCall[], asOf: string): MissedCalls => {
  const byState = Map.groupBy(calls, ({ state }) => state);
  const returned = (byState.get('returned') ?? []).flatMap(({ answeredBy }) => answeredBy?.afterSeconds ?? []);
  return {
    asOf,
    calls,
    waiting: waitingCallers(calls, asOf),
    counts: mapValues(missedStates, (_, state) => byState.get(state)?.length ?? 0),
    returnedAfterSeconds: returned.length === 0 ? undefined : median(returned),
  };
};

const maxReturnSeconds = 31 * daySeconds;

const after = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString();

/** The range of a question that names none. */
export const lastDay = (asOf: string) => ({ from: after(asOf, -daySeconds), to: asOf });

/**
 * What to read: the range, before it what may still be under way, and beyond its end what may end a wait, but nothing that started
 * after the moment of the question.
 */
const readingFor = (
  { withinSeconds, asOf: moment, maxCalls, open: _open, onProgress: _onProgress, ...asked }: AnyQuestion,
  now: Date,
) => {
  const within = numberArgument('withinSeconds', withinSeconds ?? defaultReturnSeconds, maxReturnSeconds);
  const past = moment === undefined ? undefined : pastArgument('asOf', moment, now);
  const asOf = past ?? now.toISOString();
  const isLastDay = Object.values(asked).every((limit) => limit === undefined);
  const { from, to } = rangeArgument(isLastDay ? lastDay(asOf) : asked);
  const ends = [past, to && after(to, within)].filter((end) => end !== undefined);
  const { to: end } = instantsArgument(['from', from], ['asOf', ends.toSorted()[0]]);
  return {
    asOf,
    missedRange: { from: from ?? '', to: to ?? asOf },
    range: { from: from && after(from, -maxUnderWaySeconds), to: end },
    withinSeconds: within,
    most: maxCalls ?? defaultMostCalls({ from, to: end }, asOf),
  };
};

type AnyQuestion = MissedQuestion & (CallRange | CallDay);

const sideFields = { status: true, agentIds: true, agentStatuses: true, customerStatuses: true } as const;
const LegSides = z.pick(CallLeg, sideFields);
const SidesOfRow = z.extend(z.pick(Call, { ...sideFields, type: true }), {
  legs: z.optional(z.readonly(z.array(LegSides))),
});
const readSides = rowReader('Call', SidesOfRow);

/**
 * Judges missed calls by the rows of the outgoing calls that would end a wait, and of no others: a list lacks what says whether the
 * customer took part. Where one did not, the next call would end the wait, and its row is read in turn. Most questions take one
 * BatchGetItem for each 100 of these calls. A call whose row is gone counts as its entry shows it.
 */
export const judgedByRows = async (
  { calls, account, kept }: CallsTable,
  listed: readonly ListedCall[],
  judge: MissedJudge<ListedCall>,
  isAsked: (missed: ListedCall) => boolean,
): Promise<readonly MissedCall[]> => {
  const outgoing = listed.filter(isOutgoing);
  const unread = new Set<string>();
  const inVain = new Set<string>();
  for (const call of outgoing) {
    const isSpoken = kept?.conversations.of(call);
    if (isSpoken === undefined) unread.add(call.callId);
    else if (!isSpoken) inVain.add(call.callId);
  }
  for (;;) {
    const missed = judge(inVain).filter(({ call }) => isAsked(call));
    const ending = missed
      .flatMap(({ answeredBy }) => answeredBy?.callId ?? [])
      .filter((callId) => unread.delete(callId));
    if (ending.length === 0) return missed;
    for (const row of await rowsOfCalls(calls, account, ending)) {
      const isSpoken = spokeWithCustomer(readSides(row));
      kept?.conversations.keep(row, isSpoken);
      if (!isSpoken) inVain.add(String(row['callId']));
    }
  }
};

/**
 * Reads the account's calls by time. They have the missed calls and whatever came later, in any spelling of a number, at one
 * request for 1,000 calls. The index by customer would take a request for each spelling of each caller: for 1,000 missed among
 * 6,000 calls 8,000 requests instead of 10, and fewer only where less than one call of 5,000 is missed. So the range has a limit.
 */
export const readMissedCalls = async (
  { clock, ...tables }: NumberedTables & CallsTable & { readonly clock: () => Date },
  question: AnyQuestion,
): Promise<MissedCalls | TooManyCalls> => {
  const { asOf, missedRange, range, withinSeconds, most } = readingFor(question, clock());
  const isAsked = ({ listedAt }: ListedCall) => listedAt >= missedRange.from && listedAt <= missedRange.to;
  const mayDecide = (call: ListedCall) =>
    isConversation(call) || call.linkedCallId !== undefined || (isMissed(call) && isAsked(call));
  const numbering = await readNumbering(tables);
  const { onProgress } = question;
  const relevant = await readCallsByTime(tables, { ...range, most, onProgress }, mayDecide);
  if ('moreThan' in relevant) return relevant;

  const judge = missedCallJudge(relevant, { ...numbering, withinSeconds });
  const missed = await judgedByRows(tables, relevant, judge, isAsked);
  const answer = missedAnswer(missed, asOf);
  return question.open === true ? { ...answer, calls: missed.filter(({ state }) => state === 'open') } : answer;
};
