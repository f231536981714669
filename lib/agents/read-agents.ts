import type { Facts } from '../core/collections.ts';
import type { AgentTable } from '../schema/agent-table.ts';
import type { Clock, Telemetry } from '../telemetry/metrics.ts';
import type { CurrentAgent } from './agent.ts';
import { agentsKey, feedKey } from './agent-rows.ts';
import type { AgentsById } from './diff-agents.ts';
import { newFeed } from './feed.ts';
import { agentOf, feedOf } from './parse-rows.ts';
import type { Feed } from './schema.ts';

/** An account's agents as they are stored, and the feed that dates them. */
export interface AccountAgents {
  readonly feed: Feed;
  readonly agents: AgentsById;
}

/** What agents are read and written with. */
export interface StorePorts {
  readonly table: AgentTable;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Reads an account's agents. A row that something else wrote is reported and skipped; the agent is then written anew. */
export const readAgents = async (ports: StorePorts, account: string): Promise<AccountAgents> => {
  const rows = await ports.table.query(agentsKey(account));
  const { sk } = feedKey(account);
  const feed = rows.find((row) => row['sk'] === sk);
  const agents = rows.filter((row) => row !== feed).flatMap((row) => parseAgentRow(row, ports.telemetry));
  return {
    feed: feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),
    agents: new Map(agents.map((agent) => [agent.agentId, agent])),
  };
};

const parseAgentRow = (row: Facts, telemetry: Telemetry): readonly CurrentAgent[] => {
  try {
    return [agentOf(row)];
  } catch (error) {
    telemetry.fault('row', error);
    return [];
  }
};

/** Reads the feed's row alone, which shows whether a slot is taken. */
export const readFeed = async ({ table, clock }: StorePorts, account: string): Promise<Feed> => {
  const { pk, sk } = feedKey(account);
  const [row] = await table.query(pk, { from: sk, to: sk });
  return row === undefined ? newFeed(account, clock()) : feedOf(row);
};
