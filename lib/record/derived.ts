import type { Facts } from './delivery.ts';
import { type Note, notesOf, sortedNotes } from './note.ts';

const reversed: Note = { field: 'endedAt', reason: 'end-before-start' };

/**
 * The facts with what follows from several of them: the time from start to end in seconds. Practice: the end may equal
 * and even precede the start; then there is a note instead. Derived after the merge, which may join the start of one
 * delivery with the end of another.
 */
export const withDerived = (facts: Facts): Facts => {
  const { startedAt, endedAt } = facts;
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string') return facts;

  const elapsedSeconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return elapsedSeconds < 0
    ? { ...facts, notes: sortedNotes([...notesOf(facts), reversed]) }
    : { ...facts, elapsedSeconds };
};

/** The facts alone: the inverse of `withDerived`. */
export const withoutDerived = ({ elapsedSeconds: _elapsed, ...facts }: Facts): Facts => {
  const notes = notesOf(facts).filter(({ reason }) => reason !== reversed.reason);
  const { notes: _all, ...others } = facts;
  return notes.length > 0 ? { ...others, notes } : others;
};
