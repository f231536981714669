import type { synthesise } from '../support/template.ts';

export type Synthesised = Pick<ReturnType<typeof synthesise>, 'stack' | 'template'>;

/** How many places a rule looked at, and those where it is broken, each as a sentence. */
export interface Findings {
  readonly places: number;
  readonly broken: readonly string[];
}

/** What must hold in every template, whatever is in it: derived from what its parts say of each other, not from their names. */
export type StackRule = (synthesised: Synthesised) => Findings;

/** A rule over places: `problem` says what is wrong at one; undefined if it is right there. */
export const findingsAt = <Place>(
  places: readonly Place[],
  problem: (place: Place) => string | undefined,
): Findings => ({ places: places.length, broken: places.flatMap((place) => problem(place) ?? []) });
