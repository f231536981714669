import { scenarios } from './floor/scenarios.ts';
import { carriers, writings } from './posts/carriers.ts';
import { otherPosts } from './posts/other-posts.ts';
import { repeats } from './posts/repeats.ts';
import { shapes } from './posts/shapes.ts';
import { timelines } from './posts/timelines.ts';
import { fieldQuirks } from './quirks/field-quirks.ts';
import { identifierQuirks } from './quirks/identifiers.ts';

/** Everything that can be asked for by name: what becomes of a call, and the quirks of how it is told. */
const everything = [
  ...scenarios,
  ...identifierQuirks,
  ...fieldQuirks,
  ...timelines,
  ...repeats,
  ...shapes,
  ...writings,
  ...carriers,
  ...otherPosts,
] as const;

/** The name of a scenario or quirk. */
export type Kind = (typeof everything)[number]['name'];

/** All names. */
export const kinds: readonly Kind[] = everything.map(({ name }) => name);
