import type { Call } from '../floor/call.ts';
import type { Kind } from '../kinds.ts';
import { choose } from '../quirks/choose.ts';
import type { FieldQuirk } from '../quirks/field-quirk.ts';
import { chosenFieldQuirks } from '../quirks/field-quirks.ts';
import { type IdentifierQuirk, identifierQuirks } from '../quirks/identifiers.ts';
import type { Random } from '../random.ts';
import { type Carrier, carriers, type Writing, writings } from './carriers.ts';
import { type Repeat, repeats } from './repeats.ts';
import { type Shape, shapes } from './shapes.ts';
import { type Timeline, timelines } from './timelines.ts';

/** How the service tells about one call, where it is not the rule. */
export interface Habits {
  readonly identifier: IdentifierQuirk | undefined;
  readonly fields: readonly FieldQuirk[];
  readonly timeline: Timeline | undefined;
  readonly repeat: Repeat | undefined;
  readonly shape: Shape | undefined;
  readonly writing: Writing | undefined;
  readonly carrier: Carrier | undefined;
}

/** The habits of one call: drawn, or only the one that is asked for. */
export const habitsOf = (random: Random, kind?: Kind): Habits => ({
  identifier: choose(random, identifierQuirks, kind),
  fields: chosenFieldQuirks(random, kind),
  timeline: choose(random, timelines, kind),
  repeat: choose(random, repeats, kind),
  shape: choose(random, shapes, kind),
  writing: choose(random, writings, kind),
  carrier: choose(random, carriers, kind),
});

/** The habits that can show on this call: nobody wraps up a call that no agent took, for one. */
export const suitable = (habits: Habits, call: Call): Habits => ({
  ...habits,
  fields: habits.fields.filter((quirk) => quirk.suits?.(call) ?? true),
  timeline: call.engagements.length > 0 ? habits.timeline : undefined,
});

/** The names of the habits. */
export const namesOf = ({ identifier, fields, timeline, repeat, shape, writing, carrier }: Habits): readonly string[] =>
  [identifier, ...fields, timeline, repeat, shape, writing, carrier].flatMap((habit) => habit?.name ?? []);
