import * as z from 'zod/mini';
import { compare, once } from '../core/collections.ts';
import { type Json, textOfJson } from '../core/json.ts';
import type { Note } from '../storage/field.ts';
import type { AddedWords, AddedWordsByFact, Vocabulary } from './vocabularies.ts';

/** The fields of a posted object, by the names under which they were sent. */
export type PostedFields = readonly (readonly [name: string, value: Json])[];

/** The documented and the other fields of a post, every value as text. */
export interface FieldTexts<Field extends string> {
  readonly fields: ReadonlyMap<Field, string>;
  readonly extra: Readonly<Record<string, string>>;
  /** Documented fields that held a list or an object; their text is JSON. */
  readonly nested: ReadonlySet<Field>;
}

/**
 * Maps the fields of a posted object to their documented spelling, and omits blanks. Where two spellings of a field
 * have different values, the first one counts and the other goes to `extra`, so that no value is lost.
 */
export const fieldTexts = <Field extends string>(
  posted: PostedFields,
  known: ReadonlyMap<string, Field>,
): FieldTexts<Field> => {
  const fields = new Map<Field, string>();
  const extra = new Map<string, string>();
  const nested = new Set<Field>();
  const uniqueName = uniqueNames();

  for (const [key, value] of posted) {
    // A lone surrogate is no valid text for a database; it becomes the replacement character, as in any UTF-8 encoding.
    const text = nonBlank(textOfJson(value)?.toWellFormed());
    if (text === undefined || isKeyField(key)) continue;

    const field = known.get(key.toLowerCase());
    if (field === undefined || (fields.has(field) && fields.get(field) !== text)) {
      const [name, storedText] = storable(key.toWellFormed(), text);
      extra.set(uniqueName(name), storedText);
      continue;
    }
    fields.set(field, text);
    if (typeof value === 'object') nested.add(field);
  }
  return { fields, extra: Object.fromEntries([...extra].sort(([a], [b]) => compare(a, b))), nested };
};

/**
 * Documented fields by lower-case spelling: the service varies only the letter case (`dId`, `Did`, `DID`, `DId`,
 * `did`).
 */
export const spellings = <Field extends string>(fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((field) => [field.toLowerCase(), field]));

/** Whether a field holds the account key, in any spelling. Such a field is used for authentication and never stored. */
export const isKeyField = (key: string): boolean => key.length < 8 && /^api[_-]?key$/i.test(key);

/** Numbers the repeats of a name: names can become equal when they are redacted or made storable. No value is lost. */
export const uniqueNames = () => {
  const uses = new Map<string, number>();
  return (name: string): string => {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return use === 1 ? name : `${name} (${use})`;
  };
};

const maxNameLength = 255;

/** DynamoDB accepts no empty attribute name, and none over 64 KB: a long name becomes the beginning of its value. */
const storable = (key: string, text: string): readonly [name: string, text: string] =>
  key.length <= maxNameLength ? [key || '(empty)', text] : ['(long name)', `${key}: ${text}`];

const blanks = new Set(['', 'none', 'null', '-']);

/**
 * The text without surrounding space, or undefined if it means a missing value.
 * The service writes `""`, `None`, `null` or `-` for a missing value, in any letter case.
 */
export const nonBlank = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim();
  return trimmed === undefined || (trimmed.length <= 4 && blanks.has(trimmed.toLowerCase())) ? undefined : trimmed;
};

/**
 * The text as an id. Undefined if it identifies nothing: it is blank, a placeholder that programs write without an id, or
 * rounded. Otherwise all calls with the id `0`, or with one that was rounded to the same number, would be one call.
 */
export const idOf = (text: string | undefined): string | undefined => exactId(nonBlank(text)) ?? undefined;

/** Whether a text was an id before a program rounded it: `1.2345678901235E+19` has 14 digits of 20. */
export const isRoundedId = (text: string | undefined): boolean => exactId(nonBlank(text)) === null;

/** The digits of an id that a program or a spreadsheet wrote as a number, if it lost none; null if it lost some. */
const exactId = (id = ''): string | null | undefined => {
  const [, whole = id] = withZeros.exec(id) ?? [];
  const [, first, fraction = '', exponent] = withExponent.exec(whole) ?? [];
  if (first === undefined) return whole === '' || placeholderId.test(whole) ? undefined : whole;

  const places = Number(exponent);
  // What is left of the fraction would make it no whole number, and so no id that a program wrote.
  if (!onlyZeros.test(fraction.slice(places))) return whole;
  return fraction.length < places ? null : `${first}${fraction.slice(0, places)}`;
};

/** A whole number with a fraction of zeros, and one in the notation of science: with a point or, in some countries, a comma. */
const withZeros = /^([-+]?\d+)[.,]0+$/;
const withExponent = /^([1-9])(?:[.,](\d+))?e\+?0*(\d{1,2})$/i;
const onlyZeros = /^0*$/;

const placeholderId = /^(?:[-+]?0+|-1|n\/?a|nan|nil|unknown|undefined)$/i;

/**
 * The values of a field that a transfer or conference joined with arrows, without blanks; undefined if none is left. For
 * ids, words and steps, which contain no arrow: it separates with and without blanks around it.
 * The service does not align the chains of a call, so a position in one field means nothing in another.
 * @example splitChain(' -> 1001->1002') // ['1001', '1002']
 */
export const splitChain = (text: string): readonly string[] | undefined =>
  listOf(text.includes('->') ? text.split('->') : [text]);

/**
 * The same for text that people write. An arrow may be part of it, so it separates only with blanks, or an end of the
 * text, on both sides. @example splitTextChain('Plan A->B -> Sold') // ['Plan A->B', 'Sold']
 */
export const splitTextChain = (text: string): readonly string[] | undefined =>
  listOf(text.includes('->') ? text.split(spacedArrow) : [text]);

const spacedArrow = /(?:^|\s)->(?=\s|$)/;

const listOf = (parts: readonly string[]): readonly string[] | undefined => {
  const list = parts.map(nonBlank).filter((part) => part !== undefined);
  return list.length === 0 ? undefined : list;
};

/** What it takes to make a record's post again, if the record was not alone in the form field `data`. */
export const postedIn = once(() =>
  z.object({
    /** The ids of the deliveries whose records the post had, in its order. */
    ids: z.readonly(z.array(z.string())),
    /** What stood before the first record, between each two, and after the last. */
    around: z.readonly(z.array(z.string())),
    /** The form field beside `data` that held the account’s key. */
    keyField: z.optional(z.string()),
  }),
);
export type PostedIn = Readonly<z.infer<ReturnType<typeof postedIn>>>;

/** Which masks in a record's text hide the account's own key, counted from 0. */
export const keysAt = once(() => z.readonly(z.array(z.int())));

/** The meaning of a text, what is odd about it, and the text as sent if the meaning lacks something of it. */
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

export type Fields = Readonly<Record<string, Field<string, string, unknown, unknown>>>;

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
} & { readonly extra?: FieldTexts<string>['extra']; readonly notes?: readonly Note[]; readonly timeZone: string };

interface Post {
  readonly posted: FieldTexts<string>;
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
): (posted: FieldTexts<keyof Declared & string>, timeZone: string, added?: AddedWordsByFact) => FactsOf<Declared>;
export function fieldReader(declared: Fields) {
  const fields = Object.entries(declared).filter(([, { kind }]) => kind !== 'sender');
  const names = fields.flatMap(([, { fact, vocabulary }]) => (vocabulary ? [fact, `${fact}AsSent`] : [fact]));
  // Copying an object with all its keys takes less time than adding keys one by one.
  const noFacts = Object.fromEntries([...names, 'extra', 'timeZone'].sort().map((name) => [name, undefined]));

  return (posted: FieldTexts<string>, timeZone: string, added: AddedWordsByFact = {}) => {
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

export const notesOf = ({ notes }: { readonly notes?: unknown }): readonly Note[] =>
  Array.isArray(notes) ? notes : [];
