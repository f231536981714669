import type { CallRecord } from '../calls/call-record.ts';
import type { Facts } from '../core/collections.ts';
import { erased } from '../core/text.ts';
import { notesOf } from '../telephony/field-reader.ts';

/** A person to erase: how to find them, and what a call holds without them. */
export interface Person {
  /** Only rows of this account; rows of every account if undefined. */
  readonly account: string | undefined;
  /** Whether facts name the person, at any depth. */
  readonly isIn: (facts: unknown) => boolean;
  /** Whether a text that was sent names the person: a record, a list of records, or a broken one. */
  readonly isInText: (text: string) => boolean;
  /** Removes the person from the facts of each delivery about a call and its participants. */
  readonly eraser: (call: readonly CallRecord[]) => (facts: Facts) => Facts;
}

/** The value with each text in it replaced, at any depth, the names of fields too. */
export const replaceTexts = (value: unknown, replace: (text: string) => string): unknown => {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((entry) => replaceTexts(entry, replace));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [replace(name), replaceTexts(entry, replace)]),
  );
};

/** The facts with some of their fields replaced, if they have them: a field stays a text, and a list a list. */
export const replaceFields = (
  facts: Facts,
  fields: readonly string[],
  replace: (value: unknown) => unknown,
): Facts => ({
  ...facts,
  ...Object.fromEntries(fields.filter((field) => field in facts).map((field) => [field, replace(facts[field])])),
});

/** The facts without the lists and objects that were sent in place of texts: nobody knows what is in them. */
export const withoutNestedValues = (facts: Facts): Facts =>
  replaceFields(facts, ['notes'], () =>
    notesOf(facts).map((note) =>
      note.reason === 'not-a-scalar' && 'asSent' in note ? { ...note, asSent: erased } : note,
    ),
  );
