import { describe, expect, it } from 'vitest';
import type { Json } from '../../../lib/json/parse-json.ts';
import { textOfJson } from '../../../lib/json/text-of-json.ts';

const cases: readonly [value: Json, text: string | undefined][] = [
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
  it.each(cases)('writes %j as %j', (value, text) => {
    expect(textOfJson(value)).toBe(text);
  });
});
