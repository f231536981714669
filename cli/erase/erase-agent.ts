import { erased } from '../../lib/calls/call-keys.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { percentDecoded, plainText } from '../../lib/core/encoding.ts';
import { parseJson } from '../../lib/core/json.ts';
import { replaceFound, type TextSearch } from '../../lib/core/numbers-in-text.ts';
import { factsErasedAs } from '../../lib/telephony/call-fields.ts';
import { splitChain } from '../../lib/telephony/posted-fields.ts';
import { literalPattern, type Person, replaceFields, replaceTexts, withoutRecordings } from './erase-person.ts';
import { searchForNumber } from './search-for-number.ts';

/** The agent to erase, and the word that stands for them: their calls and times stay those of one agent. */
export type AgentIdentity = Readonly<Record<'account' | 'agentId' | 'pseudonym', string>>;

/** The fields that hold ids of agents, in our names and in the sender's: as a name, and with their value in a text. */
const idFieldNames = 'agent[_ -]?ids?|transferred[_ -]?to';
const idFieldName = new RegExp(`^(?:${idFieldNames})$`, 'i');
const idFieldInText = new RegExp(String.raw`\b(?:${idFieldNames})\b["\s]*[:=]["\s]*([^"&,}]*)`, 'gi');

/** Names and numbers of agents. Nothing says which agent of a call a name is of, so a colleague's go too. */
const agentFields = factsErasedAs('agent', 'agent-id');

/** Text that people write, or that nobody documents: it may name the agent. */
const freeTexts = factsErasedAs('mention', 'text');

/** An agent, whose login id becomes the pseudonym, in texts too. Names, numbers and, if asked, recordings become `erased`. */
export const agent = (identity: AgentIdentity, withRecordings = false): Person => {
  const isId = isIdOf(identity);
  const isIn = (value: unknown): boolean => {
    if (typeof value === 'string') return /^\s*[[{]/.test(value) && isInText(value);
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([name, entry]) => {
      const holdsId = idFieldName.test(name) && [entry].flat().some(isId);
      return holdsId || isIn(entry);
    });
  };
  /** A text may be JSON, a form with JSON in it, or a broken one of these. */
  const isInText = (text: string): boolean => {
    const json = parseJson(text);
    return json.ok && typeof json.value === 'object' ? isIn(json.value) : idsInText(text).some(isId);
  };
  return { account: identity.account, isIn, isInText, eraser: agentEraser(identity, withRecordings) };
};

/** The pseudonym too: a delivery that came after an erasure names the agent, in a call that has the pseudonym already. */
const isIdOf =
  ({ agentId, pseudonym }: AgentIdentity) =>
  (value: unknown): boolean =>
    typeof value === 'string' && splitChain(value)?.some((id) => id === agentId || id === pseudonym) === true;

/** What follows the name of a field of ids in a text that is no JSON, as it stands and without the codes of a form. */
const idsInText = (text: string): readonly string[] =>
  [text, percentDecoded(text.replaceAll('+', ' '))].flatMap((reading) =>
    [...reading.replaceAll('\\', '').matchAll(idFieldInText)].flatMap(([, ids]) => ids ?? []),
  );

const agentEraser = (identity: AgentIdentity, withRecordings: boolean): Person['eraser'] => {
  const { agentId, pseudonym } = identity;
  const isId = isIdOf(identity);
  return (call) => {
    const delivered = call.flatMap(({ deliveries }) => deliveries.map(({ facts }) => facts));
    const isOfAgent = delivered.some(({ agentIds }) => [agentIds].flat().some(isId));
    const replaceWords = wordReplacer(isOfAgent ? [agentId, ...delivered.flatMap(namesOf)] : [agentId], pseudonym);

    return (facts: RecordFacts): RecordFacts => {
      const isParticipant = 'agentName' in facts;
      const fields = isParticipant ? [...agentFields, 'participantNumber'] : agentFields;
      const anonymous = isOfAgent ? replaceFields(facts, fields, (value) => replaceTexts(value, () => erased)) : facts;
      const renamed = replaceFields(anonymous, ['agentIds', 'transferredTo'], (value) =>
        replaceTexts(value, (id) => (id === agentId ? pseudonym : id)),
      );
      const silent = withRecordings && isOfAgent ? withoutRecordings(renamed) : renamed;
      return replaceFields(silent, freeTexts, (value) => replaceTexts(value, replaceWords));
    };
  };
};

const namesOf = ({ agentNames, agentName, agentPhoneNumber, participantNumber }: RecordFacts): readonly string[] => {
  // The number of a participant is an agent's only if the participant is an agent.
  const agentNumber = agentName === undefined ? undefined : participantNumber;
  return [agentNames, agentPhoneNumber, agentName, agentNumber]
    .flat()
    .filter((name): name is string => typeof name === 'string' && name !== erased);
};

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
