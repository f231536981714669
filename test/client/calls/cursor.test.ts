import { describe, expect, it } from 'vitest';
import { cursorAfter, keyAfter, type List } from '../../../client/calls/cursor.ts';
import { byCustomer, byTime } from '../../../client/reading/table-keys.ts';

const list: List = {
  ...byCustomer,
  partition: 'demo#09000000042',
  from: '2026-11-20T00:00:00.000Z',
  to: '2026-11-21T00:00:00.000Z',
};
const last = { pk: 'demo#100', sk: 'leg#main', customerCalls: list.partition, listedAt: '2026-11-20T05:30:00.000Z' };
const cursor = cursorAfter(list, { ...last, status: 'answered' });

describe('a cursor', () => {
  it('means the key that the list goes on after', () => {
    expect(keyAfter(list, cursor)).toEqual({
      pk: { S: 'demo#100' },
      sk: { S: 'leg#main' },
      customerCalls: { S: 'demo#09000000042' },
      listedAt: { S: '2026-11-20T05:30:00.000Z' },
    });
  });

  it('can be in an address, and does not name the customer', () => {
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('0900');
  });

  it.each<[string, List]>([
    ['another customer', { ...list, partition: 'demo#09000000043' }],
    ['another account', { ...list, partition: 'other#09000000042' }],
    ['another index', { ...list, ...byTime }],
  ])('is refused by the list of %s', (_what, other) => {
    expect(() => keyAfter(other, cursor)).toThrow(
      new RangeError('cursor: expected one of this very list, not of another.'),
    );
  });

  it.each([
    { from: '2026-11-20T05:30:00.001Z', to: undefined },
    { from: undefined, to: '2026-11-20T05:29:59.999Z' },
  ])('is refused by a range of the list that it lies outside of', (range) => {
    expect(() => keyAfter({ ...list, ...range }, cursor)).toThrow(
      new RangeError('cursor: expected one of this list within the same range of time.'),
    );
  });

  it.each([
    { from: undefined, to: undefined },
    { from: last.listedAt, to: last.listedAt },
  ])('is taken by another range of the list that it lies in', (range) => {
    expect(keyAfter({ ...list, ...range }, cursor)).toEqual(keyAfter(list, cursor));
  });

  it.each(['', 'x', 'bnVsbA', Buffer.from('["a","b"]').toString('base64url'), cursor.slice(1), `${cursor}x`.slice(2)])(
    'is refused as %j',
    (text) => {
      expect(() => keyAfter(list, text)).toThrow(new RangeError('cursor: expected the `next` of a page, as it was.'));
    },
  );
});
