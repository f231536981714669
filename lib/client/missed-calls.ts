import {
  defaultReturnSeconds,
  isConversation,
  type MissedCall,
  missedCallStates,
  type WaitingCaller,
  waitingCallers,
} from '../contract/missed-callers.ts';
import type { ListedCall } from '../contract/rows.ts';
import { isMissed, type MissedState, missedStates } from '../contract/rules.ts';
import { mapValues } from '../core/collections.ts';
import { joinedKey } from '../storage/rows.ts';
import { type CallDay, type CallRange, numberFrom, rangeFrom } from './arguments.ts';
import { median } from './call-figures.ts';
import { callList } from './calls.ts';
import { readAccount } from './customer-calls.ts';
import type { DayTables } from './day-agents.ts';
import { byTime } from './table-reader.ts';

/** Which missed calls are asked for, and what ends the wait of their callers. */
export interface MissedQuestion {
  /** Only the calls that nobody has returned yet. Default: all missed calls. */
  readonly open?: boolean | undefined;
  /** Within how many seconds after a missed call another one ends the wait, up to 31 days. Default: a day. */
  readonly withinSeconds?: number | undefined;
  /** Gets the number of calls read so far. */
  readonly onProgress?: ((calls: number) => void) | undefined;
}

/** How many missed calls there are of each state, and how soon they were returned. */
export interface MissedFigures {
  readonly counts: Readonly<Record<MissedState, number>>;
  /** The middle of the times after which calls were returned; undefined if none was. */
  readonly returnedAfterSeconds: number | undefined;
}

export interface MissedCalls extends MissedFigures {
  /** When the answer was true: a callback that arrives later may end a wait. */
  readonly asOf: string;
  /** The missed calls of the range, newest first. */
  readonly calls: readonly MissedCall[];
  /** Who waits: a row for each caller of the open calls. The most attempts come first, then the longest waiting. */
  readonly waiting: readonly WaitingCaller[];
}

export const missedFigures = (missed: readonly MissedCall[]): MissedFigures => {
  const byState = Map.groupBy(missed, ({ state }) => state);
  const returned = (byState.get('returned') ?? []).flatMap(({ answeredBy }) => answeredBy?.afterSeconds ?? []);
  return {
    counts: mapValues(missedStates, (_, state) => byState.get(state)?.length ?? 0),
    returnedAfterSeconds: returned.length === 0 ? undefined : median(returned),
  };
};

const [dayMs, maxReturnSeconds] = [86_400_000, 31 * 86_400];

/** The range of a question that names none. */
export const lastDay = (now: Date) => ({
  from: new Date(now.getTime() - dayMs).toISOString(),
  to: now.toISOString(),
});

const pageSize = 1_000;

/**
 * The account's calls by time have both the missed calls and whatever came later, in any spelling of a number: no query for each
 * caller is needed. Beyond the end of the range they are read for as long as a call may end a wait.
 */
export const readMissedCalls = async (
  { calls: table, agents, account, clock }: DayTables,
  {
    open = false,
    withinSeconds: within = defaultReturnSeconds,
    onProgress,
    ...asked
  }: MissedQuestion & (CallRange | CallDay),
): Promise<MissedCalls> => {
  const withinSeconds = numberFrom('withinSeconds', within, maxReturnSeconds);
  const now = clock();
  const asOf = now.toISOString();
  const isLastDay = Object.values(asked).every((limit) => limit === undefined);
  const { from, to } = rangeFrom(isLastDay ? lastDay(now) : asked);
  const latest = to && new Date(Date.parse(to) + withinSeconds * 1_000).toISOString();

  // A deployment that polls no agents has no such row: then numbers belong to the country of the call's time zone.
  const rules = (await readAccount(agents, account)) ?? {};
  const relevant: ListedCall[] = [];
  const isAsked = ({ listedAt }: ListedCall) => to === undefined || listedAt <= to;
  let read = 0;
  const list = callList(table, { ...byTime, partition: joinedKey(account), from, to: latest });
  for await (const { calls } of list.pages(pageSize)) {
    relevant.push(...calls.filter((call) => isConversation(call) || (isMissed(call) && isAsked(call))));
    read += calls.length;
    onProgress?.(read);
  }

  const missed = missedCallStates(relevant, { ...rules, withinSeconds });
  return {
    asOf,
    calls: open ? missed.filter(({ state }) => state === 'open') : missed,
    waiting: waitingCallers(missed, asOf),
    // Of all missed calls of the range, whichever are asked for.
    ...missedFigures(missed),
  };
};
