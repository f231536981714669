import { describe, expect, it } from 'vitest';
import { judgeHung } from '../../../torture/load/hung-table.ts';

const reply = { status: 200, stored: 0, duplicates: 0, quarantined: 0, parked: 1 };
const parked = { reply, milliseconds: 2_600 };

describe('replies while the table hangs', () => {
  it('are in time, and tell of what was parked', () => {
    expect(judgeHung([parked, { ...parked, reply: { ...reply, status: 400, parked: 0 } }], 3_500)).toEqual([]);
  });

  it.each([
    ['no answer', { ...parked, reply: undefined }, 'While the table hung, a post was not answered.'],
    ['a 503', { ...parked, reply: { ...reply, status: 503 } }, 'While the table hung, a post was answered with 503.'],
    [
      'a late one',
      { ...parked, milliseconds: 4_100 },
      'While the table hung, a reply took 4100 ms, where 3500 are allowed.',
    ],
  ])('may not be %s', (_title, odd, failure) => {
    expect(judgeHung([parked, odd], 3_500)).toEqual([failure]);
  });

  it('are not all of something else', () => {
    expect(judgeHung([{ ...parked, reply: { ...reply, parked: 0 } }], 3_500)).toEqual([
      'While the table hung, nothing was parked.',
    ]);
  });
});
