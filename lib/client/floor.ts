import { isLoggedOut } from '../agents/diff-agents.ts';
import { afterSnapshot, agentKey, agentsKey, pollStatusKey, snapshotsKey } from '../agents/rows.ts';
import { type Agent, staleAfterSeconds } from '../agents/schema.ts';
import type { AgentNow, FeedNow, FloorSnapshot } from '../contract/rows.ts';
import type { Row } from '../storage/rows.ts';
import { readAgentNow, readFeedNow, readSnapshotPart } from './row-readers.ts';
import { allRows, type Item, type TableReader, tableKey } from './table-reader.ts';

/** No poll has succeeded yet, so nothing is known about the agents. */
export interface NeverPolledFreshness {
  readonly freshness: 'none';
  readonly feed: FeedNow | undefined;
}

interface PolledFreshness {
  readonly feed: FeedNow;
  /** The instant of the last successful poll. */
  readonly asOf: string;
  /** How old it is by the reader’s clock; never negative. */
  readonly ageSeconds: number;
}

/** Polls succeed. */
export interface LiveFreshness extends PolledFreshness {
  readonly freshness: 'live';
}

/** Polls no longer succeed: what was known last may have changed since. */
export interface StaleFreshness extends PolledFreshness {
  readonly freshness: 'stale';
}

/** How old the data about agents is. It is stale as soon as the reader’s clock has passed `feed.staleAt`. */
export type Freshness = NeverPolledFreshness | LiveFreshness | StaleFreshness;

/** The logged-in agents, by id, and how old that data is. Live and stale agents have different names on purpose. */
export type Floor =
  | NeverPolledFreshness
  | (LiveFreshness & { readonly agents: readonly AgentNow[] })
  | (StaleFreshness & { readonly lastKnownAgents: readonly AgentNow[] });

/** Data that was read without its age; `feed()` has that. */
export interface LastKnown<T> {
  readonly lastKnown: T;
}

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

/** The last millisecond since the epoch at which the data is live. */
export const staleAfterMs = ({ staleAt }: FeedNow, asOf: string): number =>
  staleAt === undefined ? Date.parse(asOf) + staleAfterSeconds * 1000 : Date.parse(staleAt);

/**
 * How old the data is by the reader's own clock, because a poller that has stopped writes no `interrupted`. For a clock
 * that is behind, the age is zero and not negative.
 */
export const freshnessOf = (feed: FeedNow | undefined, now: Date): Freshness => {
  if (feed?.asOf === undefined) return { freshness: 'none', feed };

  const { asOf, status } = feed;
  const isStale = status !== 'live' || now.getTime() > staleAfterMs(feed, asOf);
  const ageSeconds = Math.max(0, (now.getTime() - Date.parse(asOf)) / 1000);
  return { freshness: isStale ? 'stale' : 'live', feed, asOf, ageSeconds };
};

export interface FloorRows {
  readonly feed: FeedNow | undefined;
  readonly agents: readonly AgentNow[];
}

export const floorOf = ({ feed, agents }: FloorRows, now: Date): Floor => {
  const freshness = freshnessOf(feed, now);
  switch (freshness.freshness) {
    case 'none':
      return freshness;
    case 'live':
      return { ...freshness, agents };
    case 'stale':
      return { ...freshness, lastKnownAgents: agents };
  }
};

export const readFeed = async (table: TableReader, account: string): Promise<FeedNow | undefined> => {
  const row = await table.row(pollStatusKey(account));
  return row && readFeedNow(row);
};

/** A logged-in agent. The row of one who logged out exists for a moment longer, and is ignored. */
export const readAgent = async (table: TableReader, account: string, id: string): Promise<AgentNow | undefined> => {
  const row = await table.row(agentKey(account, id));
  const agent = row && readAgentNow(row);
  return agent === undefined || isLoggedOut(agent) ? undefined : agent;
};

/**
 * The feed and all agents, by id. Reads backwards, so that the feed's row comes first. A poll that is written between two
 * requests then makes agents newer than `asOf`, and never older.
 */
export const readFloor = async (table: TableReader, account: string, signal?: AbortSignal): Promise<FloorRows> => {
  const query = { ...tableKey, partition: agentsKey(account), isBackwards: true };
  const rows = await allRows(table, query, signal);

  const { sk: statusSk } = pollStatusKey(account);
  const { sk: agentSk } = agentKey(account, '');
  const feed = rows.find(({ sk }) => sk === statusSk);
  const agents = rows.filter(({ sk }) => String(sk).startsWith(agentSk)).map(readAgentNow);
  return { feed: feed && readFeedNow(feed), agents: agents.filter((agent) => !isLoggedOut(agent)).reverse() };
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
  let after: Item | undefined;
  let missing = 1;
  do {
    const { rows, next } = await table.portion(query, { after, limit: missing });
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
