import { compare } from '../core/collections.ts';
import { instantOf, secondsFrom } from '../core/time.ts';
import type { Note } from '../storage/field.ts';
import type { Folded } from './posted-fields.ts';
import { idOf, isRoundedId, splitChain, splitTextChain } from './posted-fields.ts';
import { readRecordings } from './recording-links.ts';
import { type AddedWords, type AddedWordsByFact, lookUpWord, type Vocabulary } from './vocabularies.ts';

/** What a text means, the text as sent where the meaning has less, and what is odd about it. */
export interface Reading<Value, AsSent> {
  readonly value?: Value | undefined;
  readonly asSent?: AsSent | undefined;
  readonly note?: Omit<Note, 'field'> | undefined;
}

/** A documented field: its kind, the fact that it becomes, and its maximum length in characters. */
export interface Field<Kind extends string, Fact extends string, Value, AsSent = never> {
  readonly kind: Kind;
  readonly fact: Fact;
  readonly maxLength: number | undefined;
  readonly vocabulary?: Vocabulary<string>;
  /** Its values may also come as a JSON list. */
  readonly isList?: true;
  /** Reads a text that is not blank. A local time is in `timeZone` (IANA); `added` are words besides the vocabulary’s. */
  readonly read: (sent: string, timeZone: string, added?: AddedWords) => Reading<Value, AsSent>;
}

/** Documented fields by the sender’s spelling. */
export type Fields = Readonly<Record<string, Field<string, string, unknown, unknown>>>;

const field = <const Kind extends string, Fact extends string, Value, AsSent = never>(
  kind: Kind,
  fact: Fact,
  maxLength: number | undefined,
  read: (sent: string, timeZone: string, added?: AddedWords) => Reading<Value, AsSent>,
): Field<Kind, Fact, Value, AsSent> => ({ kind, fact, maxLength, read });

/** A text as sent. */
export const text = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('text', fact, maxLength, (sent) => ({ value: sent }));

/** An id. A placeholder is blank. */
export const id = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('id', fact, maxLength, (sent) =>
    isRoundedId(sent) ? { note: { reason: 'rounded-id', asSent: sent } } : { value: idOf(sent) },
  );

/** Ids that a transfer or conference joined with arrows. */
export const idChain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('chain', fact, maxLength, (sent) => {
    const ids = splitChain(sent) ?? [];
    const exact = ids.filter((id) => !isRoundedId(id)).map((id) => idOf(id) ?? id);
    return {
      value: exact.length === 0 ? undefined : exact,
      note: exact.length < ids.length ? { reason: 'rounded-id', asSent: sent } : undefined,
    };
  });

/** Names, steps or targets that a transfer or conference joined with arrows. */
export const chain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('chain', fact, maxLength, (sent) => ({ value: splitChain(sent) }));

/** Texts written by people that a transfer or conference joined with arrows. */
export const textChain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('text-chain', fact, maxLength, (sent) => ({ value: splitTextChain(sent) }));

/** Links to recordings. A word in place of one is a note. */
export const urls = <const Fact extends string>(fact: Fact, maxLength?: number) => ({
  ...field('urls', fact, maxLength, (sent) => {
    const { links, words } = readRecordings(sent);
    return {
      ...(links.length > 0 && { value: links }),
      ...(words.length > 0 && { note: { reason: 'no-link' as const, asSent: sent } }),
    };
  }),
  isList: true as const,
});

/** A duration. */
export const duration = <const Fact extends string>(fact: Fact) =>
  field('duration', fact, undefined, (sent) => {
    const value = secondsFrom(sent);
    return value === undefined ? { note: { reason: 'unparsable-duration', asSent: sent } } : { value };
  });

/** A time. */
export const time = <const Fact extends string>(fact: Fact) =>
  field('time', fact, undefined, (sent, timeZone) => {
    const found = instantOf(sent, timeZone);
    if (found === undefined) return { note: { reason: 'unparsable-time', asSent: sent } };
    const { at, note, local } = found;
    return { value: at, note: note && { reason: note, ...(local !== undefined && { asSent: local }) } };
  });

/** One word of a vocabulary. */
export const word = <const Fact extends string, Word extends string>(
  fact: Fact,
  vocabulary: Vocabulary<Word>,
  maxLength?: number,
) => ({
  ...field('word', fact, maxLength, (sent, _timeZone, added) => {
    const { word, asSent } = lookUpWord(vocabulary, sent, added);
    return { value: word, asSent };
  }),
  vocabulary,
});

/** Words of a vocabulary in a chain. If one is unknown or has a parameter, all of them are kept as sent too. */
export const words = <const Fact extends string, Word extends string>(
  fact: Fact,
  vocabulary: Vocabulary<Word>,
  maxLength?: number,
) => ({
  ...field('words', fact, maxLength, (sent, _timeZone, added) => {
    const parts = splitChain(sent);
    const matches = parts?.map((part) => lookUpWord(vocabulary, part, added));
    const hasLess = matches?.some(({ asSent }) => asSent !== undefined);
    return { value: matches?.map(({ word }) => word), asSent: hasLess ? parts : undefined };
  }),
  vocabulary,
});

const noValue = (): Reading<never, never> => ({});

/** The id that becomes the record’s key. Here it is only read to note what is odd about it. Another note has its text. */
export const key = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('key', fact, maxLength, (sent) => (isRoundedId(sent) ? { note: { reason: 'rounded-id' } } : noValue()));

/** A field that only decides the account. It becomes no fact. */
export const sender = (maxLength: number) => field('sender', 'account', maxLength, noValue);

type ValueOf<Declared> = Declared extends Field<string, string, infer Value, unknown> ? Value : never;
type AsSentOf<Declared> = Declared extends Field<string, string, unknown, infer AsSent> ? AsSent : never;

/** The name of a fact, unless it can have no value. */
type NameIf<Value, Name> = [Value] extends [never] ? never : Name;

/** The facts of a post: those of its fields, its undocumented fields as `extra`, and notes on what is odd. */
type FactsOf<Declared extends Fields> = {
  readonly [Name in keyof Declared as NameIf<ValueOf<Declared[Name]>, Declared[Name]['fact']>]?: ValueOf<
    Declared[Name]
  >;
} & {
  readonly [Name in keyof Declared as NameIf<AsSentOf<Declared[Name]>, `${Declared[Name]['fact']}AsSent`>]?: AsSentOf<
    Declared[Name]
  >;
} & { readonly extra?: Folded<string>['extra']; readonly notes?: readonly Note[]; readonly timeZone: string };

/** A post, the zone of its local times, added words, and what has been read of it so far. */
interface Post {
  readonly posted: Folded<string>;
  readonly timeZone: string;
  readonly added: AddedWordsByFact;
  readonly facts: Record<string, unknown>;
  readonly notes: Note[];
}

/**
 * A reader of posts with these fields. It reads local times in `timeZone` (IANA). Facts come in alphabetical order, so
 * that the content hash does not have to sort them.
 */
export function fieldReader<Declared extends Fields>(
  declared: Declared,
): (posted: Folded<keyof Declared & string>, timeZone: string, added?: AddedWordsByFact) => FactsOf<Declared>;
export function fieldReader(declared: Fields) {
  const fields = Object.entries(declared).filter(([, { kind }]) => kind !== 'sender');
  const names = fields.flatMap(([, { fact, vocabulary }]) => (vocabulary ? [fact, `${fact}AsSent`] : [fact]));
  // Copying an object with all its keys takes less time than adding keys one by one.
  const noFacts = Object.fromEntries([...names, 'extra', 'timeZone'].sort().map((name) => [name, undefined]));

  return (posted: Folded<string>, timeZone: string, added: AddedWordsByFact = {}) => {
    const post: Post = { posted, timeZone, added, facts: { ...noFacts, timeZone }, notes: [] };
    for (const [name, field] of fields) readField(name, field, post);
    if (Object.keys(posted.extra).length > 0) post.facts['extra'] = posted.extra;
    return withNotes(post.notes, post.facts);
  };
}

const readField = (
  name: string,
  { kind, fact, maxLength = Number.POSITIVE_INFINITY, isList, read }: Fields[string],
  { posted, timeZone, added, facts, notes }: Post,
): void => {
  const sent = posted.fields.get(name);
  if (sent === undefined) return;

  if (posted.nested.has(name) && !(isList && sent.startsWith('['))) {
    // Of an id that cannot be used another note has the text.
    notes.push({ field: fact, reason: 'not-a-scalar', ...(kind !== 'key' && { asSent: sent }) });
    return;
  }
  // A longer value is stored in full.
  const length = kind === 'key' ? (idOf(sent) ?? sent).length : sent.length;
  if (length > maxLength) notes.push({ field: fact, reason: 'over-long' });
  const { value, asSent, note } = read(sent, timeZone, added[fact]);
  if (value !== undefined) facts[fact] = value;
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

/** The notes among a record's facts. */
export const notesOf = ({ notes }: { readonly notes?: unknown }): readonly Note[] =>
  Array.isArray(notes) ? notes : [];
