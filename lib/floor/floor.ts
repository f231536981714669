import { type Feed, newFeed } from '../feed/feed.ts';
import type { AgentTable, Clock, Telemetry, Together } from '../ports.ts';
import type { Facts } from '../record/delivery.ts';
import type { Agents } from './changes.ts';
import type { CurrentAgent } from './current-agent.ts';
import { feedKey, floorKey } from './keys.ts';
import { agentOf, feedOf, feedRow } from './rows.ts';

/** An account's floor as the table has it: the feed's row and its agents'. */
export interface Floor {
  readonly feed: Feed;
  readonly agents: Agents;
}

/** What a floor is read and written with. */
export interface FloorPorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Reads a floor. A row that is not ours is told of and passed over: the agent is then written anew. */
export const readFloor = async (ports: FloorPorts, account: string): Promise<Floor> => {
  const rows = await ports.table.rows(floorKey(account));
  const { sk } = feedKey(account);
  const feed = rows.find((row) => row['sk'] === sk);
  const agents = rows.filter((row) => row !== feed).flatMap((row) => agentIn(row, ports.telemetry));
  return {
    feed: feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),
    agents: new Map(agents.map((agent) => [agent.agentId, agent])),
  };
};

/** Reads the feed's row alone: whether a slot is taken is known from it. */
export const readFeed = async ({ table, clock }: FloorPorts, account: string): Promise<Feed> => {
  const { pk, sk } = feedKey(account);
  const [row] = await table.rows(pk, { from: sk, to: sk });
  return row === undefined ? newFeed(account, clock()) : feedOf(row);
};

const agentIn = (row: Facts, telemetry: Telemetry): readonly CurrentAgent[] => {
  try {
    return [agentOf(row)];
  } catch (error) {
    telemetry.fault('row', error);
    return [];
  }
};

/**
 * Writes the next version of the feed, and rows with it, all or nothing. False: somebody else has written the feed since
 * it was read, so what this run knows is no longer so, and it has to leave the floor to them.
 */
export const writeFeed = async ({ table }: FloorPorts, feed: Feed, together?: Together): Promise<boolean> =>
  (await table.write(feedRow(feed), together)) === 'written';
