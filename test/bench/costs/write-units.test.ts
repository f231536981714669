import { describe, expect, it } from 'vitest';
import { type Item, indexUnits, tableUnits } from '../../../bench/costs/write-units.ts';
import type { Table } from '../../../lib/contract/tables.ts';

const table: Table = {
  key: { partition: 'pk', sort: 'sk' },
  timeToLive: 'expiresAt',
  published: [],
  indexes: [{ name: 'byTime', key: { partition: 'account', sort: 'at' }, projection: ['status'] }],
};

const row = (fields: Readonly<Record<string, string>> = {}): Item =>
  Object.fromEntries(
    Object.entries({ pk: '1', sk: '1', account: 'demo', at: '10', ...fields }).map(([name, S]) => [name, { S }]),
  );
const { account: _account, ...unlisted } = row();
const kilobyte = 'x'.repeat(1_024);

describe('the units of a row', () => {
  it.each<readonly [string, Item | undefined, Item | undefined, number]>([
    ['one for a small new one', undefined, row(), 1],
    ['one for each kilobyte that was begun', undefined, row({ text: kilobyte }), 2],
    ['those of what was there, if that was larger', row({ text: kilobyte }), row(), 2],
    ['those of what is removed', row({ text: kilobyte }), undefined, 2],
    ['one for removing nothing', undefined, undefined, 1],
  ])('are %s', (_, before, after, units) => {
    expect(tableUnits({ table, before, after })).toBe(units);
  });
});

describe('the units of an index', () => {
  it.each<readonly [string, Item | undefined, Item | undefined, number]>([
    ['one for a new entry', undefined, row(), 1],
    ['none for a row that is not in it', undefined, unlisted, 0],
    ['none where what it holds stays the same', row({ text: 'a' }), row({ text: 'b' }), 0],
    ['one where it changes', row({ status: 'a' }), row({ status: 'b' }), 1],
    ['those of the larger entry where it changes', row({ status: kilobyte }), row(), 2],
    ['two where the key changes', row({ at: '10' }), row({ at: '11' }), 2],
    ['one where the row leaves it', row(), unlisted, 1],
    ['one where the row goes', row(), undefined, 1],
  ])('are %s', (_, before, after, units) => {
    expect(indexUnits({ table, before, after })).toBe(units);
  });
});
