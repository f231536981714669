import type { Random } from '../random.ts';
import { blanksQuirk } from './blanks.ts';
import { choose } from './choose.ts';
import { durationQuirks } from './durations.ts';
import type { FieldQuirk, Rewrite, Subject } from './field-quirk.ts';
import { recordingQuirks } from './recordings.ts';
import { overLongQuirk } from './sizes.ts';
import { keySpellingQuirk, newWordsQuirk, wordSpellingQuirk } from './spellings.ts';
import { timeQuirks } from './times.ts';
import { typeQuirks } from './types.ts';
import { unknownKeysQuirk } from './unknown-keys.ts';

/** Habits of one list exclude each other; the lists do not, and are applied in this order. */
const lists = [
  recordingQuirks,
  [overLongQuirk],
  [newWordsQuirk, wordSpellingQuirk],
  durationQuirks,
  timeQuirks,
  typeQuirks,
  [unknownKeysQuirk],
  [blanksQuirk],
  [keySpellingQuirk],
] as const satisfies readonly (readonly FieldQuirk[])[];

/** Every habit with fields, except those with the identifier, which are part of the call itself. */
export const fieldQuirks = lists.flat();

/** The habits of one call: drawn, or the one asked for if it is one of these. */
export const chosenFieldQuirks = (random: Random, name?: string): readonly FieldQuirk[] =>
  lists.flatMap((list) => choose<FieldQuirk>(random, list, name) ?? []);

/** All habits of a call as one rewrite. */
export const rewriteBy = (random: Random, quirks: readonly FieldQuirk[], subject: Subject): Rewrite => {
  const rewrites = quirks.map((quirk) => quirk.prepare(random, subject));

  return (fields) => rewrites.reduce((changed, rewrite) => rewrite(changed), fields);
};
