import { compare } from '../core/collections.ts';
import { instantOf, secondsFrom } from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import { type FieldTexts, idOf, isRoundedId, splitChain, splitTextChain } from './posted-fields.ts';
import { readRecordings } from './recording-links.ts';
import { type AddedWords, type AddedWordsByFact, lookUpWord, type Vocabulary } from './vocabularies.ts';

/** The kinds of field. `key` becomes the record’s key; `sender` only decides the account, and becomes no fact. */
export type FieldKind =
  | ('text' | 'number' | 'id' | 'chain' | 'text-chain' | 'urls' | 'duration' | 'time' | 'word' | 'words')
  | ('key' | 'sender');

/** What the name of a field shows about its record (`classify-records.ts`). Every field that shows an outcome is of a summary. */
export type Indication = 'outcome' | 'summary' | 'subject' | 'id' | 'end';

/**
 * What a fact loses when a person is erased. A `customer-number` is a telephone number or an address, and goes whole if it is
 * the customer's. A `text` that people wrote, a recording, or whatever else is about the customer goes with the customer, and
 * loses the agent’s names. An `agent` goes with the agent; an `agent-id` too, which is not personal for subscribers. A `mention`
 * loses the agent's names only. Every text loses the customer’s number.
 */
export type Erasure = 'customer-number' | 'agent' | 'agent-id' | 'text' | 'mention';

interface Traits {
  /** The documented maximum length in characters. Real values exceed it, and are stored in full. */
  readonly max?: number;
  /** Present for what may identify a person. */
  readonly erase?: Erasure;
  /** Whether it depends on the answer: a delivery that does not know of the answer has zero there, or somebody else. */
  readonly ofAnswer?: boolean;
  /** A duration within the call. The others may follow it, or add up the times of several people. */
  readonly isWithinCall?: true;
  readonly shows?: Indication | readonly Indication[];
  readonly isList?: true;
  readonly origin?: string;
}

/** The meaning of a text, what is odd about it, and the text as sent if the meaning lacks something of it. */
export interface FieldReading {
  readonly value?: unknown;
  readonly asSent?: string | readonly string[] | undefined;
  readonly note?: Omit<Note, 'field'> | undefined;
}

/** Reads a text that is not blank. A local time is in `timeZone` (IANA); `added` are words besides the vocabulary’s. */
type Read = (sent: string, timeZone: string, added?: AddedWords) => FieldReading;

export interface PostedField extends Traits {
  readonly kind: FieldKind;
  readonly fact: string;
  readonly spelling: string;
  /** Undefined for what becomes no fact. */
  readonly read?: Read;
  readonly vocabulary?: Vocabulary<string>;
}

interface DerivedFact extends Traits {
  readonly kind: FieldKind | 'zone' | 'others' | 'notes';
  readonly spelling?: never;
  readonly vocabulary?: never;
}

/** Declarations of facts: all that the contract, the reader, the merge, erasure and the pages know of each. */
export type Fields = Readonly<
  Record<string, (Omit<PostedField, 'fact'> | DerivedFact) & { readonly description: string }>
>;

export const derived = <const Kind extends DerivedFact['kind']>(kind: Kind, description: string, traits?: Traits) => ({
  kind,
  description,
  ...traits,
});

const kindOf =
  <const Kind extends FieldKind>(kind: Kind, read: Read, ofKind: Traits = {}) =>
  <const Spelling extends string>(spelling: Spelling, description: string, traits?: Traits) => ({
    kind,
    spelling,
    description,
    read,
    ...ofKind,
    ...traits,
  });

export const text = kindOf('text', (sent) => ({ value: sent }));

/** A telephone number, as sent. Its E.164 form stands beside it in rows and events, and is no fact (`call-row.ts`). */
export const number = kindOf('number', (sent) => ({ value: sent }));

export const id = kindOf('id', (sent) =>
  isRoundedId(sent) ? { note: { reason: 'rounded-id', asSent: sent } } : { value: idOf(sent) },
);

export const idChain = kindOf('chain', (sent) => {
  const ids = splitChain(sent) ?? [];
  const exact = ids.filter((id) => !isRoundedId(id)).map((id) => idOf(id) ?? id);
  return {
    value: exact.length === 0 ? undefined : exact,
    note: exact.length < ids.length ? { reason: 'rounded-id', asSent: sent } : undefined,
  };
});

export const chain = kindOf('chain', (sent) => ({ value: splitChain(sent) }));

export const textChain = kindOf('text-chain', (sent) => ({ value: splitTextChain(sent) }));

/** Links to recordings, which add up over the deliveries of a call. A word in place of one is a note. */
export const urls = kindOf(
  'urls',
  (sent) => {
    const { links, words } = readRecordings(sent);
    return {
      ...(links.length > 0 && { value: links }),
      ...(words.length > 0 && { note: { reason: 'no-link' as const, asSent: sent } }),
    };
  },
  { erase: 'text', isList: true },
);

export const duration = kindOf(
  'duration',
  (sent) => {
    const value = secondsFrom(sent);
    return value === undefined ? { note: { reason: 'unparsable-duration', asSent: sent } } : { value };
  },
  { ofAnswer: true },
);

export const time = kindOf(
  'time',
  (sent, timeZone) => {
    const found = instantOf(sent, timeZone);
    if (found === undefined) return { note: { reason: 'unparsable-time', asSent: sent } };
    const { at, note, local } = found;
    return { value: at, note: note && { reason: note, ...(local !== undefined && { asSent: local }) } };
  },
  { ofAnswer: true },
);

/** Whether a note says that clocks change at a local time, so that the time has two readings or none. */
export const isLocalTimeNote = ({ reason }: Note): boolean =>
  reason === 'ambiguous-local-time' || reason === 'skipped-local-time';

const ofVocabulary =
  <const Kind extends FieldKind>(
    kind: Kind,
    lookUp: (vocabulary: Vocabulary<string>, sent: string, added?: AddedWords) => FieldReading,
  ) =>
  <const Spelling extends string, Word extends string>(
    spelling: Spelling,
    vocabulary: Vocabulary<Word>,
    description: string,
    traits?: Traits,
  ) => ({
    ...kindOf(kind, (sent, _timeZone, added) => lookUp(vocabulary, sent, added))(spelling, description, traits),
    vocabulary,
  });

/** A word of a vocabulary. One that is unknown or has a parameter is kept as sent too. */
export const wordOf = ofVocabulary('word', (vocabulary, sent, added) => {
  const { word, asSent } = lookUpWord(vocabulary, sent, added);
  return { value: word, asSent };
});

/** Words of a vocabulary in a chain. If one is unknown or has a parameter, all of them are kept as sent too. */
export const wordsOf = ofVocabulary('words', (vocabulary, sent, added) => {
  const parts = splitChain(sent);
  const matches = parts?.map((part) => lookUpWord(vocabulary, part, added));
  const hasLess = matches?.some(({ asSent }) => asSent !== undefined);
  return { value: matches?.map(({ word }) => word), asSent: hasLess ? parts : undefined };
});

/** The id that becomes the record’s key is only read to note what is odd about it. Another note has its text. */
export const noteRoundedId = (sent: string): FieldReading =>
  isRoundedId(sent) ? { note: { reason: 'rounded-id' } } : {};

interface Post {
  readonly posted: FieldTexts<string>;
  readonly timeZone: string;
  readonly added: AddedWordsByFact;
  readonly facts: Record<string, unknown>;
  readonly notes: Note[];
}

/** Facts come in alphabetical order, so that the content hash does not have to sort them. */
export function fieldReader<Facts>(
  fields: readonly PostedField[],
): (posted: FieldTexts<string>, timeZone: string, added?: AddedWordsByFact) => Facts;
export function fieldReader(fields: readonly PostedField[]) {
  const names = fields
    .filter(({ read }) => read !== undefined)
    .flatMap(({ fact, vocabulary }) => (vocabulary ? [fact, `${fact}AsSent`] : [fact]));
  // Copying an object with all its keys takes less time than adding keys one by one.
  const noFacts = Object.fromEntries([...names, 'extra', 'timeZone'].sort().map((name) => [name, undefined]));

  return (posted: FieldTexts<string>, timeZone: string, added: AddedWordsByFact = {}) => {
    const post: Post = { posted, timeZone, added, facts: { ...noFacts, timeZone }, notes: [] };
    for (const field of fields) if (field.read !== undefined) readField(field, field.read, post);
    if (Object.keys(posted.extra).length > 0) post.facts['extra'] = posted.extra;
    return withNotes(post.notes, post.facts);
  };
}

const readField = (
  { kind, spelling, fact, max = Number.POSITIVE_INFINITY, isList }: PostedField,
  read: Read,
  { posted, timeZone, added, facts, notes }: Post,
): void => {
  const sent = posted.fields.get(spelling);
  if (sent === undefined) return;

  if (posted.nested.has(spelling) && !(isList && sent.startsWith('['))) {
    // Of an id that cannot be used another note has the text.
    notes.push({ field: fact, reason: 'not-a-scalar', ...(kind !== 'key' && { asSent: sent }) });
    return;
  }
  const length = kind === 'key' ? (idOf(sent) ?? sent).length : sent.length;
  if (length > max) notes.push({ field: fact, reason: 'over-long' });
  const { value, asSent, note } = read(sent, timeZone, added[fact]);
  facts[fact] = value;
  if (asSent !== undefined) facts[`${fact}AsSent`] = asSent;
  if (note !== undefined) notes.push({ field: fact, ...note });
};

/** The facts of a post with the notes on them. A missing fact is undefined here; `deliveryOf` omits it. */
export const withNotes = <T extends object>(
  notes: readonly Note[],
  facts: T,
): T & { readonly notes?: readonly Note[] } => (notes.length === 0 ? facts : { ...facts, notes: sortedNotes(notes) });

/** Sorts notes, so that equal notes compare equal whatever the order in which they were made. */
export const sortedNotes = (notes: readonly Note[]): readonly Note[] =>
  notes.toSorted((a, b) => compare(a.field, b.field) || compare(a.reason, b.reason));

export const notesOf = ({ notes }: { readonly notes?: unknown }): readonly Note[] =>
  Array.isArray(notes) ? notes : [];
