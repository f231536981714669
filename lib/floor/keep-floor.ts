import type { Feed } from '../feed/feed.ts';
import type { Agents } from './changes.ts';
import { type Floor, type FloorPorts, readFeed } from './floor.ts';
import { agentsOnFloor, floorRows } from './floor-rows.ts';
import { KeptFloor } from './kept-floor.ts';
import { afterFloor, floorsKey } from './keys.ts';

/** What is to be kept: the floor at an instant, as the feed then says of it. */
export interface Keeping {
  readonly feed: Feed;
  readonly at: string;
  readonly agents: Agents;
  readonly retentionDays: number;
}

/** What became of writing that which makes a kept floor count. */
export interface Written {
  /** The floor as it is written now; undefined if somebody else has taken over. */
  readonly floor: Floor | undefined;
  /** Whether the kept floor counts, be the rest written or not. */
  readonly counts: boolean;
}

/**
 * Keeps the whole floor, then writes what makes it count. If that is overtaken, the floor was never so and is removed,
 * unless it turns out to count: the answer to a write can get lost.
 */
export const keepFloor = async (
  ports: FloorPorts,
  { feed, at, agents, retentionDays }: Keeping,
  write: () => Promise<Written>,
): Promise<Floor | undefined> => {
  const rows = floorRows(feed, at, agents, retentionDays);
  await ports.table.put(rows);
  const { floor, counts } = await write();
  if (counts) return floor;

  const now = await readFeed(ports, feed.account);
  if (now.poller.floorKeptAt !== at) await ports.table.remove(rows);
  return undefined;
};

/** Removes floors that a run kept and that never counted, since it was cut before. */
export const forgetUncounted = async ({ table }: FloorPorts, { account, poller }: Feed): Promise<void> => {
  const from = poller.floorKeptAt === undefined ? '0' : afterFloor(poller.floorKeptAt);
  const rows = await table.rows(floorsKey(account), { from, to: '~' });
  await table.remove(rows.map((row) => ({ pk: String(row['pk']), sk: String(row['sk']) })));
};

/** The floor that was kept at an instant, or undefined if not all of it is there any more. */
export const keptFloorAt = async ({ table }: FloorPorts, account: string, at: string) => {
  const rows = await table.rows(floorsKey(account), { from: at, to: afterFloor(at) });
  const [first] = rows;
  const isWhole = first !== undefined && rows.length === KeptFloor.parse(first).parts;
  return isWhole ? agentsOnFloor(rows) : undefined;
};
