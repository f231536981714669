import { type AgentsById, changeOf, type PollMoment } from '../../lib/agents/diff-agents.ts';
import { normaliseAgent, type ParsedAgent } from '../../lib/agents/normalise-agent.ts';
import { agentRow } from '../../lib/agents/rows.ts';
import type { AgentFacts, CurrentAgent } from '../../lib/agents/schema.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { received } from './call-records.ts';

/** A posted record, normalised. */
export const parsedAgent = (posted: unknown): ParsedAgent => normaliseAgent(received(posted));

/** The facts in a posted record. Id and state have defaults. */
export const agentFacts = (posted: object = {}): AgentFacts => {
  const parsed = parsedAgent({ AgentId: 'asha', AgentState: 'READY', ...posted });
  if (parsed.kind !== 'agent') throw new Error('unreadable');
  return parsed.agent;
};

/** A poll at an instant whose changes are written 300 ms later. */
export const moment = (at: string, timeZone = 'Asia/Kolkata'): PollMoment => ({
  at,
  recordedAt: new Date(Date.parse(at) + 300).toISOString(),
  timeZone,
});

/** An agent who logged in at an instant. */
export const loggedIn = (at: string, posted: object = {}, timeZone?: string): CurrentAgent => {
  const agent = changeOf(undefined, agentFacts(posted), moment(at, timeZone))?.after;
  if (agent === undefined) throw new Error('not logged in');
  return agent;
};

/** Agents by id. */
export const agentsOf = (...agents: readonly CurrentAgent[]): AgentsById =>
  new Map(agents.map((agent) => [agent.agentId, agent]));

const stored = (agent: CurrentAgent | undefined): Row | undefined =>
  agent && JSON.parse(JSON.stringify(agentRow('demo', agent)));

/** The change of an agent's row in the table's stream. */
export const agentChange = (
  before: CurrentAgent | undefined,
  after: CurrentAgent | undefined,
  sequence = '1',
): RowChange => ({ sequence, before: stored(before), after: stored(after) });
