import type { AgentNow, FeedNow } from '../../lib/contract/rows.ts';
import { hasLeft } from '../../lib/floor/current-agent.ts';
import { agentKey, feedKey, floorKey } from '../../lib/floor/keys.ts';
import { readAgentNow, readFeedNow } from '../reading/row-readers.ts';
import { tableKey } from '../reading/table-keys.ts';
import { allRows, type TableReader } from '../reading/table-reader.ts';
import type { FloorRows } from './floor-of.ts';

/** The row that says how old the floor is, if the account was ever polled. */
export const readFeed = async (table: TableReader, account: string): Promise<FeedNow | undefined> => {
  const row = await table.row(feedKey(account));
  return row && readFeedNow(row);
};

/** An agent, if on the floor: the row of one who has left stands for a moment longer. */
export const readAgent = async (table: TableReader, account: string, id: string): Promise<AgentNow | undefined> => {
  const row = await table.row(agentKey(account, id));
  const agent = row && readAgentNow(row);
  return agent === undefined || hasLeft(agent) ? undefined : agent;
};

/**
 * The feed and all agents, by id. The feed's row sorts last and is read first: a poll that is written between two requests
 * then leaves agents newer than `asOf` says, and never older.
 */
export const readFloor = async (table: TableReader, account: string, signal?: AbortSignal): Promise<FloorRows> => {
  const query = { ...tableKey, partition: floorKey(account), isBackwards: true };
  const rows = await allRows(table, query, signal);

  const { sk: feedSk } = feedKey(account);
  const { sk: agentSk } = agentKey(account, '');
  const feed = rows.find(({ sk }) => sk === feedSk);
  const agents = rows.filter(({ sk }) => String(sk).startsWith(agentSk)).map(readAgentNow);
  return { feed: feed && readFeedNow(feed), agents: agents.filter((agent) => !hasLeft(agent)).reverse() };
};
