import { compare, splitChain, splitRecordings } from '../core/text.ts';
import { instantOf, secondsFrom } from '../core/time.ts';
import type { Note } from '../schema/note.ts';
import type { Folded } from './fold-keys.ts';
import { lookUpWord, type Vocabulary, type VocabularyMatch } from './vocabulary.ts';

/** Reads the fields of one post, each as its kind of value, and collects a note for every value that is odd. */
interface FieldReader<Field extends string> {
  readonly text: (field: Field, name: string) => string | undefined;
  readonly chain: (field: Field, name: string) => readonly string[] | undefined;
  readonly urls: (field: Field, name: string) => readonly string[] | undefined;
  readonly word: <W extends string>(field: Field, name: string, words: Vocabulary<W>) => VocabularyMatch<W> | undefined;
  readonly words: <W extends string>(
    field: Field,
    name: string,
    words: Vocabulary<W>,
  ) => VocabularyMatches<W> | undefined;
  readonly seconds: (field: Field, name: string) => number | undefined;
  readonly instant: (field: Field, name: string) => string | undefined;
  readonly notes: readonly Note[];
}

/** Several words of a vocabulary; all of them as sent too, if one is unknown. */
interface VocabularyMatches<Word extends string> {
  readonly words: readonly (Word | 'unknown')[];
  readonly asSent?: readonly string[];
}

/** `limits` are the documented maximum lengths in characters. A longer value is noted, and stored in full. */
export const fieldReader = <Field extends string>(
  { fields, nested }: Folded<Field>,
  timeZone: string,
  limits: ReadonlyMap<Field, number>,
): FieldReader<Field> => {
  const notes: Note[] = [];

  const text = (field: Field, name: string) => {
    const value = fields.get(field);
    if (value === undefined) return undefined;
    if (value.length > (limits.get(field) ?? Number.POSITIVE_INFINITY))
      notes.push({ field: name, reason: 'over-long' });
    if (nested.has(field)) notes.push({ field: name, reason: 'not-a-scalar' });
    return value;
  };

  return {
    notes,
    text,
    chain: (field, name) => splitChain(text(field, name)),
    urls: (field, name) => splitRecordings(text(field, name)),
    word: (field, name, vocabulary) => {
      const value = text(field, name);
      return value === undefined ? undefined : lookUpWord(vocabulary, value);
    },
    words: (field, name, vocabulary) => {
      const sent = splitChain(text(field, name));
      if (sent === undefined) return undefined;
      const words = sent.map((value) => lookUpWord(vocabulary, value).word);
      return words.includes('unknown') ? { words, asSent: sent } : { words };
    },
    seconds: (field, name) => {
      const sent = text(field, name);
      const value = sent === undefined ? undefined : secondsFrom(sent);
      if (sent !== undefined && value === undefined)
        notes.push({ field: name, reason: 'unparsable-duration', asSent: sent });
      return value;
    },
    instant: (field, name) => {
      const sent = text(field, name);
      const value = sent === undefined ? undefined : instantOf(sent, timeZone);
      if (sent !== undefined && value === undefined)
        notes.push({ field: name, reason: 'unparsable-time', asSent: sent });
      if (sent !== undefined && value?.note !== undefined)
        notes.push({ field: name, reason: value.note, asSent: sent });
      return value?.at;
    },
  };
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
