import type { AgentFacts } from '../../../lib/agent-login/model.ts';
import { type Reading, readAgent } from '../../../lib/agent-login/normalise.ts';
import type { Agents } from '../../../lib/floor/changes.ts';
import type { CurrentAgent } from '../../../lib/floor/current-agent.ts';
import { stepOf } from '../../../lib/floor/step.ts';
import type { Moment } from '../../../lib/floor/stretch.ts';
import { received } from './facts-of.ts';

/** A posted record of an agent, read. */
export const reading = (posted: unknown): Reading => readAgent(received(posted));

/** What a posted record says; id and state are given to one that has none. */
export const agentFacts = (posted: object = {}): AgentFacts => {
  const read = reading({ AgentId: 'asha', AgentState: 'READY', ...posted });
  if (read.kind !== 'agent') throw new Error('unreadable');
  return read.agent;
};

/** A poll at an instant, written down 300 ms later. */
export const moment = (at: string, timeZone = 'Asia/Kolkata'): Moment => ({
  at,
  recordedAt: new Date(Date.parse(at) + 300).toISOString(),
  timeZone,
});

/** An agent who has logged in at an instant. */
export const loggedIn = (at: string, posted: object = {}, timeZone?: string): CurrentAgent => {
  const agent = stepOf(undefined, agentFacts(posted), moment(at, timeZone))?.after;
  if (agent === undefined) throw new Error('not logged in');
  return agent;
};

/** Agents by id. */
export const agentsOf = (...agents: readonly CurrentAgent[]): Agents =>
  new Map(agents.map((agent) => [agent.agentId, agent]));
