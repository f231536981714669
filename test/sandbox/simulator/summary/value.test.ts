import { describe, expect, it } from 'vitest';
import { arrayText, bare, objectText, withTexts } from '../../../../sandbox/simulator/summary/value.ts';

const fields = { id: bare('12345678901234567890'), text: 'a "b"\n/ é', nothing: null };

describe('objectText', () => {
  it('writes digits as they are, and text as JSON does', () => {
    expect(objectText(fields, 'compact')).toBe('{"id":12345678901234567890,"text":"a \\"b\\"\\n/ é","nothing":null}');
  });

  it('is laid out as JSON.stringify lays it out', () => {
    const plain = { one: 'x', two: null };

    expect(objectText(plain, 'pretty')).toBe(JSON.stringify(plain, null, 2));
    expect(arrayText([plain, plain], 'pretty')).toBe(JSON.stringify([plain, plain], null, 2));
    expect(arrayText([plain, plain], 'compact')).toBe(JSON.stringify([plain, plain]));
  });
});

describe('withTexts', () => {
  it('changes the named texts only, and no blanks or numbers', () => {
    const before = { one: 'x', two: 'x', blank: '', none: null, number: bare('1') };

    expect(withTexts(before, ['one', 'blank', 'none', 'number', 'missing'], () => 'y')).toEqual({
      ...before,
      one: 'y',
    });
  });
});
