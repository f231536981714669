import { describe, expect, expectTypeOf, it } from 'vitest';
import { present } from '../../lib/present.ts';

describe('present', () => {
  it('leaves undefined attributes out, and all others as they are', () => {
    expect(present({ a: undefined, b: null, c: '', d: 0, e: false })).toEqual({ b: null, c: '', d: 0, e: false });
    expect(Object.keys(present({ a: undefined }))).toEqual([]);
  });

  it('says so in its type', () => {
    const value: { readonly a: string; readonly b: string | undefined } = { a: 'x', b: undefined };

    expectTypeOf(present(value)).toExtend<{ readonly a: string; readonly b?: string }>();
  });
});
