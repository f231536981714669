import { erased } from '../../lib/calls/call-keys.ts';
import type { CallRecord } from '../../lib/calls/call-record.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { isObject } from '../../lib/core/collections.ts';
import { percentDecoded, plainText } from '../../lib/core/encoding.ts';
import { parseJson } from '../../lib/core/json.ts';
import { replaceFound, type TextSearch } from '../../lib/core/numbers-in-text.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { splitChain } from '../../lib/telephony/posted-fields.ts';
import { literalPattern, type Person, replaceFields, replaceTexts, withoutRecordings } from './erase-person.ts';
import { searchForNumber } from './search-for-number.ts';

/** The agent to erase, and the word that stands for them: their calls and times stay those of one agent. */
export type AgentIdentity = Readonly<Record<'account' | 'agentId' | 'pseudonym', string>>;

/** The fields that hold ids of agents, in our names and in the sender's. */
const idField = 'agent[_ -]?ids?|transferred[_ -]?to';
const idFieldName = new RegExp(`^(?:${idField})$`, 'i');
const idFieldInText = new RegExp(String.raw`\b(?:${idField})\b["\s]*[:=]["\s]*([^"&,}]*)`, 'gi');

/** Names and numbers of agents. Their positions mean nothing, so those of a colleague in the same call go too. */
const ownFields = factsErasedAs('agent', 'agent-id');

/** Text that people write, or that nobody documents: it may name the agent. */
const freeTexts = factsErasedAs('mention', 'text');

/** An agent, whose login id becomes the pseudonym, in texts too. Names, numbers and, if asked, recordings become `erased`. */
export const agent = ({ account, agentId, pseudonym }: AgentIdentity, withRecordings = false): Person => {
  // The pseudonym too: what came after an erasure is found by the call that it belongs to.
  const isId = (value: unknown) =>
    typeof value === 'string' && splitChain(value)?.some((id) => id === agentId || id === pseudonym);
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return /^\s*[[{]/.test(value) && isInText(value);
    return Object.entries(value ?? {}).some(
      ([name, entry]) => (idFieldName.test(name) && [entry].flat().some(isId)) || isIn(entry),
    );
  };
  /** A text may be JSON, a form with JSON in it, or a broken one of these. */
  const isInText = (text: string): boolean => {
    const json = parseJson(text);
    if (json.ok && typeof json.value === 'object') return isIn(json.value);
    return [text, percentDecoded(text.replaceAll('+', ' '))].some((reading) =>
      [...reading.replaceAll('\\', '').matchAll(idFieldInText)].some(([, ids]) => isId(ids)),
    );
  };

  const eraser = (call: readonly CallRecord[]) => {
    const delivered = call.flatMap(({ deliveries }) => deliveries.map(({ facts }) => facts));
    const isAgents = delivered.some(({ agentIds }) => [agentIds].flat().some(isId));
    const replaceWords = wordReplacer(isAgents ? [agentId, ...delivered.flatMap(namesOf)] : [agentId], pseudonym);

    return (facts: RecordFacts): RecordFacts => {
      const own = 'agentName' in facts ? [...ownFields, 'participantNumber'] : ownFields;
      const anonymous = isAgents ? replaceFields(facts, own, (value) => replaceTexts(value, () => erased)) : facts;
      const renamed = replaceFields(anonymous, ['agentIds', 'transferredTo'], (value) =>
        replaceTexts(value, (id) => (id === agentId ? pseudonym : id)),
      );
      const silent = withRecordings && isAgents ? withoutRecordings(renamed) : renamed;
      return replaceFields(silent, freeTexts, (value) => replaceTexts(value, replaceWords));
    };
  };
  return { account, isIn, isInText, eraser };
};

const namesOf = ({ agentNames, agentName, agentPhoneNumber, participantNumber }: RecordFacts): readonly string[] =>
  [agentNames, agentPhoneNumber, agentName, agentName === undefined ? undefined : participantNumber]
    .flat()
    .filter((name): name is string => typeof name === 'string' && name !== erased);

/** A shorter text is too common to be taken for a name within a comment. */
const minWordLength = 3;

/** Replaces whole words in a text, whatever their letter case; a telephone number in any spelling. */
const wordReplacer = (words: readonly string[], pseudonym: string): ((text: string) => string) => {
  const long = words.map(plainText).filter(({ length }) => length >= minWordLength);
  const escaped = long
    // The longest first: a name may begin with the id.
    .sort((a, b) => b.length - a.length)
    .map(literalPattern);
  if (escaped.length === 0) return (text) => text;
  const inWords = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${escaped.join('|')})(?![\p{L}\p{N}])`, 'giu');
  const searchForWords: TextSearch = (plain, by) => plain.replace(inWords, by);
  const numbers = long.flatMap((word) => searchForNumber(word)?.search ?? []);
  return (text) => replaceFound(text, [searchForWords, ...numbers], pseudonym);
};

export const isAgentIn = (value: unknown, agentId: string): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (('agentId' in value && value.agentId === agentId) ||
    Object.values(value).some((entry) => isAgentIn(entry, agentId)));

/** A row of the timeline or of a snapshot with the pseudonym in place of the agent, at any depth. */
export function withoutAgent<Stored extends Row>(row: Stored, identity: AgentIdentity): Stored;
export function withoutAgent(value: unknown, identity: AgentIdentity): unknown;
export function withoutAgent(value: unknown, identity: AgentIdentity): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutAgent(entry, identity));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, withoutAgent(entry, identity)] as const);
  if (value['agentId'] !== identity.agentId) return Object.fromEntries(entries);
  const rest = Object.fromEntries(entries.filter(([name]) => !detailFields.has(name)));
  return { ...rest, agentId: identity.pseudonym };
}

const detailFields = new Set(['name', 'phoneNumber', 'extra']);
