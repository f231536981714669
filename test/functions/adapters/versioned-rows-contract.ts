import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Alongside, KeyedRow, Row, VersionedRow, VersionedRows } from '../../../lib/storage/rows.ts';
import { generousDeadline } from '../../support/memory-ports.ts';

/** Versioned rows, and a way to read those of a partition in the order of their sort keys. */
export interface ReadableRows extends VersionedRows {
  readonly read: (pk: string) => Promise<readonly Row[]>;
}

const nothing: Alongside = { puts: [], removes: [] };

const rowsIn = (pk: string, number: number): readonly KeyedRow[] =>
  Array.from({ length: number }, (_, index) => ({ pk, sk: `other#${String(index).padStart(3, '0')}` }));

/** As many of these characters as an attribute `text` of the row can hold: DynamoDB counts 400 KB in UTF-8. */
export const largestText = ({ pk, sk }: KeyedRow, character = 'x'): string =>
  character.repeat(Math.floor((400 * 1024 - Buffer.byteLength(`pk${pk}sk${sk}text`)) / Buffer.byteLength(character)));

/** What every table of versioned rows does, the real one and the one in memory. */
export const versionedRowsContract = (name: string, create: () => ReadableRows): void => {
  /** A table, and a partition of it that no other test uses. */
  const setUp = () => {
    const { putNextVersion, read } = create();
    const pk = randomUUID();
    const row = (version: number, more: Row = {}): VersionedRow => ({ pk, sk: 'main', version, ...more });
    return {
      pk,
      row,
      rows: (partition = pk) => read(partition),
      put: (next: VersionedRow, alongside = nothing) => putNextVersion(next, alongside, generousDeadline()),
    };
  };
  const written = { kind: 'written' };

  describe(`${name}, for a row alone`, () => {
    it('writes version 1 where there is no row, and otherwise answers the row that is there', async () => {
      const { put, row, rows } = setUp();

      expect(await put(row(1, { by: 'first' }))).toEqual(written);
      expect(await put(row(1, { by: 'second' }))).toEqual({ kind: 'conflict', row: row(1, { by: 'first' }) });

      expect(await rows()).toEqual([row(1, { by: 'first' })]);
    });

    it('writes only the next version over the stored one', async () => {
      const { put, row, rows } = setUp();
      await put(row(1));
      await put(row(2));

      for (const version of [1, 2, 4]) expect(await put(row(version))).toEqual({ kind: 'conflict', row: row(2) });
      expect(await put(row(3))).toEqual(written);

      expect(await rows()).toEqual([row(3)]);
    });

    it('conflicts without a row where the row is gone', async () => {
      const { put, row, rows } = setUp();

      expect(await put(row(2))).toEqual({ kind: 'conflict', row: undefined });
      expect(await rows()).toEqual([]);
    });

    it('stores the row as it was, without attributes that are undefined', async () => {
      const { put, row, rows } = setUp();
      const deliveries = [{ id: '007', receivedAt: 'now', differences: { skills: ['a', 'b'] } }];
      const more = { deliveries, counts: { ready: 2 }, empty: '', none: [], nothing: null, isOn: false, share: 0.1 };

      await put(row(1, { ...more, gone: undefined }));

      const stored = row(1, { ...more, deliveries: [...deliveries] });
      deliveries.pop();
      expect(await rows()).toStrictEqual([stored]);
      expect(await put(row(1))).toStrictEqual({ kind: 'conflict', row: stored });
    });

    it.each(['x', 'é', '字'])('stores a row of 400 KB of “%s”, and rejects a larger one', async (character) => {
      const { put, row, rows } = setUp();
      const text = largestText({ pk: row(1).pk, sk: 'mainversion123' }, character);

      expect(await put(row(1, { text }))).toEqual(written);
      expect(await put(row(2, { text: `${text}${character.repeat(14)}` }))).toEqual({ kind: 'rejected' });

      expect(await rows()).toEqual([row(1, { text })]);
    });
  });

  describe(`${name}, for a row with others alongside`, () => {
    it('writes up to 99 other rows with it, and removes others, in any partition', async () => {
      const { put, pk, row, rows } = setUp();
      const old = [
        { pk, sk: 'old' },
        { pk: `${pk}#x`, sk: 'old' },
      ];
      await put(row(1), { puts: old, removes: [] });

      const puts = rowsIn(pk, 97);
      const removes = old.map((key) => ({ ...key, not: 'a key' }));
      expect(await put(row(2), { puts, removes })).toEqual(written);

      expect(await rows()).toEqual([row(2), ...puts]);
      expect(await rows(`${pk}#x`)).toEqual([]);
    });

    it('writes and removes nothing when it conflicts, and answers the row', async () => {
      const { put, pk, row, rows } = setUp();
      const other = { pk, sk: 'other', state: 'ready' };
      await put(row(1), { puts: [other], removes: [] });

      const puts = [
        { ...other, state: 'busy' },
        { pk, sk: 'another' },
      ];
      expect(await put(row(1), { puts, removes: [] })).toEqual({ kind: 'conflict', row: row(1) });
      expect(await put(row(3), { puts: [], removes: [other] })).toEqual({ kind: 'conflict', row: row(1) });

      expect(await rows()).toEqual([row(1), other]);
    });

    it('lets one of many concurrent writers win, with or without other rows', async () => {
      const { put, pk, row, rows } = setUp();
      const alongside = (index: number) => ({ puts: index % 2 === 0 ? [] : [{ pk, sk: 'other' }], removes: [] });

      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => put(row(1, { index }), alongside(index))),
      );

      const winners = results.flatMap(({ kind }, index) => (kind === 'written' ? [index] : []));
      expect(winners).toHaveLength(1);
      expect(results.filter(({ kind }) => kind === 'conflict')).toHaveLength(11);
      expect(await rows()).toContainEqual(row(1, { index: winners[0] }));
    });

    it.each<[string, (row: VersionedRow) => Alongside]>([
      ['a hundred other rows', ({ pk }) => ({ puts: rowsIn(pk, 100), removes: [] })],
      ['the row itself', (row) => ({ puts: [row], removes: [] })],
      ['the removal of the row itself', (row) => ({ puts: [], removes: [row] })],
      ['a row twice', ({ pk }) => ({ puts: [...rowsIn(pk, 1), ...rowsIn(pk, 1)], removes: [] })],
      [
        'a row that is too large in bytes, and small enough in characters',
        ({ pk }) => ({ puts: [{ pk, sk: 'a', text: 'é'.repeat(210_000) }], removes: [] }),
      ],
      [
        'rows of more than 4 MB',
        ({ pk }) => ({ puts: rowsIn(pk, 11).map((each) => ({ ...each, text: 'é'.repeat(195_000) })), removes: [] }),
      ],
    ])('rejects %s alongside, and writes nothing', async (_title, alongside) => {
      const { put, row, rows } = setUp();

      expect(await put(row(1), alongside(row(1)))).toEqual({ kind: 'rejected' });
      expect(await rows()).toEqual([]);
    });
  });

  it(`${name} throws when its signal is aborted`, async () => {
    const { putNextVersion } = create();

    const put = putNextVersion({ pk: randomUUID(), sk: 'main', version: 1 }, nothing, AbortSignal.abort());
    await expect(put).rejects.toThrow();
  });
};
