import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { redacted } from '../../../cli/output/redact.ts';
import { field, text, texts } from '../../../lib/schema/field.ts';

const personal = { personal: true } as const;
const Row = z.object({
  id: text,
  state: z.enum(['ready', 'acw']),
  at: z.iso.datetime().optional(),
  count: z.int(),
  isOdd: z.boolean(),
  name: field(text.optional(), 'A name.', personal),
  names: field(texts.optional(), 'Names.', personal),
  extra: field(z.record(z.string(), text).optional(), 'Anything.', personal),
  counts: z.record(z.string(), z.number()),
  parts: texts.optional(),
  notes: z
    .array(
      z.strictObject({ field: text, reason: text.optional(), asSent: field(text.optional(), 'A value.', personal) }),
    )
    .readonly(),
});
const shown = {
  id: '1',
  state: 'ready' as const,
  at: '2026-11-21T10:00:00.000Z',
  count: 1,
  isOdd: false,
  counts: { ready: 1 },
  notes: [{ field: 'a' }],
};

describe('a masked value', () => {
  it.each<[string, object]>([
    ['nothing of it is personal', {}],
    ['a text only looks like a list', { id: '[VIP]', parts: ['[VIP', '{gold}'] }],
  ])('is the same where %s', (_title, more) => {
    expect(redacted(Row, { ...shown, ...more })).toEqual({ ...shown, ...more });
  });

  it.each<[string, object, object]>([
    ['a text', { name: 'SENTINEL' }, { name: '(hidden)' }],
    ['each text of a list', { names: ['SENTINEL', 'b'] }, { names: ['(hidden)', '(hidden)'] }],
    ['the names in an object too', { extra: { SENTINEL: 'SENTINEL' } }, { extra: { '(hidden)': '(hidden)' } }],
    [
      'what is deep inside',
      { notes: [{ field: 'a', asSent: 'SENTINEL' }] },
      { notes: [{ field: 'a', asSent: '(hidden)' }] },
    ],
    [
      'what is not declared',
      { later: 'SENTINEL', deep: { a: ['SENTINEL'] } },
      { later: '(hidden)', deep: { '(hidden)': '(hidden)' } },
    ],
    [
      'what is of another kind than declared',
      { id: { a: 'SENTINEL' }, counts: 'SENTINEL' },
      { id: { '(hidden)': '(hidden)' }, counts: '(hidden)' },
    ],
    ['a word that the vocabulary does not have', { state: 'SENTINEL' }, { state: '(hidden)' }],
    ['an object that was sent as a text', { id: '{"k":"SENTINEL"}' }, { id: '(hidden)' }],
    ['a list that was sent as a text', { id: '["SENTINEL"]' }, { id: '(hidden)' }],
    ['an object that was taken for a chain', { parts: ['{"k":"a', 'SENTINEL"}'] }, { parts: ['(hidden)', '(hidden)'] }],
    [
      'what a note says an object was sent for',
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
    ['nothing by notes that are none', { notes: ['x', null] }, { notes: ['(hidden)', null] }],
    ['a list where none is declared', { id: ['SENTINEL'] }, { id: ['(hidden)'] }],
    ['but not that nothing was said', { name: null }, { name: null }],
  ])('hides %s', (_title, more, hidden) => {
    expect(redacted(Row, { ...shown, ...more })).toEqual({ ...shown, ...hidden });
  });

  it('hides what a declaration leaves open', () => {
    expect(redacted(z.object({ any: z.unknown() }), { any: 'SENTINEL' })).toEqual({ any: '(hidden)' });
  });
});
