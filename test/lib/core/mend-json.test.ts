import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mendedJson } from '../../../lib/callback/json-content.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';

const mended = (text: string): unknown => JSON.parse(mendedJson(text) ?? text);

describe('mendedJson', () => {
  it.each([
    ['a line end in a text', '{"Comments":"line1\nline2"}', { Comments: 'line1\nline2' }],
    ['a tab, a carriage return and a zero', '["a\tb\rc\0d"]', ['a\tb\rc\0d']],
    ['an escaped apostrophe', String.raw`{"Comments":"the caller\'s"}`, { Comments: "the caller's" }],
    ['an escaped backslash before an apostrophe', '["a\\\\\'\n"]', ["a\\'\n"]],
    ['an escaped quote before a line end', '["a\\"\n"]', ['a"\n']],
    ['a comma behind the last field', '{"a":"1", \n}', { a: '1' }],
    ['a comma behind the last entry of a list', '[{"a":[1,],},]', [{ a: [1] }]],
    ['all of them', '[{"a":"\n","b":"\\\'",},\r\n]', [{ a: '\n', b: "'" }]],
  ])('mends %s', (_title, text, value) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(mended(text)).toEqual(value);
  });

  it.each([
    ['a gap in a list', '[1,,]'],
    ['a comma alone', '[,]'],
    ['a comma alone in an object', '{,}'],
    ['a name without a value', '{"a":,}'],
    ['a quote within a text', '{"a":"said "yes", and\nleft"}'],
    ['another escape', String.raw`["C:\data\n", "\q"]`],
    ['a text without its end', '{"a":"1\n'],
    ['a line end behind a backslash', '["a\\\nb"]'],
    ['a control character between fields', '{"a":1,\f"b":2}'],
    ['single quotes', "{'a':'1',}"],
    ['a comment', '{"a":1, /* x */}'],
  ])('leaves %s broken', (_title, text) => {
    expect(() => mended(text)).toThrow();
  });

  it('finds nothing to mend in JSON', () => {
    holds(
      fc.property(fc.json({ stringUnit: anyCharacter }), fc.constantFrom(undefined, 2), (text, indent) => {
        expect(mendedJson(JSON.stringify(JSON.parse(text), null, indent))).toBeUndefined();
      }),
    );
  });

  it('restores any JSON in which escapes were left out and commas added', () => {
    const records = fc.array(fc.dictionary(fc.string(), fc.string({ unit: anyCharacter }), { minKeys: 1 }), {
      minLength: 1,
    });
    const damaged = (json: string) =>
      json
        .replace(/\\(?:u....|.)/g, (escaped) =>
          ['\\n', '\\t'].includes(escaped) ? JSON.parse(`"${escaped}"`) : escaped,
        )
        .replaceAll("'", "\\'")
        .replace(/(?<=["}])\n *(?=[}\]])/g, ',$&');
    holds(
      fc.property(records, (value) => {
        expect(mended(damaged(JSON.stringify(value, null, 1)))).toEqual(value);
      }),
    );
  });
});
