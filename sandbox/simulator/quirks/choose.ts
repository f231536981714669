import type { Random } from '../random.ts';

/** Something that happens to a share of the calls, and that can be asked for by name. */
export interface Choosable {
  readonly name: string;
  /** 0 to 1; the probabilities of one list add up to at most 1. */
  readonly probability: number;
}

/** At most one of a list, each with its own probability; where a name is asked for, that one or none. */
export const choose = <T extends Choosable>(random: Random, items: readonly T[], name?: string): T | undefined => {
  if (name !== undefined) return items.find((item) => item.name === name);

  const drawn = random();
  return items.find((_, index) => drawn < sum(items.slice(0, index + 1)));
};

const sum = (items: readonly Choosable[]): number => items.reduce((total, { probability }) => total + probability, 0);
