import * as z from 'zod';
import { batchesByWeight } from '../core/batches.ts';
import { expiresAt } from '../core/instant.ts';
import { type Facts, withoutUndefined } from '../core/objects.ts';
import { jsonBytes } from '../core/parse-json.ts';
import { field, instant } from '../schema/field.ts';
import { Agent, type CurrentAgent, isLoggedOut } from './agent.ts';
import { type AgentsRow, afterSnapshot, snapshotPartKey, snapshotsKey } from './agent-rows.ts';
import { type AgentsById, countsByState } from './diff-agents.ts';
import { Feed } from './feed.ts';
import { type Floor, type FloorPorts, readFeed } from './read-agents.ts';

/** A part of the whole floor as it was from an instant on, until the next one that was kept. */
export const Snapshot = z
  .object({
    at: field(instant, 'From when the floor was so.'),
    asOf: field(instant.optional(), 'When it was seen: earlier than `at` where the feed was interrupted then.'),
    status: field(Feed.shape.status, 'Whether the feed was live.'),
    part: field(z.int().nonnegative(), 'Which part this is, counted from 0.'),
    parts: field(z.int().positive(), 'How many parts the floor has: more than one beyond some 1,500 agents.'),
    counts: field(z.record(z.string(), z.int()), 'How many agents were in each state, in all parts together.'),
    agents: field(z.array(Agent).readonly(), 'Everybody who was logged in, by id.'),
  })
  .meta({ title: 'Floor snapshot' });
export type Snapshot = Readonly<z.infer<typeof Snapshot>>;

/** DynamoDB takes 400 KB a row; as JSON an agent is longer than there. */
const maxPartBytes = 350 * 1024;

const snapshotAgent = ({
  agentId,
  name,
  phoneNumber,
  state,
  stateAsSent,
  skills,
  since,
  loggedInSince,
}: CurrentAgent): Agent =>
  withoutUndefined({ agentId, name, phoneNumber, state, stateAsSent, skills, since, loggedInSince });

/** The rows that keep a whole floor. */
export const snapshotRows = (
  feed: Feed,
  at: string,
  agents: AgentsById,
  retentionDays: number,
): readonly AgentsRow[] => {
  const everybody = [...agents.values()].filter((agent) => !isLoggedOut(agent)).map(snapshotAgent);
  const parts = partsOf(everybody);
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

/** An empty floor is one part without agents. */
const partsOf = (agents: readonly Agent[]): readonly (readonly Agent[])[] => {
  const parts = batchesByWeight(agents, maxPartBytes, jsonBytes);
  return parts.length === 0 ? [[]] : parts;
};

/** Everybody on a kept floor, from its parts. Throws if a row was written by something else. */
export const agentsInSnapshot = (rows: readonly Facts[]): readonly Agent[] =>
  rows.flatMap((row) => Snapshot.parse(row).agents);

/** What is to be kept: the floor at an instant, as the feed then says of it. */
export interface SnapshotInput {
  readonly feed: Feed;
  readonly at: string;
  readonly agents: AgentsById;
  readonly retentionDays: number;
}

/** What became of writing that which makes a kept floor count. */
export interface WriteResult {
  /** The floor as it is written now; undefined if somebody else has taken over. */
  readonly floor: Floor | undefined;
  /** Whether the kept floor counts, be the rest written or not. */
  readonly isCommitted: boolean;
}

/**
 * Keeps the whole floor, then writes what makes it count. If that is overtaken, the floor was never so and is removed,
 * unless it turns out to count: the answer to a write can get lost.
 */
export const saveSnapshot = async (
  ports: FloorPorts,
  { feed, at, agents, retentionDays }: SnapshotInput,
  write: () => Promise<WriteResult>,
): Promise<Floor | undefined> => {
  const rows = snapshotRows(feed, at, agents, retentionDays);
  await ports.table.put(rows);
  const { floor, isCommitted: counts } = await write();
  if (counts) return floor;

  const now = await readFeed(ports, feed.account);
  if (now.poller.snapshotAt !== at) await ports.table.remove(rows);
  return undefined;
};

/** Removes floors that a run kept and that never counted, since it was cut before. */
export const deleteUncommitted = async ({ table }: FloorPorts, { account, poller }: Feed): Promise<void> => {
  const from = poller.snapshotAt === undefined ? '0' : afterSnapshot(poller.snapshotAt);
  const rows = await table.query(snapshotsKey(account), { from, to: '~' });
  await table.remove(rows.map((row) => ({ pk: String(row['pk']), sk: String(row['sk']) })));
};

/** The floor that was kept at an instant, or undefined if not all of it is there any more. */
export const readSnapshot = async ({ table }: FloorPorts, account: string, at: string) => {
  const rows = await table.query(snapshotsKey(account), { from: at, to: afterSnapshot(at) });
  const [first] = rows;
  const isWhole = first !== undefined && rows.length === Snapshot.parse(first).parts;
  return isWhole ? agentsInSnapshot(rows) : undefined;
};
