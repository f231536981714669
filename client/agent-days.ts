import { timelineKey } from '../lib/agents/rows.ts';
import type { AgentInterval, FeedNow } from '../lib/contract/rows.ts';
import { justBefore, secondsBetween } from '../lib/core/time.ts';
import type { DayBounds } from './arguments.ts';
import { tableKey } from './query-keys.ts';
import { readAgentInterval } from './read-rows.ts';
import { allRows, type TableReader } from './table-reader.ts';

export interface AgentDay {
  readonly agentId: string;
  /** As in 2026-11-21. */
  readonly day: string;
  readonly timeZone: string;
  readonly start: string;
  /** The instant at which the day ends: 23 or 25 hours later on a day when clocks change. */
  readonly end: string;
  /** Oldest first. The last one has no `to` while it is open. */
  readonly intervals: readonly AgentInterval[];
  /**
   * Seconds in each state. An open interval counts up to `upTo` (pass the feed's `asOf`) or to the end of the day,
   * whichever is earlier. Without `upTo` it does not count.
   */
  readonly secondsByState: (upTo: Date | string | undefined) => SecondsByState;
}

export interface AgentDaysQuery {
  readonly account: string;
  readonly agentId: string;
  /** Consecutive days. */
  readonly days: readonly DayBounds[];
  /** Only the intervals from this instant on. By default all of these days. */
  readonly since?: string | undefined;
}

/** The intervals of each of an agent's days, oldest first. Throws a RangeError if they were divided in another time zone. */
export const readAgentDays = async (
  table: TableReader,
  { account, agentId, days, since }: AgentDaysQuery,
): Promise<readonly (readonly AgentInterval[])[]> => {
  const from = since ?? days[0]?.start;
  const end = days.at(-1)?.end;
  const query = { ...tableKey, partition: timelineKey(account, agentId), from, to: end && justBefore(end) };
  const intervals = (await allRows(table, query)).map(readAgentInterval);
  const ofDays = days.map((day) =>
    intervals.filter((interval) => day.start <= interval.from && interval.from < day.end),
  );
  if (days.every(({ start, end }, index) => ofDays[index]?.every((interval) => fitsDay(interval, start, end))))
    return ofDays;
  throw new RangeError(
    'timeZone: expected the account’s. The intervals of this day are divided at the midnights of another zone.',
  );
};

/** An interval ends with the day at the latest. An interval that continues from the day before begins at the day's start. */
const fitsDay = ({ since, from, to }: AgentInterval, start: string, end: string): boolean =>
  (to === undefined || to <= end) && (since === from || from === start);

/**
 * Until when a day of agents is known: up to the feed's `asOf`, within the day and never beyond now. Without any poll nothing is
 * known, and the answer is the day's start.
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
  const cut = upTo !== undefined && upTo > end ? end : upTo;
  const seconds: { [State in AgentInterval['state']]?: number } = {};
  for (const interval of intervals) {
    const lasted = interval.seconds ?? Math.max(0, secondsBetween(interval.from, cut ?? interval.from));
    seconds[interval.state] = (seconds[interval.state] ?? 0) + lasted;
  }
  return seconds;
};
