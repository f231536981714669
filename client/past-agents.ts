import { afterSnapshot, feedChangesKey, snapshotsKey, timelineKey } from '../lib/agents/rows.ts';
import { type Agent, staleAfterSeconds } from '../lib/agents/schema.ts';
import type { AgentInterval, FeedChange, FeedNow, FloorSnapshot } from '../lib/contract/rows.ts';
import { justBefore, secondsBetween } from '../lib/core/time.ts';
import type { Row } from '../lib/storage/rows.ts';
import type { DayBounds, InstantRange } from './arguments.ts';
import { tableKey } from './query-keys.ts';
import { readAgentInterval, readFeedChange, readSnapshotCounts, readSnapshotPart } from './read-rows.ts';
import { allRows, type StoredItem, type TableReader } from './table-reader.ts';

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
  const cut = upTo !== undefined && upTo > end ? end : upTo;
  const seconds: { [State in AgentInterval['state']]?: number } = {};
  for (const interval of intervals) {
    const lasted = interval.seconds ?? Math.max(0, secondsBetween(interval.from, cut ?? interval.from));
    seconds[interval.state] = (seconds[interval.state] ?? 0) + lasted;
  }
  return seconds;
};

export type SnapshotAgent = Readonly<Agent>;

/**
 * All agents at a past instant, unchanged since `at`. An interruption has the time at which the data became stale, but the
 * next poll writes it. While nobody polls at all, the last snapshot therefore counts as live for up to a day.
 */
export type FloorAt =
  | {
      readonly freshness: 'live';
      readonly at: string;
      readonly asOf: string;
      readonly agents: readonly SnapshotAgent[];
    }
  /** The feed was interrupted then; this is what was known at `asOf`. */
  | {
      readonly freshness: 'stale';
      readonly at: string;
      readonly asOf: string | undefined;
      readonly lastKnownAgents: readonly SnapshotAgent[];
    };

/** While polls succeed, every calendar day of the account has a snapshot, and a day may have 25 hours. */
const maxLiveMs = (25 * 3600 + staleAfterSeconds) * 1000;

/** The agents at an instant, from the parts of the newest snapshot up to then; undefined without parts. */
export const snapshotFloor = (parts: readonly FloorSnapshot[], instant: string): FloorAt | undefined => {
  const [snapshot] = parts;
  if (snapshot === undefined) return undefined;

  const { at, asOf, status } = snapshot;
  const agents = parts.flatMap((part) => part.agents);
  const isRecent = Date.parse(instant) - Date.parse(at) <= maxLiveMs;
  return status === 'live' && asOf !== undefined && isRecent
    ? { freshness: 'live', at, asOf, agents }
    : { freshness: 'stale', at, asOf, lastKnownAgents: agents };
};

/** DynamoDB removes rows up to days after they expire, one by one and in no order. */
const isExpired = ({ expiresAt }: Row, now: Date): boolean =>
  typeof expiresAt === 'number' && expiresAt * 1000 <= now.getTime();

/**
 * The parts of the newest snapshot up to an instant. The last part is read first and has the number of parts, so that a
 * snapshot of one part costs one row. One that lacks parts is still being written: the one before it counts. An expired one
 * ends the search even where its row still exists, because an older one would be wrong.
 */
export const readSnapshotAt = async (
  table: TableReader,
  account: string,
  { instant, now }: { readonly instant: string; readonly now: Date },
): Promise<readonly FloorSnapshot[] | undefined> => {
  const query = { ...tableKey, partition: snapshotsKey(account), to: afterSnapshot(instant), isBackwards: true };
  let parts: readonly FloorSnapshot[] = [];
  let after: StoredItem | undefined;
  let missing = 1;
  do {
    const { rows, next } = await table.page(query, { after, limit: missing });
    for (const row of rows) {
      if (isExpired(row, now)) return undefined;
      const part = readSnapshotPart(row);
      parts = part.at === parts[0]?.at ? [part, ...parts] : [part];
      if (parts.length === part.parts) return parts;
      missing = part.parts - parts.length;
    }
    after = next;
  } while (after !== undefined);
  return undefined;
};

/** How many agents were in each state from `at` on, until the next snapshot. */
export type FloorCounts = Pick<FloorSnapshot, 'at' | 'asOf' | 'status' | 'counts'>;

/** A page of the history of the agents, newest first. `next` is where the page before it ends, if there is one. */
export interface FloorHistory {
  readonly moments: readonly FloorCounts[];
  readonly next: string | undefined;
}

const countsFields = ['account', 'at', 'asOf', 'status', 'part', 'parts', 'counts'] as const;

/**
 * The counts of one page of the snapshots in a range: one request, which DynamoDB ends at 1 MB of whole snapshots. Each
 * part of a snapshot has the counts of all parts, so one of them is enough.
 */
export const readFloorHistory = async (
  table: TableReader,
  account: string,
  { from, to, limit }: InstantRange & { readonly limit: number },
): Promise<FloorHistory> => {
  const query = {
    ...tableKey,
    partition: snapshotsKey(account),
    from,
    ...(to !== undefined && { to: afterSnapshot(to) }),
    isBackwards: true,
    fields: countsFields,
  };
  const { rows, next } = await table.page(query, { limit });
  const parts = rows.map(readSnapshotCounts);
  const last = parts.at(-1);
  return {
    moments: parts
      .filter(({ part, parts: all }) => part === all - 1)
      .map(({ at, asOf, status, counts }) => ({ at, asOf, status, counts })),
    next: next && last && justBefore(last.at),
  };
};

export const readFeedChanges = async (
  table: TableReader,
  account: string,
  { from, to }: InstantRange,
): Promise<readonly FeedChange[]> =>
  (await allRows(table, { ...tableKey, partition: feedChangesKey(account), from, to })).map(readFeedChange);
