import type { Folded } from '../callback/fold-keys.ts';
import { chain, recordings } from '../text/chain.ts';
import { type Understood, understood, type Vocabulary } from '../text/vocabulary.ts';
import { instantOf } from '../time/instant-of.ts';
import { secondsFrom } from '../time/seconds-from.ts';
import { type Note, sortedNotes } from './note.ts';

/** Reads the fields of one post by kind, and collects what is odd about them. */
export interface Reading<Field extends string> {
  readonly text: (field: Field, name: string) => string | undefined;
  readonly chain: (field: Field, name: string) => readonly string[] | undefined;
  readonly urls: (field: Field, name: string) => readonly string[] | undefined;
  readonly word: <W extends string>(field: Field, name: string, words: Vocabulary<W>) => Understood<W> | undefined;
  readonly words: <W extends string>(field: Field, name: string, words: Vocabulary<W>) => UnderstoodList<W> | undefined;
  readonly seconds: (field: Field, name: string) => number | undefined;
  readonly instant: (field: Field, name: string) => string | undefined;
  readonly notes: readonly Note[];
}

/** Several words, and all of them as sent where any is unknown. */
export interface UnderstoodList<Word extends string> {
  readonly words: readonly (Word | 'unknown')[];
  readonly asSent?: readonly string[];
}

/** `limits` are documented maximum lengths in characters; a longer value is noted and kept. */
export const reading = <Field extends string>(
  { fields, nested }: Folded<Field>,
  timeZone: string,
  limits: ReadonlyMap<Field, number>,
): Reading<Field> => {
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
    chain: (field, name) => chain(text(field, name)),
    urls: (field, name) => recordings(text(field, name)),
    word: (field, name, vocabulary) => {
      const value = text(field, name);
      return value === undefined ? undefined : understood(vocabulary, value);
    },
    words: (field, name, vocabulary) => {
      const sent = chain(text(field, name));
      if (sent === undefined) return undefined;
      const words = sent.map((value) => understood(vocabulary, value).word);
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

/** The facts that were read, and the notes made on the way. What is absent is undefined, until a delivery is made of it. */
export const withNotes = <T extends object>(
  notes: readonly Note[],
  facts: T,
): T & { readonly notes?: readonly Note[] } => (notes.length === 0 ? facts : { ...facts, notes: sortedNotes(notes) });
