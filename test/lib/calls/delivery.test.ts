import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFields, differenceFrom, withDifference } from '../../../lib/calls/delivery.ts';
import { holds } from '../../support/property.ts';

const value = fc.oneof(fc.string(), fc.nat(), fc.array(fc.string()), fc.dictionary(fc.string(), fc.string()));
const facts = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value);

describe('changedFields', () => {
  it.each([
    ['a new one', {}, { a: 1 }, ['a']],
    ['one that is gone', { a: 1 }, {}, ['a']],
    ['one that is different', { a: 1 }, { a: 2 }, ['a']],
    ['several in alphabetical order', { c: 1, a: 1 }, { b: 1, a: 2 }, ['a', 'b', 'c']],
    ['a list in another order', { a: ['1', '2'] }, { a: ['2', '1'] }, ['a']],
    ['none where keys stand in another order', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, []],
    ['a number that became text', { a: 1 }, { a: '1' }, ['a']],
  ])('names %s', (_title, before, after, expected) => {
    expect(changedFields(before, after)).toEqual(expected);
  });
});

describe('withDifference', () => {
  it('restores the facts that differenceFrom compared', () => {
    holds(
      fc.property(facts, facts, (base, said) => {
        expect(withDifference(base, differenceFrom(base, said))).toEqual(said);
      }),
    );
  });

  it('has null for a field that the delivery did not have', () => {
    expect(differenceFrom({ a: 1, b: 2 }, { b: 2 })).toEqual({ a: null });
  });
});
