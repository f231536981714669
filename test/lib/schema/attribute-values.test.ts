import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marshalled, unmarshalled } from '../../../lib/schema/attribute-values.ts';
import { holds } from '../../support/property.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.option(tie('any'), { nil: undefined }), { maxLength: 4 }),
    fc.dictionary(fc.string(), fc.option(tie('any'), { nil: undefined }), { maxKeys: 4 }),
  ),
})).any;
const row = fc.dictionary(fc.string(), fc.option(value, { nil: undefined }), { maxKeys: 8 });

describe('a row', () => {
  it('is written and read as by the SDK', () => {
    holds(
      fc.property(row, (facts) => {
        const item = marshall(facts, { removeUndefinedValues: true });

        expect(marshalled(facts)).toStrictEqual(item);
        expect(unmarshalled(item)).toStrictEqual(unmarshall(item));
      }),
    );
  });

  it.each([new Date(0), new Map(), new Set(['a']), new Uint8Array([1]), 1n, () => 1])('cannot hold %s', (value) => {
    for (const facts of [{ value }, { values: [value] }, { values: { value } }])
      expect(() => marshalled(facts)).toThrow('A row can hold only JSON');
  });

  it('can have types that only others write', () => {
    const item: Record<string, AttributeValue> = {
      tags: { SS: ['a', 'b'] },
      sizes: { NS: ['1', '2.5'] },
      image: { B: new Uint8Array([1]) },
    };

    expect(unmarshalled(item)).toStrictEqual({ tags: ['a', 'b'], sizes: [1, 2.5], image: null });
  });
});
