import { isLoggedOut } from '../lib/agents/diff-agents.ts';
import { agentKey, agentsKey, pollStatusKey, stateKey } from '../lib/agents/rows.ts';
import { staleAfterSeconds } from '../lib/agents/schema.ts';
import type { AgentInState, AgentNow, FeedNow } from '../lib/contract/rows.ts';
import type { LoggedInState } from '../lib/telephony/vocabularies.ts';
import { byState, tableKey } from './query-keys.ts';
import { readAgentInState, readAgentNow, readFeedNow } from './read-rows.ts';
import { allRows, type TableReader } from './table-reader.ts';

/** No poll has succeeded yet, so nothing is known about the agents. */
export interface NeverPolledFreshness {
  readonly freshness: 'none';
  readonly feed: FeedNow | undefined;
}

interface PolledFreshness {
  readonly feed: FeedNow;
  /** The instant of the last successful poll. */
  readonly asOf: string;
  /** How old the data is by the reader’s clock; never negative. */
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
  if (freshness.freshness === 'none') return freshness;
  return freshness.freshness === 'live' ? { ...freshness, agents } : { ...freshness, lastKnownAgents: agents };
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

export const readAgentsInState = async (
  table: TableReader,
  account: string,
  state: LoggedInState,
): Promise<readonly AgentInState[]> =>
  (await allRows(table, { ...byState, partition: stateKey(account, state) })).map(readAgentInState);

export interface Watch {
  readonly read: (signal: AbortSignal | undefined) => Promise<FloorRows>;
  readonly clock: () => Date;
  /** Waits. Rejects and clears its timer when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly everyMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** The agents at once, and then whenever they change or become stale. Reads only when the next value is asked for. */
export async function* watchFloor(watch: Watch): AsyncGenerator<Floor, void> {
  let yielded: string | undefined;
  for await (const rows of lastRows(watch)) {
    const floor = floorOf(rows, watch.clock());
    const signature = signatureOf(floor);
    if (signature === yielded) continue;
    yielded = signature;
    yield floor;
  }
}

/** The rows that were read last: after each read, also a failed one, and when they become stale. */
async function* lastRows(watch: Watch): AsyncGenerator<FloorRows, void> {
  const { read, clock, pause, everyMs, signal, onError = rethrow } = watch;
  const isOver = () => signal?.aborted === true;
  let rows: FloorRows | undefined;
  let attemptedAtMs = Number.NEGATIVE_INFINITY;

  while (!isOver()) {
    const nowMs = clock().getTime();
    // After the clock was set back, the wait is one interval at most.
    const toReadMs = Math.min(everyMs, Math.max(0, attemptedAtMs + everyMs - nowMs));
    const toStaleMs = untilStaleMs(rows, nowMs);
    try {
      if (toReadMs > 0) await pause(Math.min(toReadMs, toStaleMs), signal);
      if (toReadMs <= toStaleMs) {
        attemptedAtMs = clock().getTime();
        rows = await read(signal);
      }
    } catch (error) {
      if (isOver()) return;
      onError(error);
    }
    if (rows !== undefined && !isOver()) yield rows;
  }
}

const rethrow = (error: unknown): never => {
  throw error;
};

/** Milliseconds until live data becomes stale; infinite if it is not live. */
const untilStaleMs = (rows: FloorRows | undefined, nowMs: number): number => {
  const feed = rows?.feed;
  if (feed?.asOf === undefined || feed.status !== 'live') return Number.POSITIVE_INFINITY;
  const leftMs = staleAfterMs(feed, feed.asOf) + 1 - nowMs;
  return leftMs > 0 ? leftMs : Number.POSITIVE_INFINITY;
};

/** Equal for equal agents: a growing age alone is no change. */
const signatureOf = ({ feed: _feed, ...floor }: Floor): string => JSON.stringify({ ...floor, ageSeconds: undefined });
