/** Returns numbers from 0 up to, but not including, 1. The same seed always returns the same numbers. */
export type Random = () => number;

/** A mulberry32 generator: 32 bits of state are plenty for a simulator, and every call can have its own. */
export const seededRandom = (seed: number): Random => {
  let state = seed >>> 0;

  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A generator for what is drawn of one call apart from the call itself. The same digits always draw the same. */
export const randomOf = (digits: string, purpose: number): Random =>
  seededRandom(Number(BigInt.asUintN(32, BigInt(digits))) + purpose);

/** A separate generator, so that the draws of one call do not change the next call. */
export const fork = (random: Random): Random => seededRandom(Math.floor(random() * 2 ** 32));

export const chance = (random: Random, probability: number): boolean => random() < probability;

export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export const pick = <T>(random: Random, items: readonly T[]): T => {
  const [item] = items.slice(Math.floor(random() * items.length));
  if (item === undefined) throw new RangeError('There is nothing to pick from');
  return item;
};

export const shuffled = <T>(random: Random, items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({ item, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);

export const randomDigits = (random: Random, length: number): string =>
  Array.from({ length }, (_, index) => between(random, index === 0 ? 1 : 0, 9)).join('');

export interface Choosable {
  readonly name: string;
  /** 0 to 1; the probabilities of one list add up to at most 1. */
  readonly probability: number;
}

/** At most one item, each with its own probability. With a name, the item of that name if there is one. */
export const choose = <T extends Choosable>(random: Random, items: readonly T[], name?: string): T | undefined => {
  if (name !== undefined) return items.find((item) => item.name === name);

  let drawn = random();
  return items.find(({ probability }) => {
    drawn -= probability;
    return drawn < 0;
  });
};
