import type { Note } from '../storage/field.ts';
import { notesOf, sortedNotes } from '../telephony/field-reader.ts';
import type { RecordFacts } from './merge-deliveries.ts';

const endBeforeStart: Note = { field: 'endedAt', reason: 'end-before-start' };

/**
 * The facts with the time from start to end in seconds. The service sends ends that equal the start, and some
 * that precede it: those get a note instead. Derived after the merge, because start and end may come from different deliveries.
 */
export const withDerived = (facts: RecordFacts): RecordFacts => {
  const { startedAt, endedAt } = facts;
  if (typeof startedAt !== 'string' || typeof endedAt !== 'string') return facts;

  const elapsedSeconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  return elapsedSeconds < 0
    ? { ...facts, notes: sortedNotes([...notesOf(facts), endBeforeStart]) }
    : { ...facts, elapsedSeconds };
};

/** The inverse of `withDerived`. */
export const withoutDerived = ({ elapsedSeconds: _elapsed, ...facts }: RecordFacts): RecordFacts => {
  const notes = notesOf(facts).filter(({ reason }) => reason !== endBeforeStart.reason);
  const { notes: _all, ...others } = facts;
  return notes.length > 0 ? { ...others, notes } : others;
};
