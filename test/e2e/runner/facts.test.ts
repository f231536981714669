import { describe, expect, it } from 'vitest';
import { has, holds, same } from '../../../e2e/runner/facts.ts';

const failures = [
  {
    why: 'another value',
    check: () => same('The state', 'ready', 'pause'),
    told: 'expected: "pause"\n  found:    "ready"',
  },
  { why: 'a field too many', check: () => same('It', { a: 1, b: 2 }, { a: 1 }), told: '"b": 2' },
  { why: 'nothing', check: () => same('It', undefined, 1), told: 'found:    undefined' },
  { why: 'a field that differs', check: () => has('It', { a: 1, b: 2 }, { a: 2 }), told: '"a": 1' },
  { why: 'a field that is missing', check: () => has('It', { b: 2 }, { a: 2 }), told: 'found:    {}' },
  { why: 'no object', check: () => has('It', undefined, { a: 2 }), told: 'found:    undefined' },
  { why: 'what does not hold', check: () => holds('It', false, ['this']), told: '"this"' },
];

describe('a fact', () => {
  it.each(failures)('fails with $why', ({ check, told }) => {
    expect(check).toThrow(told);
  });

  it('holds where it is so', () => {
    same('It', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] });
    has('It', { a: 1, b: 2 }, { a: 1 });
    holds('It', true, undefined);
  });
});
