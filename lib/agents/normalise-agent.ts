import { canonicalJson } from '../core/canonical-json.ts';
import { withoutUndefined } from '../core/objects.ts';
import { isJsonObject, type Json, tryParseJson } from '../core/parse-json.ts';
import { compare, nonBlank } from '../core/text.ts';
import { agentStates, type WireAgentField, wireAgentFields } from '../telephony/agent-fields.ts';
import { type Folded, foldKeys, spellings } from '../telephony/fold-keys.ts';
import { lookUpWord } from '../telephony/vocabularies.ts';
import type { AgentFacts } from './agent.ts';

const agentSpellings = spellings(wireAgentFields);

/** Nobody's are this long or many; what is more is cut, so that rows and events of agents always fit. */
const maxTextLength = 255;
const maxSkillLength = 100;
const maxSkills = 50;

/** DynamoDB takes 1,024 bytes for a sort key. */
const maxEncodedIdLength = 1_000;

/** What can still be told of a record that names no agent or no state: whom it may be. */
export type UnreadableAgent = Partial<Pick<AgentFacts, 'agentId' | 'name' | 'phoneNumber'>>;

/** One record of the answer. One that has no id or no state spoils none of the others. */
export type ParsedAgent =
  | { readonly kind: 'agent'; readonly agent: AgentFacts }
  | { readonly kind: 'unreadable'; readonly hint: UnreadableAgent };

/** Reads a record of getAgentLogins in our names and words. */
export const normaliseAgent = (record: Json): ParsedAgent => {
  if (!isJsonObject(record)) return { kind: 'unreadable', hint: {} };

  const posted = foldKeys(Object.entries(record), agentSpellings);
  const agentId = agentIdOf(posted);
  const sent = scalar(posted, 'AgentState');
  const person = withoutUndefined({ name: scalar(posted, 'AgentName'), phoneNumber: scalar(posted, 'PhoneNumber') });
  if (agentId === undefined || sent === undefined)
    return { kind: 'unreadable', hint: withoutUndefined({ ...person, agentId }) };

  const skills = skillsOf(posted);
  return {
    kind: 'agent',
    agent: {
      agentId,
      ...person,
      state: lookUpWord(agentStates, sent).word,
      stateAsSent: sent,
      ...(skills && { skills }),
    },
  };
};

/** A list or an object is no name, number or word, whatever is in it. */
const scalar = ({ fields, nested }: Folded<WireAgentField>, field: WireAgentField): string | undefined =>
  nested.has(field) ? undefined : fields.get(field)?.slice(0, maxTextLength).toWellFormed();

/** An id that were cut could be another agent's; one that makes no key of a row is nobody's. */
const agentIdOf = (posted: Folded<WireAgentField>): string | undefined => {
  const id = scalar(posted, 'AgentId');
  return id === posted.fields.get('AgentId') && encodeURIComponent(id ?? '').length <= maxEncodedIdLength
    ? id
    : undefined;
};

/** Skills are a set, whatever their order; commas come with a space and without. A list of them is read too. */
const skillsOf = ({ fields, nested }: Folded<WireAgentField>): readonly string[] | undefined => {
  const text = fields.get('SkillName') ?? '';
  const list = nested.has('SkillName') ? tryParseJson(text) : text.split(',');
  const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
  const skills = names.map((name) => nonBlank(name)?.slice(0, maxSkillLength).toWellFormed());
  const set = [...new Set(skills)].filter((skill) => skill !== undefined).sort(compare);
  return set.length === 0 ? undefined : set.slice(0, maxSkills);
};

/** Who an answer says is logged in: each agent once, in the order of their ids. */
export interface AgentLogins {
  readonly agents: readonly AgentFacts[];
  /** Records of which one cannot say for sure whom they mean, or in what state. */
  readonly unreadable: readonly UnreadableAgent[];
}

/**
 * Reads the records of an answer. Of several that name the same agent one stands, whatever their order: an answer that
 * merely lists them in another one is no change.
 */
export const normaliseAgentLogins = (records: readonly Json[]): AgentLogins => {
  const readings = records.map(normaliseAgent);
  const agents = new Map<string, AgentFacts>();
  for (const reading of readings)
    if (reading.kind === 'agent')
      agents.set(reading.agent.agentId, preferredOf(reading.agent, agents.get(reading.agent.agentId)));

  return {
    agents: [...agents.values()].sort((a, b) => compare(a.agentId, b.agentId)),
    unreadable: readings.flatMap((reading) => (reading.kind === 'unreadable' ? reading.hint : [])),
  };
};

const preferredOf = (agent: AgentFacts, other: AgentFacts | undefined): AgentFacts =>
  other !== undefined && compare(canonicalJson(other), canonicalJson(agent)) < 0 ? other : agent;

/**
 * Whether an agent whom the answer does not list may be there all the same: by a record that names the agent but no
 * state; or that names nobody, but has the agent's name or number; or by which nobody can be told from anybody.
 */
export const mayStillBeLoggedIn = (unreadable: readonly UnreadableAgent[]) => {
  const ids = new Set(unreadable.map(({ agentId }) => agentId));
  ids.delete(undefined);
  const nameless = unreadable.filter(isUnidentified);
  const names = new Set(nameless.map(({ name }) => name));
  const numbers = new Set(nameless.map(({ phoneNumber }) => phoneNumber));
  const isAnybody = nameless.some(({ name, phoneNumber }) => name === undefined && phoneNumber === undefined);

  return ({ agentId, name, phoneNumber }: UnreadableAgent): boolean => {
    const isUnknown = name === undefined && phoneNumber === undefined;
    if (ids.has(agentId) || isAnybody || (isUnknown && nameless.length > 0)) return true;
    return (name !== undefined && names.has(name)) || (phoneNumber !== undefined && numbers.has(phoneNumber));
  };
};

/** Whether a record has no id by which it could be told for sure whom it means. */
export const isUnidentified = ({ agentId }: UnreadableAgent): boolean => agentId === undefined;
