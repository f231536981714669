import { describe, expect, it } from 'vitest';
import { storedBytes } from '../../../bench/costs/stored-bytes.ts';
import type { Table } from '../../../lib/contract/tables.ts';

const now = new Date('2026-11-21T06:00:00.000Z');

const table: Table = {
  key: { partition: 'pk', sort: 'sk' },
  timeToLive: 'expiresAt',
  published: [],
  indexes: [{ name: 'byTime', key: { partition: 'account', sort: 'at' }, projection: [] }],
};

/** 8 bytes of keys, 13 of the index's and 16 of the expiry; with the overhead 137, and 121 in the index. */
const row = (days: number, text = '') => ({
  pk: { S: '12' },
  sk: { S: '12' },
  account: { S: 'demo' },
  at: { S: '' },
  expiresAt: { N: String(now.getTime() / 1_000 + days * 86_400) },
  ...(text !== '' && { t: { S: text } }),
});

describe('what a write leaves in a table and its indexes', () => {
  it('is a row and its entries, for as long as it is kept', () => {
    expect(storedBytes({ table, before: undefined, after: row(2) }, now)).toMatchObject({
      tableBytes: 137,
      indexBytes: 121,
      tableByteDays: 2 * 137,
      indexByteDays: 2 * 121,
    });
  });

  it('is the difference where a row was there before', () => {
    const write = { table, before: row(2), after: row(2, 'nine more') };

    expect(storedBytes(write, now)).toMatchObject({ tableBytes: 10, indexBytes: 0, tableByteDays: 20 });
  });

  it('is less where a row goes', () => {
    expect(storedBytes({ table, before: row(1), after: undefined }, now)).toMatchObject({
      tableBytes: -137,
      tableByteDays: -137,
    });
  });

  it('does not add up where rows do not expire', () => {
    const { expiresAt: _expiresAt, ...after } = row(1);

    expect(storedBytes({ table, before: undefined, after }, now)).toMatchObject({ tableBytes: 121, tableByteDays: 0 });
  });
});
