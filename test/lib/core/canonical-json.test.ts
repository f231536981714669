import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, textOfJson } from '../../../lib/core/canonical-json.ts';
import { contentHash } from '../../../lib/core/content-hash.ts';
import type { Json } from '../../../lib/core/parse-json.ts';
import { holds } from '../../support/property.ts';

const shuffledKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffledKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]): [string, unknown] => [key, shuffledKeys(child)])
      .reverse(),
  );
};

describe('canonicalJson', () => {
  it.each([
    ['sorts keys at every depth', { b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    ['sorts keys beneath sorted ones', { a: 1, b: { d: 2, c: 3 } }, '{"a":1,"b":{"c":3,"d":2}}'],
    ['sorts keys in a list beneath sorted ones', { a: 1, b: [1, { d: 2, c: 3 }] }, '{"a":1,"b":[1,{"c":3,"d":2}]}'],
    ['omits undefined', { b: undefined, a: 1 }, '{"a":1}'],
    ['does not sort lists', ['b', 'a'], '["b","a"]'],
  ])('%s', (_title, value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });

  it('is equal for equal content, whatever the order of the keys', () => {
    holds(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffledKeys(value))).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('contentHash', () => {
  it('is the first 128 bits of SHA-256 over the canonical text', () => {
    expect(contentHash({})).toBe('44136fa355b3678a1146ad16f7e8649e');
  });

  it('differs where content differs', () => {
    expect(contentHash(['1'])).not.toBe(contentHash([1]));
  });
});

const texts: readonly [value: Json, text: string | undefined][] = [
  ['demo', 'demo'],
  ['', ''],
  [true, 'true'],
  [null, undefined],
  [['b', ['a']], '["b",["a"]]'],
  [{ b: '1', a: null }, '{"a":null,"b":"1"}'],
  [{ toString: 'x', valueOf: 'y' }, '{"toString":"x","valueOf":"y"}'],
  [[{ toString: { toString: '1' } }], '[{"toString":{"toString":"1"}}]'],
];

describe('textOfJson', () => {
  it.each(texts)('writes %j as %j', (value, text) => {
    expect(textOfJson(value)).toBe(text);
  });
});
