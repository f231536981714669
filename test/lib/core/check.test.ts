import { describe, expect, it } from 'vitest';
import {
  anything,
  type Check,
  checked,
  instant,
  listOf,
  mapOf,
  number,
  object,
  ofKind,
  oneOf,
  optional,
  problemText,
  readRow,
  strictObject,
  string,
  text,
  truth,
  wholeNumber,
} from '../../../lib/core/check.ts';

const short = text('Expected a short text', (value) => value.length < 4);
const person = strictObject({ name: short, age: optional(wholeNumber(0)) });
const shape = ofKind(
  { circle: object({ kind: oneOf('circle') }), line: object({ kind: oneOf('line'), to: short }) },
  'Expected a shape',
);

describe('a check', () => {
  it.each<[string, Check<unknown>, unknown, string]>([
    ['any value', anything, undefined, ''],
    ['any text', string, '', ''],
    ['no text', string, 1, 'value: Expected a text'],
    ['a text', short, 'abc', ''],
    ['an empty text', short, '', 'value: Expected a short text'],
    ['a text that is wrong', short, 'secret', 'value: Expected a short text'],
    ['a number for a text', short, 12, 'value: Expected a short text'],
    ['a word', oneOf('on', 'off'), 'off', ''],
    ['another word', oneOf('on', 'off'), 'secret', 'value: Expected on or off'],
    ['the least number', wholeNumber(1), 1, ''],
    ['a smaller number', wholeNumber(1), 0, 'value: Expected a whole number from 1'],
    ['a fraction', wholeNumber(1), 1.5, 'value: Expected a whole number from 1'],
    ['a number as text', wholeNumber(1), '1', 'value: Expected a whole number from 1'],
    ['a number', number, -1.5, ''],
    ['infinity', number, Number.POSITIVE_INFINITY, 'value: Expected a number'],
    ['false', truth, false, ''],
    ['zero for a truth', truth, 0, 'value: Expected true or false'],
    ['an instant', instant, '2026-11-20T06:00:00.000Z', ''],
    [
      'an instant without milliseconds',
      instant,
      '2026-11-20T06:00:00Z',
      'value: Expected an instant in UTC with milliseconds',
    ],
    [
      'a month that does not exist',
      instant,
      '2026-13-01T06:00:00.000Z',
      'value: Expected an instant in UTC with milliseconds',
    ],
    [
      'a day that does not exist',
      instant,
      '2026-02-30T06:00:00.000Z',
      'value: Expected an instant in UTC with milliseconds',
    ],
    ['an absent value', optional(short), undefined, ''],
    ['null', optional(short), null, 'value: Expected a short text'],
    ['a list', listOf(short, 'Expected texts'), ['a', 'b'], ''],
    ['an empty list', listOf(short, 'Expected texts'), [], 'value: Expected texts'],
    ['an empty list that is allowed', listOf(short, 'Expected texts', 0), [], ''],
    ['an element', listOf(short, 'Expected texts'), ['a', 'secret'], '[1]: Expected a short text'],
    ['no list', listOf(short, 'Expected texts'), { length: 1 }, 'value: Expected texts'],
    ['a map', mapOf(short, 'Expected a map'), { a: 'b' }, ''],
    ['a value of a map', mapOf(short, 'Expected a map'), { secret: 1 }, '.*: Expected a short text'],
    ['one of known names', mapOf(short, 'Expected a map', { isNamed: true }), { a: 1 }, '.a: Expected a short text'],
    ['a list for a map', mapOf(short, 'Expected a map'), ['a'], 'value: Expected a map'],
    ['an object', person, { name: 'Ann', age: 0 }, ''],
    ['an object without an optional field', person, { name: 'Ann' }, ''],
    ['two faulty fields', person, { age: -1 }, '.name: Expected a short text; .age: Expected a whole number from 0'],
    [
      'a field too many',
      person,
      { name: 'Ann', other: 'secret' },
      'value: Expected no field other, but only name, age',
    ],
    [
      'a field that every object has',
      person,
      JSON.parse('{"name":"Ann","__proto__":1}'),
      'value: Expected no field __proto__, but only name, age',
    ],
    ['a list for an object', person, [], 'value: Expected an object'],
    ['a kind', shape, { kind: 'line', to: 'b' }, ''],
    ['a fault of its kind', shape, { kind: 'line', to: '' }, '.to: Expected a short text'],
    ['an unknown kind', shape, { kind: 'secret' }, '.kind: Expected a shape'],
    ['a kind that every object has', shape, { kind: 'toString' }, '.kind: Expected a shape'],
    ['no kind', shape, {}, '.kind: Expected a shape'],
    ['a text for an object of a kind', shape, 'line', 'value: Expected a shape'],
  ])('says of %s what is wrong, without repeating it', (_title, check, value, expected) => {
    const result = checked(check, value);
    const problem = result.ok ? '' : problemText(result.problem);

    expect(problem).toBe(expected);
    if (expected === '') expect(result).toEqual({ ok: true, value });
    expect(problem).not.toContain('secret');
  });

  it.each<[string, Check<unknown>, unknown, unknown]>([
    ['an object', object({ name: short }), { name: 'Ann', later: 1 }, { name: 'Ann' }],
    [
      'an absent field',
      object({ name: short, age: optional(number) }),
      { name: 'Ann', age: undefined },
      { name: 'Ann' },
    ],
    [
      'an object in an object',
      object({ a: optional(object({ b: number })) }),
      { a: { b: 1, later: 1 } },
      { a: { b: 1 } },
    ],
    ['objects in a list', listOf(object({ b: number }), 'Expected a list'), [{ b: 1, later: 1 }], [{ b: 1 }]],
    ['objects in a map', mapOf(object({ b: number }), 'Expected a map'), { a: { b: 1, later: 1 } }, { a: { b: 1 } }],
    ['a map of anything', mapOf(anything, 'Expected a map'), { a: { later: 1 } }, { a: { later: 1 } }],
    ['an object of a kind', shape, { kind: 'line', to: 'b', later: 1 }, { kind: 'line', to: 'b' }],
  ])('leaves out of %s what is not declared', (_title, check, value, taken) => {
    expect(checked(check, value)).toEqual({ ok: true, value: taken });
  });

  it('names ten problems, and how many more there are', () => {
    const result = checked(listOf(short, 'Expected texts'), Array(12).fill(1));

    expect(result.ok ? '' : problemText(result.problem)).toMatch(
      /^\[0\]: .*; \[9\]: Expected a short text; and 2 more$/,
    );
  });

  it('of a row takes the declared fields alone, and rejects what something else wrote', () => {
    const checks = { name: short, age: optional(wholeNumber(0)) };

    expect(readRow(checks, { name: 'Ann', age: undefined, later: 1 })).toEqual({ name: 'Ann' });
    expect(() => readRow(checks, { age: 1 })).toThrow('Callfeed did not write this row: .name: Expected a short text');
  });
});
