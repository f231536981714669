import { type Call, scenarios } from './floor/call.ts';
import { type Carrier, carriers, otherPosts, type Writing, writings } from './posts/post.ts';
import { type Shape, shapes } from './posts/shapes.ts';
import { type Repeat, repeats, type Timeline, timelines } from './posts/timelines.ts';
import { chooseFieldQuirks, fieldQuirks, type IdentifierQuirk, identifierQuirks } from './quirks/field-quirks.ts';
import { choose, type Random } from './random.ts';
import type { FieldQuirk } from './summary/fields.ts';

/** How the service tells about one call, where it is not the rule. */
export interface CallQuirks {
  readonly identifier: IdentifierQuirk | undefined;
  readonly fields: readonly FieldQuirk[];
  readonly timeline: Timeline | undefined;
  readonly repeat: Repeat | undefined;
  readonly shape: Shape | undefined;
  readonly writing: Writing | undefined;
  readonly carrier: Carrier | undefined;
}

/** The habits of one call: drawn, or only the one that is asked for. */
export const chooseCallQuirks = (random: Random, kind?: Kind): CallQuirks => ({
  identifier: choose(random, identifierQuirks, kind),
  fields: chooseFieldQuirks(random, kind),
  timeline: choose(random, timelines, kind),
  repeat: choose(random, repeats, kind),
  shape: choose(random, shapes, kind),
  writing: choose(random, writings, kind),
  carrier: choose(random, carriers, kind),
});

/** The habits that can show on this call: nobody wraps up a call that no agent took, for one. */
export const applicableQuirks = (habits: CallQuirks, call: Call): CallQuirks => ({
  ...habits,
  fields: habits.fields.filter((quirk) => quirk.appliesTo?.(call) ?? true),
  timeline: call.engagements.length > 0 ? habits.timeline : undefined,
});

/** The names of the habits. */
export const quirkNames = ({
  identifier,
  fields,
  timeline,
  repeat,
  shape,
  writing,
  carrier,
}: CallQuirks): readonly string[] =>
  [identifier, ...fields, timeline, repeat, shape, writing, carrier].flatMap((habit) => habit?.name ?? []);

/** Everything that can be asked for by name: what becomes of a call, and the quirks of how it is told. */
const allKinds = [
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
export type Kind = (typeof allKinds)[number]['name'];

/** All names. */
export const kinds: readonly Kind[] = allKinds.map(({ name }) => name);
