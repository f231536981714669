import { describe, expect, it } from 'vitest';
import { withDerived, withoutDerived } from '../../../lib/record/derived.ts';

const at = (time: string) => `2026-11-20T${time}Z`;
const start = { startedAt: at('11:00:00.000') };
const overLong = { field: 'uui', reason: 'over-long' };
const reversed = { field: 'endedAt', reason: 'end-before-start' };

const rows = [
  ['the time between start and end', { ...start, endedAt: at('11:04:10.500') }, { elapsedSeconds: 250.5 }],
  ['0 seconds where the end is the start', { ...start, endedAt: at('11:00:00.000') }, { elapsedSeconds: 0 }],
  ['a note where the end precedes the start', { ...start, endedAt: at('10:59:59.999') }, { notes: [reversed] }],
  [
    'its note beside others',
    { ...start, endedAt: at('10:59:59.999'), notes: [overLong] },
    { notes: [reversed, overLong] },
  ],
  ['nothing without a start', { endedAt: at('11:00:00.000'), notes: [overLong] }, {}],
  ['nothing without an end', { ...start }, {}],
] as const;

describe('withDerived', () => {
  it.each(rows)('adds %s', (_title, facts, added) => {
    expect(withDerived(facts)).toEqual({ ...facts, ...added });
  });
});

describe('withoutDerived', () => {
  it.each(rows)('takes away %s', (_title, facts) => {
    expect(withoutDerived(withDerived(facts))).toEqual(facts);
  });
});
