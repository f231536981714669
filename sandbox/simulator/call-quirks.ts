import { type Call, scenarios } from './floor/call.ts';
import { type Carrier, carriers, otherPosts, type Writing, writings } from './posts/post.ts';
import { type Shape, shapes } from './posts/shapes.ts';
import { type Repeat, repeats, type Timeline, timelines } from './posts/timelines.ts';
import { chooseFieldQuirks, fieldQuirks, type IdentifierQuirk, identifierQuirks } from './quirks/field-quirks.ts';
import { choose, type Random } from './random.ts';
import type { FieldQuirk } from './summary/fields.ts';

/** The name of a scenario or quirk. */
export type Kind = (typeof allKinds)[number]['name'];

/** The quirks in the callbacks of one call. */
export interface CallQuirks {
  readonly identifier: IdentifierQuirk | undefined;
  readonly fields: readonly FieldQuirk[];
  readonly timeline: Timeline | undefined;
  readonly repeat: Repeat | undefined;
  readonly shape: Shape | undefined;
  readonly writing: Writing | undefined;
  readonly carrier: Carrier | undefined;
}

/** The quirks of one call: drawn at random, or only the requested one. */
export const chooseCallQuirks = (random: Random, kind?: Kind): CallQuirks => ({
  identifier: choose(random, identifierQuirks, kind),
  fields: chooseFieldQuirks(random, kind),
  timeline: choose(random, timelines, kind),
  repeat: choose(random, repeats, kind),
  shape: choose(random, shapes, kind),
  writing: choose(random, writings, kind),
  carrier: choose(random, carriers, kind),
});

/** The quirks that apply to this call. For example, a call without an agent has no wrap-up. */
export const applicableQuirks = (quirks: CallQuirks, call: Call): CallQuirks => ({
  ...quirks,
  fields: quirks.fields.filter((quirk) => quirk.appliesTo?.(call) ?? true),
  timeline: call.engagements.length > 0 ? quirks.timeline : undefined,
});

/** The names of the quirks. */
export const quirkNames = ({
  identifier,
  fields,
  timeline,
  repeat,
  shape,
  writing,
  carrier,
}: CallQuirks): readonly string[] =>
  [identifier, ...fields, timeline, repeat, shape, writing, carrier].flatMap((quirk) => quirk?.name ?? []);

/** All scenarios and quirks that can be requested by name. */
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

/** All names. */
export const kinds: readonly Kind[] = allKinds.map(({ name }) => name);
