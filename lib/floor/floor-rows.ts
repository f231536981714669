import type { Agent } from '../agent-login/model.ts';
import { weighedBatches } from '../batches.ts';
import type { Feed } from '../feed/feed.ts';
import { jsonBytes } from '../json/json-bytes.ts';
import { present } from '../present.ts';
import type { Facts } from '../record/delivery.ts';
import { expiresAt } from '../time/expires-at.ts';
import { type Agents, countsOf } from './changes.ts';
import { type CurrentAgent, hasLeft } from './current-agent.ts';
import { KeptFloor } from './kept-floor.ts';
import { floorPartKey } from './keys.ts';
import type { AgentsRow } from './rows.ts';

/** DynamoDB takes 400 KB a row; as JSON an agent is longer than there. */
const partBytes = 350 * 1024;

const shown = ({ agentId, name, phoneNumber, state, stateAsSent, skills, since, loggedInSince }: CurrentAgent): Agent =>
  present({ agentId, name, phoneNumber, state, stateAsSent, skills, since, loggedInSince });

/** The rows that keep a whole floor. */
export const floorRows = (feed: Feed, at: string, agents: Agents, retentionDays: number): readonly AgentsRow[] => {
  const everybody = [...agents.values()].filter((agent) => !hasLeft(agent)).map(shown);
  const parts = partsOf(everybody);
  const counts = countsOf(agents);
  return parts.map((part, index) =>
    present({
      ...floorPartKey(feed.account, at, index),
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
  const parts = weighedBatches(agents, partBytes, jsonBytes);
  return parts.length === 0 ? [[]] : parts;
};

/** Everybody on a kept floor, from its parts. Throws if a row was written by something else. */
export const agentsOnFloor = (rows: readonly Facts[]): readonly Agent[] =>
  rows.flatMap((row) => KeptFloor.parse(row).agents);
