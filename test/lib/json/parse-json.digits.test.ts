import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { holds } from '../support/property.ts';

/** A JSON text together with what it must be read as: its numbers are the text they were written as. */
interface Sample {
  readonly text: string;
  readonly value: unknown;
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,6})?([eE][+-]?\d{1,3})?$/);
const words = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.constantFrom('1', ':1', '[2,', '"', '\\', '\\"'));
const gap = fc.stringMatching(/^[ \n\t\r]{0,3}$/);

/** Without quote and backslash: Node 24 takes a key that ends in an escaped one for another that it saw before. */
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

describe('parseJson', () => {
  it('reads any JSON with every digit of its numbers as sent', () => {
    holds(
      fc.property(sample, ({ text, value }) => {
        expect(parseJson(text)).toEqual({ ok: true, value });
      }),
      500,
    );
  });

  it('refuses what JSON.parse refuses, however little is broken', () => {
    holds(
      fc.property(sample, fc.nat(), fc.constantFrom('', '"', ',', '1', '\\', '}', '0', '-'), ({ text }, at, slip) => {
        const place = at % (text.length + 1);
        const broken = text.slice(0, place) + slip + text.slice(place + 1);

        expect(isJson(broken) || parseJson(broken).ok === false).toBe(true);
      }),
      500,
    );
  });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
