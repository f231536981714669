import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { loggableError } from '../../../lib/core/result.ts';
import { marshalled, readRow, unmarshalled } from '../../../lib/storage/rows.ts';

describe('a row', () => {
  const Named = z.object({ name: z.string(), words: z.record(z.string(), z.string()) });
  const badRow = { name: 1, words: { secret: 1, other: 2 } };
  const stored = { id: '1', seconds: 1.5, legs: [{ status: 'answered', did: undefined }], notes: [], none: null };

  it('has only its declared fields', () => {
    expect(readRow(Named, { name: 'demo', words: {}, newer: 1 })).toEqual({ name: 'demo', words: {} });
  });

  it('of another shape throws an error that names only its wrong fields, of the first level', () => {
    const error = loggableError('Callfeed did not write this row. Wrong: name, words');
    expect(() => readRow(Named, badRow)).toThrow(error);
  });

  it('is written without what is undefined', () => {
    expect(Object.keys(marshalled({ ...stored, did: undefined }))).toEqual(['id', 'seconds', 'legs', 'notes', 'none']);
  });

  it('is read as it was written', () => {
    expect(unmarshalled(marshalled(stored))).toStrictEqual({ ...stored, legs: [{ status: 'answered' }] });
  });

  it.each([
    ['a set of texts', { SS: ['a'] }, new Set(['a'])],
    ['bytes', { B: new Uint8Array([1]) }, new Uint8Array([1])],
    ['a number beyond 2^53, which is rounded', { N: '12345678901234567890' }, 12345678901234567000],
  ])('of another writer may have %s', (_title, attribute, value) => {
    expect(unmarshalled({ attribute })).toEqual({ attribute: value });
  });
});
