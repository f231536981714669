import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batches, batchesByWeight, keepLatest } from '../../../lib/core/collections.ts';
import { loggableError, loggableMessage } from '../../../lib/core/result.ts';
import { holds } from '../../support/arbitraries.ts';

const itself = (item: number) => item;

it('batches start a new one with an item that does not fit, and are none for an empty list', () => {
  const fits = (batch: readonly number[], next: number) => next < 9 && batch.length < 2;

  expect(batches([1, 2, 9, 1, 1], fits)).toEqual([[1, 2], [9, 1], [1]]);
  expect(batches([], fits)).toEqual([]);
});

describe('batchesByWeight', () => {
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

it('keepLatest drops those that were set longest ago', () => {
  const map = new Map(Object.entries({ a: 1, b: 2 }));
  keepLatest(map, 'a', 3, 2);
  keepLatest(map, 'c', 4, 2);

  expect([...map]).toEqual(Object.entries({ a: 3, c: 4 }));
});

describe('loggableMessage', () => {
  it('returns the message of a loggable error, which has a cause', () => {
    const cause = new Error('with data');
    const error = loggableError('The queue rejected 2 messages', cause);

    expect(loggableMessage(error)).toBe('The queue rejected 2 messages');
    expect(error.cause).toBe(cause);
  });

  it.each([[new Error('with data')], ['text'], [undefined], [{ isLoggable: true, message: 'x' }]])(
    'returns nothing of %s, which may hold data',
    (error) => {
      expect(loggableMessage(error)).toBeUndefined();
    },
  );
});
