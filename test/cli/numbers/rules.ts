import type { Centre } from './centre.ts';
import type { Figures } from './figures.ts';
import type { Leaf } from './leaves.ts';
import type { Lists } from './lists.ts';

/** An answer, and with what its numbers are opened. */
export interface Answered {
  /** The address or the command. */
  readonly name: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly answer: ReturnType<typeof Object>;
  readonly centre: Centre;
  readonly lists: Lists;
  readonly figures: Figures;
}

/** A number as it is shown, and what was counted where it leads. */
export interface Held {
  readonly what: string;
  readonly shown: unknown;
  readonly opened: unknown;
}

type Opening = (leaf: Leaf, of: Answered) => unknown;

/**
 * What a number of some shape has to be: what is counted where it leads, to which it is compared; or, of what counts nothing and leads
 * nowhere, the reason.
 */
export type Rule = readonly [shape: RegExp, opens: Opening | string];

/** Holds every number of an answer by its rule. A shape without a rule is a number that nobody has opened yet. */
export const heldBy = async (
  rules: readonly Rule[],
  leaves: readonly Leaf[],
  of: Answered,
): Promise<readonly Held[]> => {
  const held: Held[] = [];
  for (const leaf of leaves) {
    const rule = rules.find(([shape]) => shape.test(leaf.shape));
    if (rule === undefined) held.push({ what: `${leaf.shape} has no rule`, shown: leaf.value, opened: undefined });
    else if (typeof rule[1] !== 'string') {
      const opened = await rule[1](leaf, of);
      const what = `${of.name} ${JSON.stringify(of.query)} ${leaf.path}`;
      held.push({ what, shown: leaf.value, opened });
    }
  }
  return held;
};

/** The numbers beside which something else was counted. */
export const wrong = (held: readonly Held[]): readonly Held[] =>
  held.filter(({ shown, opened }) => !Object.is(shown, opened));

/** The rules that no number of these answers has: a rule for nothing would hide that a number is gone, or has another name. */
export const unused = (rules: readonly Rule[], leaves: readonly Leaf[]): readonly string[] =>
  rules.flatMap(([shape]) => (leaves.some((leaf) => shape.test(leaf.shape)) ? [] : [String(shape)]));
