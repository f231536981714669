import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batches, batchesByWeight } from '../../../lib/core/batches.ts';
import { holds } from '../../support/property.ts';

const itself = (item: number) => item;

describe('batches', () => {
  it('begins a new one with an item that does not fit', () => {
    expect(batches([1, 2, 9, 1, 1], (batch, next) => next < 9 && batch.length < 2)).toEqual([[1, 2], [9, 1], [1]]);
  });

  it('makes none of nothing', () => {
    expect(batches([], () => true)).toEqual([]);
  });
});

describe('weighedBatches', () => {
  it.each([
    ['none of nothing', [], []],
    ['one of what fits to the last', [2, 3, 5], [[2, 3, 5]]],
    ['two where one more would be too much', [2, 3, 6], [[2, 3], [6]]],
    ['one for each item that is too heavy for any', [11, 12, 1], [[11], [12], [1]]],
    ['one around what weighs nothing', [0, 10, 0], [[0, 10, 0]]],
    ['one for a heavy item between light ones', [1, 11, 1], [[1], [11], [1]]],
  ])('makes %s', (_title, items, expected) => {
    expect(batchesByWeight(items, 10, itself)).toEqual(expected);
  });

  it('keeps every item in order, nothing over the weight, and no two batches that would fit in one', () => {
    holds(
      fc.property(fc.array(fc.nat({ max: 14 })), (items) => {
        const all = batchesByWeight(items, 10, itself);
        const weights = all.map((batch) => batch.reduce((sum, item) => sum + item, 0));

        expect(all.flat()).toEqual(items);
        for (const [index, batch] of all.entries()) {
          expect(batch.length === 1 || (weights[index] ?? 0) <= 10).toBe(true);
          const next = all[index + 1]?.[0];
          if (next !== undefined) expect((weights[index] ?? 0) + next).toBeGreaterThan(10);
        }
      }),
    );
  });
});
