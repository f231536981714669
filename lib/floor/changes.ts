import type { AgentFacts } from '../agent-login/model.ts';
import { mayBeThere, type SeenFloor } from '../agent-login/seen-floor.ts';
import { type CurrentAgent, hasLeft } from './current-agent.ts';
import { type Step, stepOf } from './step.ts';
import type { Moment } from './stretch.ts';

/** The agents of an account by id. */
export type Agents = ReadonlyMap<string, CurrentAgent>;

/**
 * Who is there after a poll: those whom the answer lists, and those whom it may mean with a record that cannot be read,
 * as they were.
 */
export const whoIsThere = (known: Agents, { agents, unreadable }: SeenFloor): readonly AgentFacts[] => {
  const listed = new Set(agents.map(({ agentId }) => agentId));
  const isMeant = mayBeThere(unreadable);
  const kept = [...known.values()].filter((agent) => !listed.has(agent.agentId) && !hasLeft(agent) && isMeant(agent));
  return [...agents, ...kept.map(factsOf)];
};

/** The steps from what is known to who is there, one for each agent of whom something is to be written. */
export const changes = (known: Agents, there: readonly AgentFacts[], moment: Moment): readonly Step[] => {
  const seen = new Map(there.map((agent) => [agent.agentId, agent]));
  const ids = [...new Set([...known.keys(), ...seen.keys()])].sort();
  return ids.map((id) => stepOf(known.get(id), seen.get(id), moment)).filter((step) => step !== undefined);
};

/** The agents once steps are taken. */
export const after = (known: Agents, steps: readonly Step[]): Agents => {
  const agents = new Map(known);
  for (const step of steps) {
    if (step.after === undefined) agents.delete(step.agentId);
    else agents.set(step.agentId, step.after);
  }
  return agents;
};

/** How many agents are in each state. */
export const countsOf = (agents: Agents): Readonly<Record<string, number>> => {
  const states = [...agents.values()].filter((agent) => !hasLeft(agent)).map(({ state }) => state);
  return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]));
};

const factsOf = ({ agentId, name, phoneNumber, state, stateAsSent, skills }: CurrentAgent): AgentFacts => ({
  agentId,
  name,
  phoneNumber,
  state,
  stateAsSent,
  skills,
});
