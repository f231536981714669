import { expect, it } from 'vitest';
import { marshalled, unmarshalled } from '../../../lib/storage/rows.ts';

it('a row is written without what is undefined, and read as it was', () => {
  const row = {
    id: '1',
    seconds: 1.5,
    legs: [{ status: 'answered', did: undefined }],
    notes: [],
    did: undefined,
    none: null,
  };

  expect(Object.keys(marshalled(row))).toEqual(['id', 'seconds', 'legs', 'notes', 'none']);
  expect(unmarshalled(marshalled(row))).toStrictEqual({
    ...{ id: '1', seconds: 1.5, legs: [{ status: 'answered' }], notes: [], none: null },
  });
});

it('a row can be read with types and numbers that only others write', () => {
  const item = { tags: { SS: ['a'] }, image: { B: new Uint8Array([1]) }, count: { N: '12345678901234567890' } };

  expect(unmarshalled(item)).toEqual({ tags: new Set(['a']), image: new Uint8Array([1]), count: 12345678901234567000 });
});
