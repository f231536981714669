import { stateKey, timelineKey } from '../agents/rows.ts';
import type { AgentInState, AgentInterval, FeedNow } from '../contract/rows.ts';
import { justBefore, secondsBetween } from '../core/time.ts';
import type { LoggedInState } from '../telephony/vocabularies.ts';
import type { DayBounds } from './arguments.ts';
import { readAgentInState, readAgentInterval } from './row-readers.ts';
import { allRows, byState, type TableReader, tableKey } from './table-reader.ts';

export interface AgentDay {
  readonly agentId: string;
  /** As in 2026-11-21. */
  readonly day: string;
  readonly timeZone: string;
  readonly start: string;
  /** The instant at which it ends: 23 or 25 hours later on a day when clocks change. */
  readonly end: string;
  /** Oldest first. The last one has no `to` while it is open. */
  readonly intervals: readonly AgentInterval[];
  /**
   * Seconds in each state. An open interval counts up to `upTo` (pass the feed's `asOf`) or to the end of the day,
   * whichever is earlier. Without `upTo` it does not count.
   */
  readonly secondsByState: (upTo: Date | string | undefined) => SecondsByState;
}

export interface AgentDayQuery {
  readonly account: string;
  readonly agentId: string;
  readonly bounds: DayBounds;
}

/** The intervals of an agent's day, oldest first. Throws a RangeError if they were divided in another time zone. */
export const readAgentDay = async (
  table: TableReader,
  { account, agentId, bounds: { start, end } }: AgentDayQuery,
): Promise<readonly AgentInterval[]> => {
  const query = { ...tableKey, partition: timelineKey(account, agentId), from: start, to: justBefore(end) };
  const intervals = (await allRows(table, query)).map(readAgentInterval);
  if (intervals.every((interval) => fitsDay(interval, start, end))) return intervals;
  throw new RangeError(
    'timeZone: expected the account’s. The intervals of this day are divided at the midnights of another zone.',
  );
};

/** An interval ends with the day at the latest. One that continues from the day before begins at the day's start. */
const fitsDay = ({ since, from, to }: AgentInterval, start: string, end: string): boolean =>
  (to === undefined || to <= end) && (since === from || from === start);

/**
 * Until when a day of agents is known: up to the feed's `asOf`, within the day and never beyond now. Never polled: nothing
 * is known, and it is the day's start.
 */
export const knownUpTo = (feed: Pick<FeedNow, 'asOf'> | undefined, { start, end }: DayBounds, now: Date): string => {
  if (feed?.asOf === undefined) return start;
  const [first = start] = [feed.asOf, now.toISOString(), end].toSorted();
  return first < start ? start : first;
};

/** Seconds in each state; states that the agent was not in are absent. */
export type SecondsByState = { readonly [State in AgentInterval['state']]?: number };

export const secondsByState = (
  intervals: readonly AgentInterval[],
  { upTo, end }: { readonly upTo: string | undefined; readonly end: string },
): SecondsByState => {
  const known = upTo !== undefined && upTo > end ? end : upTo;
  const seconds: { [State in AgentInterval['state']]?: number } = {};
  for (const interval of intervals) {
    const lasted = interval.seconds ?? Math.max(0, secondsBetween(interval.from, known ?? interval.from));
    seconds[interval.state] = (seconds[interval.state] ?? 0) + lasted;
  }
  return seconds;
};

export const readAgentsInState = async (
  table: TableReader,
  account: string,
  state: LoggedInState,
): Promise<readonly AgentInState[]> =>
  (await allRows(table, { ...byState, partition: stateKey(account, state) })).map(readAgentInState);
