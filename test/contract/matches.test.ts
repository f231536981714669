import { describe, expect, it } from 'vitest';
import { matches } from './support/matches.ts';

const event = {
  source: 'callfeed',
  detail: { seconds: 30, skills: ['Sales', 'Support'], call: { status: 'answered' } },
};

describe('a rule', () => {
  it.each<[string, object, boolean]>([
    ['one of several values', { source: ['x', 'callfeed'] }, true],
    ['another value', { source: ['x'] }, false],
    ['every field of several', { source: ['callfeed'], detail: { seconds: [31] } }, false],
    ['a field at depth', { detail: { call: { status: ['answered'] } } }, true],
    ['a field that is not there', { detail: { call: { type: ['inbound'] } } }, false],
    ['an object that is not there', { detail: { participant: { type: ['inbound'] } } }, false],
    ['one value of a list', { detail: { skills: ['Support'] } }, true],
    ['a value that a list lacks', { detail: { skills: ['General'] } }, false],
    ['a number as text', { detail: { seconds: ['30'] } }, false],
    ['a bound that is reached', { detail: { seconds: [{ numeric: ['>=', 30] }] } }, true],
    ['a bound that is not', { detail: { seconds: [{ numeric: ['>', 30] }] } }, false],
    ['a range', { detail: { seconds: [{ numeric: ['>', 29, '<', 31] }] } }, true],
    ['a range that ends before', { detail: { seconds: [{ numeric: ['>', 20, '<', 30] }] } }, false],
    ['a field that is there', { source: [{ exists: true }] }, true],
    ['a field that is not there to be absent', { detail: { call: { type: ['x', { exists: false }] } } }, true],
    ['a field that is there to be absent', { source: [{ exists: false }] }, false],
    ['a value or that there is none', { detail: { call: { status: ['answered', { exists: false }] } } }, true],
    ['another value or that there is none', { detail: { call: { status: ['x', { exists: false }] } } }, false],
    ['a bound for what is no number', { source: [{ numeric: ['>', 0] }] }, false],
  ])('that asks for %s: %j', (_title, pattern, expected) => {
    expect(matches({ ...pattern }, event)).toBe(expected);
  });

  it('with a matcher that nobody wrote here is refused', () => {
    expect(() => matches({ source: [{ prefix: 'call' }] }, event)).toThrow('not known');
    expect(() => matches({ source: 'callfeed' }, event)).toThrow('lists');
  });
});
