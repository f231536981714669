import { compare, keysOf, withoutUndefined } from '../core/collections.ts';
import { canonicalJson, isJsonObject, type Json, tryParseJson } from '../core/json.ts';
import { type FieldTexts, fieldTexts, nonBlank, spellings } from '../telephony/posted-fields.ts';
import { type AddedWords, agentStates, lookUpWord } from '../telephony/vocabularies.ts';
import type { AgentFacts } from './schema.ts';

/** Which are required is not documented. Skills come as one text, separated by commas, or as a list. */
export const agentFields = {
  AgentId: {},
  AgentName: {},
  PhoneNumber: {},
  AgentState: { vocabulary: agentStates },
  SkillName: { isList: true },
} as const;

export const wireAgentFields = keysOf(agentFields);

export type WireAgentField = keyof typeof agentFields;

/** For comparing: skills as a set, and no `extra`, where a counter would make every poll write and publish each agent. */
export const detailsOf = ({ name, phoneNumber, skills }: Pick<AgentFacts, 'name' | 'phoneNumber' | 'skills'>) => ({
  name,
  phoneNumber,
  skills: skills?.toSorted(compare),
});

export interface AgentLogins {
  readonly agents: readonly AgentFacts[];
  /** Records without an id, or without a state. */
  readonly unreadable: readonly UnreadableAgent[];
}

type UnreadableAgent = Partial<Pick<AgentFacts, 'agentId' | 'name' | 'phoneNumber'>>;

/** Of several records of one agent the same is chosen in any order, so a reordered answer is no change. */
export const normaliseAgentLogins = (records: readonly Json[], added?: AddedWords): AgentLogins => {
  const parsed = records.map((record) => normaliseAgent(record, added));
  const agents = new Map<string, AgentFacts>();
  for (const record of parsed)
    if (record.kind === 'agent')
      agents.set(record.agent.agentId, preferredOf(record.agent, agents.get(record.agent.agentId)));

  return {
    agents: [...agents.values()].sort((a, b) => compare(a.agentId, b.agentId)),
    unreadable: parsed.flatMap((record) => (record.kind === 'unreadable' ? record.hint : [])),
  };
};

const preferredOf = (agent: AgentFacts, other: AgentFacts | undefined): AgentFacts =>
  other !== undefined && compare(rankOf(other), rankOf(agent)) < 0 ? other : agent;

/** What is compared comes first: a counter in `extra` must not choose another record with every poll. */
const rankOf = (agent: AgentFacts): string => canonicalJson([agent.state, agent.stateAsSent, detailsOf(agent), agent]);

export type ParsedAgent =
  | { readonly kind: 'agent'; readonly agent: AgentFacts }
  | { readonly kind: 'unreadable'; readonly hint: UnreadableAgent };

const agentSpellings = spellings(wireAgentFields);

export const normaliseAgent = (record: Json, added?: AddedWords): ParsedAgent => {
  if (!isJsonObject(record)) return { kind: 'unreadable', hint: {} };

  const posted = fieldTexts(Object.entries(record), agentSpellings);
  const agentId = agentIdOf(posted);
  const sent = scalar(posted, 'AgentState');
  const person = withoutUndefined({ name: scalar(posted, 'AgentName'), phoneNumber: scalar(posted, 'PhoneNumber') });
  if (agentId === undefined || sent === undefined)
    return { kind: 'unreadable', hint: withoutUndefined({ ...person, agentId }) };

  const skills = skillsOf(posted);
  const extra = extraOf(posted);
  return {
    kind: 'agent',
    agent: {
      agentId,
      ...person,
      state: lookUpWord(agentStates, sent, added).word,
      stateAsSent: sent,
      ...(skills && { skills }),
      ...(extra && { extra }),
    },
  };
};

/** No real value is this long or has this many parts. The rest is dropped, so that rows and events always fit. */
const maxTextLength = 255;
const maxSkillLength = 100;
const maxSkills = 50;

/** DynamoDB limits a sort key to 1,024 bytes. */
const maxEncodedIdLength = 1_000;

/** A list or an object is no name, number or word, whatever it holds. */
const scalar = ({ fields, nested }: FieldTexts<WireAgentField>, field: WireAgentField): string | undefined =>
  nested.has(field) ? undefined : fields.get(field)?.slice(0, maxTextLength).toWellFormed();

/** A shortened id could be another agent's, and one that does not fit a key has no row: both are no id. */
const agentIdOf = (posted: FieldTexts<WireAgentField>): string | undefined => {
  const id = scalar(posted, 'AgentId');
  return id === posted.fields.get('AgentId') && encodeURIComponent(id ?? '').length <= maxEncodedIdLength
    ? id
    : undefined;
};

/** Separated by commas, or a list; the order is kept. Which of too many are dropped does not depend on it. */
const skillsOf = ({ fields, nested }: FieldTexts<WireAgentField>): readonly string[] | undefined => {
  const text = fields.get('SkillName') ?? '';
  const list = nested.has('SkillName') ? tryParseJson(text) : text.split(',');
  const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
  const skills = names.map((name) => nonBlank(name)?.slice(0, maxSkillLength).toWellFormed());
  const set = [...new Set(skills)].filter((skill) => skill !== undefined);
  const kept = new Set(set.toSorted(compare).slice(0, maxSkills));
  return set.length === 0 ? undefined : set.filter((skill) => kept.has(skill));
};

const maxExtraLength = 3_000;

/** Undocumented fields by name, in alphabetical order, until they become too long together. */
const extraOf = ({ extra }: FieldTexts<WireAgentField>): AgentFacts['extra'] => {
  let length = 0;
  const kept = Object.entries(extra).flatMap(([name, sent]) => {
    const text = sent.slice(0, maxTextLength).toWellFormed();
    length += name.length + text.length;
    return length <= maxExtraLength ? [[name, text] as const] : [];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

/**
 * Whether a missing agent may be logged in, by records without a state. An id means its agent; without one the name or
 * number does. A record without all three may mean anybody.
 */
export const mayStillBeLoggedIn = (unreadable: readonly UnreadableAgent[]) => {
  const ids = new Set(unreadable.map(({ agentId }) => agentId));
  const unidentified = unreadable.filter(isUnidentified);
  const names = new Set(unidentified.map(({ name }) => name));
  const numbers = new Set(unidentified.map(({ phoneNumber }) => phoneNumber));
  const isNameless = ({ name, phoneNumber }: UnreadableAgent) => name === undefined && phoneNumber === undefined;
  const isAnybody = unidentified.some(isNameless);

  return (agent: UnreadableAgent & Pick<AgentFacts, 'agentId'>): boolean => {
    const { agentId, name, phoneNumber } = agent;
    if (ids.has(agentId) || isAnybody || (isNameless(agent) && unidentified.length > 0)) return true;
    return (name !== undefined && names.has(name)) || (phoneNumber !== undefined && numbers.has(phoneNumber));
  };
};

export const isUnidentified = ({ agentId }: UnreadableAgent): boolean => agentId === undefined;
