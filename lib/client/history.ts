import { afterSnapshot, feedChangesKey, snapshotsKey } from '../agents/rows.ts';
import type { FeedChange, FloorSnapshot } from '../contract/rows.ts';
import { justBefore } from '../core/time.ts';
import type { InstantRange } from './calls.ts';
import { readFeedChange, readSnapshotCounts } from './row-readers.ts';
import { allRows, type TableReader, tableKey } from './table-reader.ts';

/** How many agents were in each state from `at` on, until the next snapshot. */
export type FloorCounts = Pick<FloorSnapshot, 'at' | 'asOf' | 'status' | 'counts'>;

/** A portion of the history of the agents, newest first. `next` is where the portion before it ends, if there is one. */
export interface FloorHistory {
  readonly moments: readonly FloorCounts[];
  readonly next: string | undefined;
}

const countsFields = ['account', 'at', 'asOf', 'status', 'part', 'parts', 'counts'] as const;

/**
 * The counts of one portion of the snapshots in a range: one request, which DynamoDB ends at 1 MB of whole snapshots. Each
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
  const { rows, next } = await table.portion(query, { limit });
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
