import { batchesByWeight, withoutUndefined } from '../core/collections.ts';
import { jsonBytes } from '../core/json.ts';
import { expiresAt } from '../core/time.ts';
import type { AgentsRow, Row } from '../storage/rows.ts';
import { type AgentsById, agentIn, countsByState, isLoggedOut } from './diff-agents.ts';
import { type AccountAgents, readFeed, type StorePorts } from './poll-context.ts';
import { afterSnapshot, snapshotOf, snapshotPartKey, snapshotsKey } from './rows.ts';
import type { Agent, Feed } from './schema.ts';

/** A snapshot to save: the agents at an instant, and the feed as it is then. */
interface SnapshotInput {
  readonly feed: Feed;
  readonly at: string;
  readonly agents: AgentsById;
  readonly retentionDays: number;
}

/** The result of the write that commits a snapshot. */
export interface WriteResult {
  /** The agents as they are stored now; undefined if another run has written the feed meanwhile. */
  readonly known: AccountAgents | undefined;
  /** Whether the snapshot counts, even if not all agents are written yet. */
  readonly isCommitted: boolean;
}

/**
 * Saves a snapshot, then runs the write that commits it. After a conflict the snapshot is deleted, because the agents
 * were never in that state. It stays if the feed names it: the response to a successful write can get lost.
 */
export const saveSnapshot = async (
  ports: StorePorts,
  { feed, at, agents, retentionDays }: SnapshotInput,
  write: () => Promise<WriteResult>,
): Promise<AccountAgents | undefined> => {
  const rows = snapshotRows(feed, at, agents, retentionDays);
  await ports.table.put(rows);
  const { known, isCommitted } = await write();
  if (isCommitted) return known;

  const now = await readFeed(ports, feed.account);
  if (now.poller.snapshotAt !== at) await ports.table.remove(rows);
  return undefined;
};

/** The rows of a snapshot. */
export const snapshotRows = (
  feed: Feed,
  at: string,
  agents: AgentsById,
  retentionDays: number,
): readonly AgentsRow[] => {
  const loggedIn = [...agents.values()].filter((agent) => !isLoggedOut(agent)).map(agentIn);
  const parts = partsOf(loggedIn);
  const counts = countsByState(agents);
  return parts.map((part, index) =>
    withoutUndefined({
      ...snapshotPartKey(feed.account, at, index),
      kind: 'floor',
      account: feed.account,
      at,
      asOf: feed.asOf,
      status: feed.status,
      part: index,
      parts: parts.length,
      counts,
      agents: part,
      expiresAt: expiresAt(at, retentionDays),
    }),
  );
};

/** DynamoDB limits an item to 400 KB. An agent has fewer bytes there than as JSON. */
const maxPartBytes = 350 * 1024;

/** Without agents there is still one part: it shows that nobody was logged in. */
const partsOf = (agents: readonly Agent[]): readonly (readonly Agent[])[] => {
  const parts = batchesByWeight(agents, maxPartBytes, jsonBytes);
  return parts.length === 0 ? [[]] : parts;
};

/** The agents in the snapshot of an instant, or undefined if a part of it is missing. */
export const readSnapshot = async ({ table }: StorePorts, account: string, at: string) => {
  const rows = await table.query(snapshotsKey(account), { from: at, to: afterSnapshot(at) });
  const [first] = rows;
  const isComplete = first !== undefined && rows.length === snapshotOf(first).parts;
  return isComplete ? agentsInSnapshot(rows) : undefined;
};

/** The agents in the parts of a snapshot. Throws if something else wrote a row. */
export const agentsInSnapshot = (rows: readonly Row[]): readonly Agent[] =>
  rows.flatMap((row) => snapshotOf(row).agents);

/** Deletes snapshots that an aborted run saved and never committed. */
export const deleteUncommitted = async ({ table }: StorePorts, { account, poller }: Feed): Promise<void> => {
  const from = poller.snapshotAt === undefined ? '0' : afterSnapshot(poller.snapshotAt);
  const rows = await table.query(snapshotsKey(account), { from, to: '~' });
  await table.remove(rows.map((row) => ({ pk: String(row['pk']), sk: String(row['sk']) })));
};
