import { e164Names } from '../../lib/calls/call-row.ts';
import type { RecordFacts } from '../../lib/calls/merge-deliveries.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';

/** An E.164 form in which two rows of one record differ. */
export interface E164Change {
  /** The name of the form, such as `customerNumberE164`. */
  readonly field: string;
  /** The UCID of the leg that has it; absent for a number of the whole record. */
  readonly leg?: string;
  /** Absent where the row before had none. */
  readonly before?: string;
  /** Absent where the row after has none. */
  readonly after?: string;
}

/** The E.164 forms in which two rows of one record differ. */
export const changedE164 = (before: RecordFacts, after: RecordFacts): readonly E164Change[] => {
  const partsBefore = partsByLeg(before);
  const partsAfter = partsByLeg(after);
  return [...new Set([...partsBefore.keys(), ...partsAfter.keys()])].flatMap((leg) =>
    [...e164Names].flatMap((field) => {
      const numberBefore = partsBefore.get(leg)?.[field];
      const numberAfter = partsAfter.get(leg)?.[field];
      if (numberBefore === numberAfter) return [];
      return [withoutUndefined({ field, leg, before: textOf(numberBefore), after: textOf(numberAfter) })];
    }),
  );
};

/** Under `undefined` the whole record, under its UCID each leg. */
const partsByLeg = (facts: RecordFacts): ReadonlyMap<string | undefined, RecordFacts> => {
  const { legs } = facts;
  const ofLegs: readonly RecordFacts[] = Array.isArray(legs) ? legs : [];
  return new Map([[undefined, facts], ...ofLegs.map((leg) => [String(leg['ucid']), leg] as const)]);
};

const textOf = (number: unknown): string | undefined => (number === undefined ? undefined : String(number));

export const changeKindOf = ({ before, after }: E164Change): 'added' | 'changed' | 'removed' => {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
};
