import type { Facts } from '../core/objects.ts';
import type { Alongside } from '../schema/versioned-rows.ts';
import type { Clock, Telemetry } from '../telemetry/metrics.ts';
import type { CurrentAgent } from './agent.ts';
import { type AgentTable, agentOf, agentsKey, feedKey, feedOf, feedRow } from './agent-rows.ts';
import type { AgentsById } from './diff-agents.ts';
import { type Feed, newFeed } from './feed.ts';

/** An account's floor as the table has it: the feed's row and its agents'. */
export interface Floor {
  readonly feed: Feed;
  readonly agents: AgentsById;
}

/** What a floor is read and written with. */
export interface FloorPorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Reads a floor. A row that is not ours is told of and passed over: the agent is then written anew. */
export const readAgents = async (ports: FloorPorts, account: string): Promise<Floor> => {
  const rows = await ports.table.query(agentsKey(account));
  const { sk } = feedKey(account);
  const feed = rows.find((row) => row['sk'] === sk);
  const agents = rows.filter((row) => row !== feed).flatMap((row) => parseAgentRow(row, ports.telemetry));
  return {
    feed: feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),
    agents: new Map(agents.map((agent) => [agent.agentId, agent])),
  };
};

/** Reads the feed's row alone: whether a slot is taken is known from it. */
export const readFeed = async ({ table, clock }: FloorPorts, account: string): Promise<Feed> => {
  const { pk, sk } = feedKey(account);
  const [row] = await table.query(pk, { from: sk, to: sk });
  return row === undefined ? newFeed(account, clock()) : feedOf(row);
};

const parseAgentRow = (row: Facts, telemetry: Telemetry): readonly CurrentAgent[] => {
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
export const writeFeed = async ({ table }: FloorPorts, feed: Feed, together?: Alongside): Promise<boolean> =>
  (await table.write(feedRow(feed), together)) === 'written';
