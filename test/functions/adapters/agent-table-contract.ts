import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentsRow, AgentTable } from '../../../lib/storage/rows.ts';

const row = (pk: string, sk: string, more: object = {}): AgentsRow => ({ pk, sk, ...more });

const rowsOf = (pk: string, number: number, more: object = {}) =>
  Array.from({ length: number }, (_, index) => row(pk, `agent#${String(index).padStart(3, '0')}`, more));

const sortKeys = (rows: readonly object[]) => rows.map((each) => ('sk' in each ? each.sk : undefined));

/** Letters that take as many bytes as a row of this key may still hold in one attribute `text`. */
const fill = (pk: string) => 'x'.repeat(400 * 1024 - Buffer.byteLength(`pk${pk}sktext`) - 1);

/** What every agents' table does, the real one and the one in memory. `create` is called once for each test. */
export const agentTableContract = (name: string, create: () => AgentTable): void => {
  /** A table, and a partition of it that no other test knows. */
  const setUp = () => ({ table: create(), pk: randomUUID() });

  describe(`${name}, for a versioned row`, () => {
    const feed = (pk: string, version: number) => ({ ...row(pk, 'feed'), version });

    it('writes only the next version, with or without rows alongside', async () => {
      const { table, pk } = setUp();
      const alongside = { puts: [row(pk, 'agent#1')], removes: [] };

      expect(await table.write(feed(pk, 1))).toBe('written');
      expect(await table.write(feed(pk, 1), alongside)).toBe('conflict');
      expect(await table.query(pk)).toEqual([feed(pk, 1)]);

      expect(await table.write(feed(pk, 2), alongside)).toBe('written');
      expect(await table.query(pk)).toEqual([row(pk, 'agent#1'), feed(pk, 2)]);
    });

    it('throws for rows that it can never store: the poller made them', async () => {
      const { table, pk } = setUp();

      const puts = [row(pk, 'a', { text: 'é'.repeat(210_000) })];
      await expect(table.write(feed(pk, 1), { puts, removes: [] })).rejects.toThrow('can never store these rows');
      expect(await table.query(pk)).toEqual([]);
    });
  });

  describe(`${name}, asked for the rows of a partition`, () => {
    it('returns them in the order of their sort keys’ bytes, and no others', async () => {
      const { table, pk } = setUp();
      const inOrder = ['!', 'a', 'a#b', 'b', 'é', '\uFFFD', '😀'];
      await table.put([...inOrder].reverse().map((sk) => row(pk, sk)));
      await table.put([row(`${pk}#x`, 'a')]);

      expect(sortKeys(await table.query(pk))).toEqual(inOrder);
    });

    it('returns those between two sort keys, both included', async () => {
      const { table, pk } = setUp();
      await table.put(['a', 'b', 'b#1', 'c', 'd'].map((sk) => row(pk, sk)));

      expect(sortKeys(await table.query(pk, { from: 'b', to: 'c' }))).toEqual(['b', 'b#1', 'c']);
      expect(await table.query(pk, { from: 'e', to: 'f' })).toEqual([]);
      await expect(table.query(pk, { from: 'c', to: 'b' })).rejects.toThrow();
    });

    it('returns all of them, even beyond the 1 MB of a page', async () => {
      const { table, pk } = setUp();
      const rows = rowsOf(pk, 8, { text: 'x'.repeat(300_000) });
      await table.put(rows);

      expect(await table.query(pk)).toEqual(rows);
    });

    it('returns each as it was written, without undefined attributes', async () => {
      const { table, pk } = setUp();
      const agents = [{ agentId: '007', skills: ['a', 'b'], name: undefined }];
      const more = { agents, counts: { ready: 2 }, empty: '', none: [], nothing: null, isOn: false, share: 0.1 };
      await table.put([row(pk, 'a', { ...more, gone: undefined })]);
      agents.pop();

      const [read] = await table.query(pk);
      expect(read).toStrictEqual({ ...row(pk, 'a', more), agents: [{ agentId: '007', skills: ['a', 'b'] }] });
    });
  });

  describe(`${name}, asked to put or remove rows`, () => {
    it('puts many, over existing ones, and removes many, whether they exist or not', async () => {
      const { table, pk } = setUp();
      await table.put(rowsOf(pk, 60, { state: 'ready' }));
      await table.put(rowsOf(pk, 30, { state: 'busy' }));
      await table.remove([...rowsOf(pk, 10, { not: 'a key' }), row(pk, 'never-there')]);

      const rows = await table.query(pk);
      expect(rows).toHaveLength(50);
      expect(rows.filter(({ state }) => state === 'busy')).toHaveLength(20);
    });

    it('does nothing for an empty list', async () => {
      const { table, pk } = setUp();

      await table.put([]);
      await table.remove([]);

      expect(await table.query(pk)).toEqual([]);
    });

    it('stores rows of 400 KB, and rejects a larger one', async () => {
      const { table, pk } = setUp();
      const text = fill(`${pk}a`);

      await table.put([row(pk, 'a', { text: `${text}x` })]);
      await expect(table.put([row(pk, 'b', { text: `${text}xx` })])).rejects.toThrow();

      expect(sortKeys(await table.query(pk))).toEqual(['a']);
    });

    it.each([
      ['a key that occurs twice', [row('p', 'a'), row('p', 'a')]],
      ['an empty partition key', [row('', 'a')]],
      ['an empty sort key', [row('p', '')]],
      ['a partition key that is too long', [row('x'.repeat(2049), 'a')]],
      ['a sort key that is too long', [row('p', 'é'.repeat(513))]],
      ['an empty key of the index', [row('p', 'a', { agentsInState: '', since: '2026' })]],
      ['a key of the index that is not text', [row('p', 'a', { agentsInState: 7, since: '2026' })]],
    ])('rejects %s', async (_title, rows) => {
      const { table } = setUp();

      await expect(table.put(rows)).rejects.toThrow();
    });
  });
};
