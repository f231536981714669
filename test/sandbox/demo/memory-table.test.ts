import { describe, expect, it } from 'vitest';
import { marshalled } from '../../../lib/storage/rows.ts';
import { stepsBetween } from '../../../sandbox/demo/live.ts';
import { createMemoryTable } from '../../../sandbox/demo/memory-table.ts';

const row = (version: number, text = '') => ({ pk: 'demo', sk: 'feed', version, text });
const none = { puts: [], removes: [] };
const { signal } = new AbortController();

describe('a table in memory', () => {
  it('writes the next version of a row alone, and shows the stored one otherwise', async () => {
    const { rows } = createMemoryTable([marshalled(row(3))]);

    expect(await rows.putNextVersion(row(3), none, signal)).toEqual({ kind: 'conflict', row: row(3) });
    expect(await rows.putNextVersion(row(5), none, signal)).toEqual({ kind: 'conflict', row: row(3) });
    expect(await rows.putNextVersion(row(4), none, signal)).toEqual({ kind: 'written' });
    expect(await rows.putNextVersion({ ...row(2), sk: 'new' }, none, signal)).toMatchObject({ kind: 'conflict' });
  });

  it('shows each write with the row before and after it, once', async () => {
    const table = createMemoryTable();
    await table.rows.putNextVersion(row(1), none, signal);
    await table.rows.putNextVersion(row(2), { puts: [], removes: [{ pk: 'demo', sk: 'gone' }] }, signal);
    await table.agents.remove([row(2)]);

    expect(table.takeWritten()).toEqual([
      { before: undefined, after: marshalled(row(1)) },
      { before: marshalled(row(1)), after: marshalled(row(2)) },
      { before: marshalled(row(2)), after: undefined },
    ]);
    expect(table.takeWritten()).toEqual([]);
  });

  it('says what changed, as it is at last', async () => {
    const table = createMemoryTable([marshalled({ pk: 'a', sk: 'old' })]);
    await table.agents.put([
      { pk: 'a', sk: 'kept', text: 'first' },
      { pk: 'a', sk: 'kept', text: 'last' },
    ]);
    await table.agents.remove([{ pk: 'a', sk: 'old' }]);

    expect(table.takeChanged()).toEqual([
      { key: { pk: 'a', sk: 'kept' }, item: marshalled({ pk: 'a', sk: 'kept', text: 'last' }) },
      { key: { pk: 'a', sk: 'old' }, item: undefined },
    ]);
    expect(table.takeChanged()).toEqual([]);
  });

  it('reads a partition in the order of its sort keys, or a part of it', async () => {
    const { agents } = createMemoryTable(['c', 'a', 'b'].map((sk) => marshalled({ pk: 'p', sk })));

    expect((await agents.query('p')).map(({ sk }) => sk)).toEqual(['a', 'b', 'c']);
    expect((await agents.query('p', { from: 'b', to: 'c' })).map(({ sk }) => sk)).toEqual(['b', 'c']);
    expect(await agents.query('other')).toEqual([]);
  });
});

describe('what leads from one picture of the floor to the next', () => {
  const agent = (id: string, state: string) => ({
    id,
    state,
    name: `Name of ${id}`,
    number: '441214960000',
    skills: ['Sales'],
  });

  it('logs out who is gone, logs in who is new with all that is known, and changes the other states', () => {
    expect(
      stepsBetween(
        [agent('asha', 'READY'), agent('li', 'READY'), agent('omar', 'ACW')],
        [agent('li', 'READY'), agent('omar', 'READY'), agent('zoe', 'PAUSE')],
      ),
    ).toEqual([
      { action: 'log-out', agentId: 'asha' },
      { action: 'set-state', agentId: 'omar', state: 'READY' },
      {
        action: 'log-in',
        agentId: 'zoe',
        state: 'PAUSE',
        name: 'Name of zoe',
        phoneNumber: '441214960000',
        skills: ['Sales'],
      },
    ]);
  });
});
