import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  canonicalJson,
  holdsNestedJson,
  type Json,
  maxDepth,
  parseJson,
  parseJsonWithoutBadParts,
  textOfJson,
  tryParseJson,
} from '../../../lib/core/json.ts';
import { hasMoreFields, isFarTooDeep, jsonParts } from '../../../lib/core/json-text.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';

const parsed = (text: string) => {
  const result = parseJson(text);
  return result.ok ? result.value : result.problem;
};

const nested = (levels: number, open: string, close: string, core = '') =>
  open.repeat(levels) + core + close.repeat(levels);

/** A JSON text and its expected value, in which numbers are texts. */
interface Sample {
  readonly text: string;
  readonly value: unknown;
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,6})?([eE][+-]?\d{1,3})?$/);
const words = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string(),
  fc.constantFrom('1', ':1', '[2,', '"', '\\', '\\"'),
);
const gap = fc.stringMatching(/^[ \n\t\r]{0,3}$/);

/** Without quotes and backslashes: Node 24 may mistake a key that ends in an escaped one for an earlier key. */
const key = words.filter((name) => !/["\\]|^(?:__proto__|constructor|prototype)$/.test(name));

const { value: sample } = fc.letrec<{ value: Sample; list: Sample; map: Sample }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 5 },
    digits.map((text): Sample => ({ text, value: text })),
    words.map((value): Sample => ({ text: JSON.stringify(value), value })),
    fc.constantFrom(true, false, null).map((value): Sample => ({ text: String(value), value })),
    tie('list'),
    tie('map'),
  ),
  list: fc.tuple(fc.array(tie('value'), { maxLength: 4 }), gap).map(([items, space]) => ({
    text: `[${space}${items.map(({ text }) => text).join(`${space},${space}`)}${space}]`,
    value: items.map(({ value }) => value),
  })),
  map: fc
    .tuple(fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name }), gap)
    .map(([entries, space]) => ({
      text: `{${space}${entries.map(([name, { text }]) => `${JSON.stringify(name)}${space}:${space}${text}`).join(`${space},`)}}`,
      value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])),
    })),
}));

describe('jsonParts', () => {
  it('cuts a list into its elements and an object into its fields, to the letter', () => {
    holds(
      fc.property(fc.array(fc.tuple(words, sample)), gap, (pairs, space) => {
        const texts = pairs.map(([, { text }]) => text);
        const fields = pairs.map(([name, { text }]) => `${JSON.stringify(name)}${space}:${space}${text}`);

        expect(jsonParts(`${space}[${texts.join(`${space},`)}${space}]`).map(({ text }) => text)).toEqual(texts);
        expect(jsonParts(`{${space}${fields.join(`${space},${space}`)}}${space}`)).toEqual(
          pairs.map(([name, { text }]) => ({ name, text })),
        );
      }),
    );
  });
});

describe('hasMoreFields', () => {
  const of = (...fields: readonly string[]) => `{ ${fields.join(' , ')} }`;

  it.each([
    ['three different fields', of('"a":1', '"b":2', '"c":3'), true],
    ['a name three times', of('"a":1', '"a":1', '"a":1'), true],
    ['two fields, one of them with more', of('"a":{"b":1,"c":[2,{"d":3,"e":4}]}', '"f":5'), false],
    ['two fields with names in their texts', of('"a":"\\"b\\":1,\\"c\\":2"', '"d,:e,:":3'), false],
    ['a backslash before the end of a text', of('"a\\\\":"\\\\"', '"b":2', '"c":3'), true],
    ['no field', '{}', false],
  ])('of %s is, for two, %s', (_title, text, expected) => {
    expect(hasMoreFields(text, 2)).toBe(expected);
  });

  it('agrees with the number of fields for any object', () => {
    holds(
      fc.property(fc.dictionary(fc.string(), fc.json()), fc.nat(5), (fields, most) => {
        const names = Object.keys(fields).filter((name) => name !== '__proto__');
        const text = `{${names.map((name) => `${JSON.stringify(name)}:${fields[name]}`).join(',')}}`;

        expect(hasMoreFields(text, most)).toBe(names.length > most);
      }),
    );
  });
});

describe('parseJson', () => {
  it.each([
    ['more digits than a double holds', '{"id":41781234567890123456}', { id: '41781234567890123456' }],
    ['zeros at the end of a fraction', '[1.10]', ['1.10']],
    ['an exponent', '[1E+2]', ['1E+2']],
    ['a negative zero', '[-0]', ['-0']],
    ['a number alone', '  12 ', '12'],
    ['digits inside text', '{"a":"[1,2]: 3"}', { a: '[1,2]: 3' }],
    ['digits behind an escaped quote', '{"a":"\\":1","b":1}', { a: '":1', b: '1' }],
    ['digits behind an escaped backslash', '{"a":"\\\\","b":1}', { a: '\\', b: '1' }],
    ['digits in a key', '{"7":8}', { 7: '8' }],
    ['true, false and null as they are', '[true,false,null]', [true, false, null]],
    ['escaped slashes', '{"u":"https:\\/\\/r"}', { u: 'https://r' }],
    ['space and line breaks between', '{\n\t"a" :\r 1 ,\n"b":[ 2 ]}', { a: '1', b: ['2'] }],
  ])('preserves %s', (_title, text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  it.each([
    ['an empty text', ''],
    ['a leading zero, which quotes would repair', '{"a":007}'],
    ['a plus sign', '[+1]'],
    ['a bare point', '[1.]'],
    ['a missing end', '{"a":1'],
    ['two values', '1 2'],
    ['a comma at the end', '[1,]'],
    ['a number as key, which quotes would repair', '{1:2}'],
    ['two numbers side by side', '[1-2]'],
    ['hexadecimal', '[0x1]'],
    ['NaN', '[NaN]'],
    ['single quotes', "{'a':1}"],
    ['a line break in text', '{"a":"\n1"}'],
    ['undefined', 'undefined'],
  ])('rejects %s', (_title, text) => {
    expect(parsed(text)).toBe('broken-json');
  });

  it.each([
    ['lists', '[', ']', ''],
    ['objects', '{"a":', '}', '1'],
  ])(`accepts ${maxDepth} levels of %s and rejects one more`, (_title, open, close, core) => {
    expect(parseJson(nested(maxDepth, open, close, core)).ok).toBe(true);
    expect(parsed(nested(maxDepth + 1, open, close, core))).toBe('too-deep');
  });

  it.each([
    [10_000, 'broken-json'],
    // What is so deep is not parsed.
    [300_000, 'too-deep'],
  ])('rejects %d levels without a stack overflow', (levels, problem) => {
    expect(parsed(nested(levels, '[', ']'))).toBe('too-deep');
    expect(parsed(nested(levels, '{"a":', '}', '1'))).toBe('too-deep');
    expect(parsed('['.repeat(levels))).toBe(problem);
    expect(parsed(nested(levels, '[', ']', '1.5'))).toBe('too-deep');
    expect(parseJsonWithoutBadParts(`{"a":${nested(levels, '[', ']', '1.5')},"b":2}`)).toMatchObject({ b: '2' });
  });

  it('accepts the largest possible text, of escapes only', () => {
    const text = `{"a":"${'\\"'.repeat(4_000_000)}","b":12345678901234567890}`;

    expect(parsed(text)).toMatchObject({ b: '12345678901234567890' });
    expect(jsonParts(text)).toMatchObject([{ name: 'a' }, { name: 'b', text: '12345678901234567890' }]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('rejects the key %s at any depth', (key) => {
    expect(parsed(`{"${key}":1}`)).toBe('forbidden-key');
    expect(parsed(`[{"a":[{"${key}":{}}]}]`)).toBe('forbidden-key');
    expect(parsed(`[{"a":{}},[],{"${key}":{}}]`)).toBe('forbidden-key');
    expect(parsed(`{"\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}":{"x":1}}`)).toBe('forbidden-key');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('accepts %s as a value', (value) => {
    expect(parsed(`{"a":"${value}"}`)).toEqual({ a: value });
  });

  it('parses any JSON with every digit of its numbers as sent', () => {
    holds(
      fc.property(sample, ({ text, value }) => {
        expect(parseJson(text)).toEqual({ ok: true, value });
      }),
      500,
    );
  });

  it('rejects what JSON.parse rejects, however small the error', () => {
    holds(
      fc.property(sample, fc.nat(), fc.constantFrom('', '"', ',', '1', '\\', '}', '0', '-'), ({ text }, at, typo) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + typo + text.slice(place + 1);

        expect(tryParseJson(broken) !== undefined || !parseJson(broken).ok).toBe(true);
      }),
      500,
    );
  });
});

describe('parseJsonWithoutBadParts', () => {
  it.each([
    ['a number as its digits', '12345678901234567890', '12345678901234567890'],
    ['digits in a list', '[{"id":41781234567890123456}]', [{ id: '41781234567890123456' }]],
    ['no field with a forbidden key', '[{"constructor":{"a":1},"b":1},{"c":2}]', [{ b: '1' }, { c: '2' }]],
    ['null for what is too deep', nested(maxDepth + 1, '[', ']'), JSON.parse(nested(maxDepth, '[', ']', 'null'))],
    ['no broken JSON', '{"a":1', undefined],
  ])('returns %s', (_title, text, expected) => {
    expect(parseJsonWithoutBadParts(text)).toEqual(expected);
  });
});

describe('holdsNestedJson', () => {
  it.each([
    ['an object', '{}', true],
    ['an object behind space', ' \n{ }', true],
    ['an empty list', ' []', true],
    ['a list of numbers', '[1]', true],
    ['the beginning of an object', ' { "a', true],
    ['the beginning of a list', '[ {', true],
    ['a list with such a text', ['x', '{"a'], true],
    ['a list with the pieces of one', ['[1,[2,"x', 'y"]]'], true],
    ['the pieces of one without the arrow', ['[1,', '2]'], false],
    ['brackets behind a word', 'x {}', false],
    ['a list behind a word', 'x[1]', false],
    ['words in brackets', '[sales]', false],
    ['a number', '1', false],
    ['a list with no text', [[1]], false],
    ['a list that holds null, false and a number', [null, false, 1], false],
  ])('of %s is %s', (_title, value, expected) => {
    expect(holdsNestedJson(value)).toBe(expected);
  });
});

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

it.each<[value: Json, text: string | undefined]>([
  ['demo', 'demo'],
  ['', ''],
  [true, 'true'],
  [null, undefined],
  [['b', ['a']], '["b",["a"]]'],
  [{ b: '1', a: null }, '{"a":null,"b":"1"}'],
  [{ toString: 'x', valueOf: 'y' }, '{"toString":"x","valueOf":"y"}'],
  [[{ toString: { toString: '1' } }], '[{"toString":{"toString":"1"}}]'],
])('textOfJson writes %j as %j', (value, text) => {
  expect(textOfJson(value)).toBe(text);
});

it.each([
  ['20,001 lists in one another', '['.repeat(20_001), true],
  ['20,001 objects in one another', '{"a":'.repeat(20_001), true],
  ['as many as may be in one another, beside others', `[],${'['.repeat(20_000)}`, false],
  ['so many beside one another', '[],'.repeat(20_001), false],
  ['more brackets in a text with quotes', `["${String.raw`\"[`.repeat(50_000)}"]`, false],
])('isFarTooDeep sees %s', (_what, text, isDeep) => {
  expect(isFarTooDeep(text)).toBe(isDeep);
});
