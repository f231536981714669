import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { masked } from '../../../cli/output/masked.ts';
import { field, text, texts } from '../../../lib/contract/field.ts';

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
  notes: z.array(z.strictObject({ field: text, asSent: field(text.optional(), 'A value.', personal) })).readonly(),
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
  it('is the same where nothing of it is personal', () => {
    expect(masked(Row, shown)).toEqual(shown);
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
    ['a list where none is declared', { id: ['SENTINEL'] }, { id: ['(hidden)'] }],
    ['but not that nothing was said', { name: null }, { name: null }],
  ])('hides %s', (_title, more, hidden) => {
    expect(masked(Row, { ...shown, ...more })).toEqual({ ...shown, ...hidden });
  });

  it('hides what a declaration leaves open', () => {
    expect(masked(z.object({ any: z.unknown() }), { any: 'SENTINEL' })).toEqual({ any: '(hidden)' });
  });
});
