import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { redacted } from '../../../cli/output/redact.ts';
import { field, nonEmpty, nonEmptyList } from '../../../lib/storage/field.ts';

const personal = { personal: true } as const;
const Row = z.object({
  id: nonEmpty,
  state: z.enum(['ready', 'acw']),
  at: z.optional(z.iso.datetime()),
  count: z.int(),
  isOdd: z.boolean(),
  name: field(z.optional(nonEmpty), 'A name.', personal),
  names: field(z.optional(nonEmptyList), 'Names.', personal),
  extra: field(z.optional(z.record(z.string(), nonEmpty)), 'Anything.', personal),
  counts: z.record(z.string(), z.number()),
  parts: z.optional(nonEmptyList),
  notes: z.readonly(
    z.array(
      z.strictObject({
        field: nonEmpty,
        reason: z.optional(nonEmpty),
        asSent: field(z.optional(nonEmpty), 'A value.', personal),
      }),
    ),
  ),
});
const plainRow = {
  id: '1',
  state: 'ready' as const,
  at: '2026-11-21T10:00:00.000Z',
  count: 1,
  isOdd: false,
  counts: { ready: 1 },
  notes: [{ field: 'a' }],
};

describe('redacted', () => {
  it.each<[string, object]>([
    ['without personal fields', {}],
    ['whose texts only look like lists', { id: '[VIP]', parts: ['[VIP', '{gold}'] }],
  ])('leaves a value as it is: %s', (_title, more) => {
    expect(redacted(Row, { ...plainRow, ...more })).toEqual({ ...plainRow, ...more });
  });

  it.each<[string, object, object]>([
    ['a text', { name: 'SENTINEL' }, { name: '(hidden)' }],
    ['each text of a list', { names: ['SENTINEL', 'b'] }, { names: ['(hidden)', '(hidden)'] }],
    ['names within an object', { extra: { SENTINEL: 'SENTINEL' } }, { extra: { '(hidden)': '(hidden)' } }],
    ['nested fields', { notes: [{ field: 'a', asSent: 'SENTINEL' }] }, { notes: [{ field: 'a', asSent: '(hidden)' }] }],
    [
      'undeclared fields',
      { later: 'SENTINEL', deep: { a: ['SENTINEL'] } },
      { later: '(hidden)', deep: { '(hidden)': '(hidden)' } },
    ],
    [
      'a value of another type than declared',
      { id: { a: 'SENTINEL' }, counts: 'SENTINEL' },
      { id: { '(hidden)': '(hidden)' }, counts: '(hidden)' },
    ],
    ['a word outside of a closed set', { state: 'SENTINEL' }, { state: '(hidden)' }],
    ['an object that was sent as a text', { id: '{"k":"SENTINEL"}' }, { id: '(hidden)' }],
    ['a list that was sent as a text', { id: '["SENTINEL"]' }, { id: '(hidden)' }],
    [
      'an object that was split like a chain',
      { parts: ['{"k":"a', 'SENTINEL"}'] },
      { parts: ['(hidden)', '(hidden)'] },
    ],
    ['the beginning of an object, where its text was too long', { id: '{"k":"SENTIN' }, { id: '(hidden)' }],
    [
      'an object among other texts',
      { parts: ['ravi', '{"k":"a', 'SENTINEL"}', 'asha'] },
      { parts: ['(hidden)', '(hidden)', '(hidden)', '(hidden)'] },
    ],
    [
      'a field whose note says that an object was sent',
      {
        id: '{"k":"SENTI…',
        parts: ['SENTINEL'],
        notes: [
          { field: 'id', reason: 'not-a-scalar' },
          { field: 'parts', reason: 'not-a-scalar' },
          { field: 'at', reason: 'over-long' },
        ],
      },
      {
        id: '(hidden)',
        parts: ['(hidden)'],
        notes: [
          { field: 'id', reason: 'not-a-scalar' },
          { field: 'parts', reason: 'not-a-scalar' },
          { field: 'at', reason: 'over-long' },
        ],
      },
    ],
    ['notes of an unknown shape', { notes: ['x', null] }, { notes: ['(hidden)', null] }],
    ['a list instead of a text', { id: ['SENTINEL'] }, { id: ['(hidden)'] }],
    ['no null', { name: null }, { name: null }],
  ])('hides %s', (_title, more, hidden) => {
    expect(redacted(Row, { ...plainRow, ...more })).toEqual({ ...plainRow, ...hidden });
  });

  it('hides a field of any type', () => {
    expect(redacted(z.object({ any: z.unknown() }), { any: 'SENTINEL' })).toEqual({ any: '(hidden)' });
  });
});
