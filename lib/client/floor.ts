import { type Agent, isLoggedOut } from '../agents/agent.ts';
import { afterSnapshot, agentKey, agentsKey, feedKey, snapshotsKey } from '../agents/agent-rows.ts';
import { staleAfterSeconds } from '../agents/feed.ts';
import type { AgentNow, FeedNow, FloorSnapshot } from '../contract/rows.ts';
import type { Facts } from '../core/objects.ts';
import { readAgentNow, readFeedNow, readSnapshotPart } from './row-readers.ts';
import { allRows, type Item, type TableReader, tableKey } from './table-reader.ts';

/** What stands in for a picture of the floor before the first answer of the service: there is none. */
export interface NeverPolledFreshness {
  readonly freshness: 'none';
  readonly feed: FeedNow | undefined;
}

/** A picture that is kept up. */
export interface LiveFreshness {
  readonly freshness: 'live';
  readonly feed: FeedNow;
  /** The instant that it is true for. */
  readonly asOf: string;
  /** How old it is by the reader’s clock; never negative. */
  readonly ageSeconds: number;
}

/** A picture that is not kept up any more: what was known last, which may be otherwise by now. */
export interface StaleFreshness {
  readonly freshness: 'stale';
  readonly feed: FeedNow;
  /** The instant that it was true for. */
  readonly asOf: string;
  /** How old it is by the reader’s clock; never negative. */
  readonly ageSeconds: number;
}

/** How old the picture of the floor is. It is stale as soon as the reader’s clock has passed `feed.staleAt`. */
export type Freshness = NeverPolledFreshness | LiveFreshness | StaleFreshness;

/**
 * Who is logged in, by id, and how old that is: agents who are known to be there are under another name than those who
 * were there when they were last seen, so that nobody takes one for the other without looking.
 */
export type Floor =
  | NeverPolledFreshness
  | (LiveFreshness & { readonly agents: readonly AgentNow[] })
  | (StaleFreshness & { readonly lastKnownAgents: readonly AgentNow[] });

/** A part of a picture that was read without looking how old it is; `feed()` tells. */
export interface LastKnown<T> {
  readonly lastKnown: T;
}

/** An agent on a floor of the past. */
export type SnapshotAgent = Readonly<Agent>;

/**
 * The whole floor as it was at a past moment, since `at`. Interruptions are dated to when the picture became stale, but
 * written by the next poll: while nobody polls at all, the last floor passes for live for up to a day.
 */
export type FloorAt =
  | {
      readonly freshness: 'live';
      readonly at: string;
      readonly asOf: string;
      readonly agents: readonly SnapshotAgent[];
    }
  /** The feed was interrupted then: this is what was known, true for `asOf`. */
  | {
      readonly freshness: 'stale';
      readonly at: string;
      readonly asOf: string | undefined;
      readonly lastKnownAgents: readonly SnapshotAgent[];
    };

/** After which millisecond since the epoch a picture is stale. */
export const staleAfterMs = ({ staleAt }: FeedNow, asOf: string): number =>
  staleAt === undefined ? Date.parse(asOf) + staleAfterSeconds * 1000 : Date.parse(staleAt);

/**
 * How old the picture is, by the reader's own clock: whoever should have noted that it is kept up no more may have
 * stopped too. A clock that is behind finds no picture of the future, but one of no age.
 */
export const freshnessOf = (feed: FeedNow | undefined, now: Date): Freshness => {
  if (feed?.asOf === undefined) return { freshness: 'none', feed };

  const { asOf, status } = feed;
  const isStale = status !== 'live' || now.getTime() > staleAfterMs(feed, asOf);
  const ageSeconds = Math.max(0, (now.getTime() - Date.parse(asOf)) / 1000);
  return { freshness: isStale ? 'stale' : 'live', feed, asOf, ageSeconds };
};

/** What a floor's rows say, however old they are. */
export interface FloorRows {
  readonly feed: FeedNow | undefined;
  readonly agents: readonly AgentNow[];
}

/** The floor by a reader's clock. */
export const floorOf = ({ feed, agents }: FloorRows, now: Date): Floor => {
  const picture = freshnessOf(feed, now);
  switch (picture.freshness) {
    case 'none':
      return picture;
    case 'live':
      return { ...picture, agents };
    case 'stale':
      return { ...picture, lastKnownAgents: agents };
  }
};

/** The row that says how old the floor is, if the account was ever polled. */
export const readFeed = async (table: TableReader, account: string): Promise<FeedNow | undefined> => {
  const row = await table.row(feedKey(account));
  return row && readFeedNow(row);
};

/** An agent, if on the floor: the row of one who has left stands for a moment longer. */
export const readAgent = async (table: TableReader, account: string, id: string): Promise<AgentNow | undefined> => {
  const row = await table.row(agentKey(account, id));
  const agent = row && readAgentNow(row);
  return agent === undefined || isLoggedOut(agent) ? undefined : agent;
};

/**
 * The feed and all agents, by id. The feed's row sorts last and is read first: a poll that is written between two requests
 * then leaves agents newer than `asOf` says, and never older.
 */
export const readFloor = async (table: TableReader, account: string, signal?: AbortSignal): Promise<FloorRows> => {
  const query = { ...tableKey, partition: agentsKey(account), isBackwards: true };
  const rows = await allRows(table, query, signal);

  const { sk: feedSk } = feedKey(account);
  const { sk: agentSk } = agentKey(account, '');
  const feed = rows.find(({ sk }) => sk === feedSk);
  const agents = rows.filter(({ sk }) => String(sk).startsWith(agentSk)).map(readAgentNow);
  return { feed: feed && readFeedNow(feed), agents: agents.filter((agent) => !isLoggedOut(agent)).reverse() };
};

/** While polls succeed, a floor is kept at least once on every day of the account's calendar: one has 25 hours. */
const maxLiveMs = (25 * 3600 + staleAfterSeconds) * 1000;

/** The floor at a moment, from the parts of the newest one that was kept by then; undefined if there are none. */
export const snapshotFloor = (parts: readonly FloorSnapshot[], moment: string): FloorAt | undefined => {
  const [floor] = parts;
  if (floor === undefined) return undefined;

  const { at, asOf, status } = floor;
  const agents = parts.flatMap((part) => part.agents);
  const isKeptUp = Date.parse(moment) - Date.parse(at) <= maxLiveMs;
  return status === 'live' && asOf !== undefined && isKeptUp
    ? { freshness: 'live', at, asOf, agents }
    : { freshness: 'stale', at, asOf, lastKnownAgents: agents };
};

/** DynamoDB removes rows up to days after they expire, one by one and in no order. */
const isExpired = ({ expiresAt }: Facts, now: Date): boolean =>
  typeof expiresAt === 'number' && expiresAt * 1000 <= now.getTime();

/**
 * The newest floor that was kept up to a moment, in its parts, of which the last is read first and says how many there
 * are: a floor of one part costs one row. A floor that lacks parts is just being kept and does not count yet, so the one
 * before it is taken. One that has expired is not there, whether removed or not: an older one would not be what was.
 */
export const readSnapshotAt = async (
  table: TableReader,
  account: string,
  { moment, now }: { readonly moment: string; readonly now: Date },
): Promise<readonly FloorSnapshot[] | undefined> => {
  const query = { ...tableKey, partition: snapshotsKey(account), to: afterSnapshot(moment), isBackwards: true };
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
