import { describe, expect, it } from 'vitest';
import { between, chance, digitsOf, fork, pick, seededRandom, shuffled } from '../../../sandbox/simulator/random.ts';

const many = <T>(draw: () => T): readonly T[] => Array.from({ length: 2000 }, draw);

describe('seededRandom', () => {
  it('repeats itself for the same seed', () => {
    const [one, other] = [seededRandom(7), seededRandom(7)];

    expect(many(one)).toEqual(many(other));
  });

  it('differs for another seed, and between a generator and its fork', () => {
    const random = seededRandom(7);
    const own = fork(random);

    expect(many(random)).not.toEqual(many(seededRandom(8)));
    expect(many(own)).not.toEqual(many(random));
  });

  it('stays from 0 up to 1 and uses all of it', () => {
    const drawn = many(seededRandom(1));

    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...drawn)).toBeLessThan(0.01);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(Math.max(...drawn)).toBeGreaterThan(0.99);
  });
});

describe('drawing', () => {
  const random = seededRandom(3);

  it('reaches both ends of a range', () => {
    expect(new Set(many(() => between(random, 2, 4)))).toEqual(new Set([2, 3, 4]));
  });

  it('picks every item, and throws where there is none', () => {
    expect(new Set(many(() => pick(random, ['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
    expect(() => pick(random, [])).toThrow(RangeError);
  });

  it('shuffles without losing or repeating', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];

    expect([...shuffled(random, items)].sort()).toEqual(items);
    expect(shuffled(random, items)).not.toEqual(shuffled(random, items));
  });

  it('takes a chance about as often as it is told', () => {
    const share = many(() => chance(random, 0.25)).filter(Boolean).length / 2000;

    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.3);
  });

  it('draws digits that never begin with zero', () => {
    for (const digits of many(() => digitsOf(random, 14))) expect(digits).toMatch(/^[1-9]\d{13}$/);
  });
});
