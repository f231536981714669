import type { Note } from '../contract/note.ts';
import { compare } from '../text/compare.ts';

export type { Note };

/** Notes in an order of their own, so that equal ones compare equal however they were come by. */
export const sortedNotes = (notes: readonly Note[]): readonly Note[] =>
  notes.toSorted((a, b) => compare(a.field, b.field) || compare(a.reason, b.reason));

/** The notes of a set of facts. */
export const notesOf = ({ notes }: { readonly notes?: unknown }): readonly Note[] =>
  Array.isArray(notes) ? notes : [];
