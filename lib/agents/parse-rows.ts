import * as z from 'zod/mini';
import type { Facts } from '../core/collections.ts';
import { readRow } from '../core/validate.ts';
import type { CurrentAgent } from './agent.ts';
import { Agent, Feed, FeedChange, Snapshot } from './schema.ts';

/*
 * The rows of the agents' table as functions read them again: what the contract declares of them, and what is internal. A
 * newer version may have written fields that this one does not know, so they are left out.
 */

const StoredAgent = z.object(Agent.shape);

const CurrentAgentRow = z.object({
  ...Agent.shape,
  version: z.int().check(z.positive()),
  changedAt: z.string(),
  recordedAt: z.string(),
  intervalFrom: z.string(),
});

const SnapshotRow = z.extend(Snapshot, { agents: z.readonly(z.array(z.readonly(StoredAgent))) });

/** The agent in a row; undefined if something else wrote the row. */
export const agentIfAny = (row: Facts): CurrentAgent | undefined => CurrentAgentRow.safeParse(row).data;

/** The agent in a row. Throws if something else wrote the row, as the others do. */
export const agentOf = (row: Facts): CurrentAgent => readRow(CurrentAgentRow, row);

/** The feed in a row. */
export const feedOf = (row: Facts): Feed => readRow(Feed, row);

/** The change of a feed in a row. */
export const feedChangeOf = (row: Facts): FeedChange => readRow(FeedChange, row);

/** The part of a snapshot in a row. */
export const snapshotOf = (row: Facts): Snapshot => readRow(SnapshotRow, row);
