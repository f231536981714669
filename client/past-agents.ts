import { afterSnapshot, feedChangesKey, snapshotsKey } from '../lib/agents/rows.ts';
import { type Agent, staleAfterSeconds } from '../lib/agents/schema.ts';
import type { FeedChange, FloorSnapshot } from '../lib/contract/rows.ts';
import { justBefore } from '../lib/core/time.ts';
import type { Row } from '../lib/storage/rows.ts';
import type { InstantRange } from './arguments.ts';
import { tableKey } from './query-keys.ts';
import { readFeedChange, readSnapshotCounts, readSnapshotPart } from './read-rows.ts';
import { allRows, type StoredItem, type TableReader } from './table-reader.ts';

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
 * snapshot of one part costs one row. A snapshot that lacks parts is still being written: the one before it counts. An expired
 * snapshot ends the search even where its row still exists, because an older one would be wrong.
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
