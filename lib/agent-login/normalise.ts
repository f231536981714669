import { type Folded, foldKeys, spellings } from '../callback/fold-keys.ts';
import { isJsonObject, type Json } from '../json/parse-json.ts';
import { parsed } from '../json/parsed.ts';
import { present } from '../present.ts';
import { nonBlank } from '../text/blank.ts';
import { compare } from '../text/compare.ts';
import { understood } from '../text/vocabulary.ts';
import type { AgentFacts } from './model.ts';
import { agentStates } from './states.ts';
import { type WireAgentField, wireAgentFields } from './wire.ts';

const agentSpellings = spellings(wireAgentFields);

/** Nobody's are this long or many; what is more is cut, so that rows and events of agents always fit. */
const longest = 255;
const longestSkill = 100;
const mostSkills = 50;

/** DynamoDB takes 1,024 bytes for a sort key. */
const longestKey = 1_000;

/** What can still be told of a record that names no agent or no state: whom it may be. */
export type Unreadable = Partial<Pick<AgentFacts, 'agentId' | 'name' | 'phoneNumber'>>;

/** One record of the answer. One that has no id or no state spoils none of the others. */
export type Reading =
  | { readonly kind: 'agent'; readonly agent: AgentFacts }
  | { readonly kind: 'unreadable'; readonly hint: Unreadable };

/** Reads a record of getAgentLogins in our names and words. */
export const readAgent = (record: Json): Reading => {
  if (!isJsonObject(record)) return { kind: 'unreadable', hint: {} };

  const posted = foldKeys(Object.entries(record), agentSpellings);
  const agentId = idOf(posted);
  const sent = plain(posted, 'AgentState');
  const person = present({ name: plain(posted, 'AgentName'), phoneNumber: plain(posted, 'PhoneNumber') });
  if (agentId === undefined || sent === undefined) return { kind: 'unreadable', hint: present({ ...person, agentId }) };

  const skills = skillsOf(posted);
  return {
    kind: 'agent',
    agent: {
      agentId,
      ...person,
      state: understood(agentStates, sent).word,
      stateAsSent: sent,
      ...(skills && { skills }),
    },
  };
};

/** A list or an object is no name, number or word, whatever is in it. */
const plain = ({ fields, nested }: Folded<WireAgentField>, field: WireAgentField): string | undefined =>
  nested.has(field) ? undefined : fields.get(field)?.slice(0, longest).toWellFormed();

/** An id that were cut could be another agent's; one that makes no key of a row is nobody's. */
const idOf = (posted: Folded<WireAgentField>): string | undefined => {
  const id = plain(posted, 'AgentId');
  return id === posted.fields.get('AgentId') && encodeURIComponent(id ?? '').length <= longestKey ? id : undefined;
};

/** Skills are a set, whatever their order; commas come with a space and without. A list of them is read too. */
const skillsOf = ({ fields, nested }: Folded<WireAgentField>): readonly string[] | undefined => {
  const text = fields.get('SkillName') ?? '';
  const list = nested.has('SkillName') ? parsed(text) : text.split(',');
  const names = Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
  const skills = names.map((name) => nonBlank(name)?.slice(0, longestSkill).toWellFormed());
  const set = [...new Set(skills)].filter((skill) => skill !== undefined).sort(compare);
  return set.length === 0 ? undefined : set.slice(0, mostSkills);
};
