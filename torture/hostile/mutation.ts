import { pick, type Random } from '../../sandbox/simulator/random.ts';

/** A change that is made to something; the same generator makes the same change. */
export interface Mutation<Of> {
  readonly name: string;
  readonly apply: (random: Random, given: Of) => Of;
}

/** Something after so many changes, whichever; `marks` is told which they were. */
export const mutated = <Of>(
  random: Random,
  given: Of,
  { mutations, times, marks }: { readonly mutations: readonly Mutation<Of>[]; times: number; marks: string[] },
): Of => {
  let result = given;
  for (let count = 0; count < times; count++) {
    const { name, apply } = pick(random, mutations);
    marks.push(name);
    result = apply(random, result);
  }
  return result;
};
