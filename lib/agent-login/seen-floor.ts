import { canonicalJson } from '../json/canonical-json.ts';
import type { Json } from '../json/parse-json.ts';
import { compare } from '../text/compare.ts';
import type { AgentFacts } from './model.ts';
import { readAgent, type Unreadable } from './normalise.ts';

/** Who an answer says is logged in: each agent once, in the order of their ids. */
export interface SeenFloor {
  readonly agents: readonly AgentFacts[];
  /** Records of which one cannot say for sure whom they mean, or in what state. */
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads the records of an answer. Of several that name the same agent one stands, whatever their order: an answer that
 * merely lists them in another one is no change.
 */
export const seenFloor = (records: readonly Json[]): SeenFloor => {
  const readings = records.map(readAgent);
  const agents = new Map<string, AgentFacts>();
  for (const reading of readings)
    if (reading.kind === 'agent')
      agents.set(reading.agent.agentId, firstOf(reading.agent, agents.get(reading.agent.agentId)));

  return {
    agents: [...agents.values()].sort((a, b) => compare(a.agentId, b.agentId)),
    unreadable: readings.flatMap((reading) => (reading.kind === 'unreadable' ? reading.hint : [])),
  };
};

const firstOf = (agent: AgentFacts, other: AgentFacts | undefined): AgentFacts =>
  other !== undefined && compare(canonicalJson(other), canonicalJson(agent)) < 0 ? other : agent;

/**
 * Whether an agent whom the answer does not list may be there all the same: by a record that names the agent but no
 * state; or that names nobody, but has the agent's name or number; or by which nobody can be told from anybody.
 */
export const mayBeThere = (unreadable: readonly Unreadable[]) => {
  const ids = new Set(unreadable.map(({ agentId }) => agentId));
  ids.delete(undefined);
  const nameless = unreadable.filter(isNameless);
  const names = new Set(nameless.map(({ name }) => name));
  const numbers = new Set(nameless.map(({ phoneNumber }) => phoneNumber));
  const isAnybody = nameless.some(({ name, phoneNumber }) => name === undefined && phoneNumber === undefined);

  return ({ agentId, name, phoneNumber }: Unreadable): boolean => {
    const isUnknown = name === undefined && phoneNumber === undefined;
    if (ids.has(agentId) || isAnybody || (isUnknown && nameless.length > 0)) return true;
    return (name !== undefined && names.has(name)) || (phoneNumber !== undefined && numbers.has(phoneNumber));
  };
};

/** Whether a record has no id by which it could be told for sure whom it means. */
export const isNameless = ({ agentId }: Unreadable): boolean => agentId === undefined;
