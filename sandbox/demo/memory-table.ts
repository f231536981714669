import {
  type AgentTable,
  type Item,
  type KeyedRow,
  marshalled,
  type PutResult,
  type Row,
  type RowKey,
  unmarshalled,
  type VersionedRows,
} from '../../lib/storage/rows.ts';

export interface RowWrite {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface ChangedRow {
  readonly key: RowKey;
  readonly item: Item | undefined;
}

/**
 * A table in memory for the functions that play the past: thousands of polls would take DynamoDB Local minutes. Its rows are
 * items of DynamoDB, so what a function reads is what it would read there.
 */
export const createMemoryTable = (initial: readonly Item[] = []) => {
  const partitions = new Map<string, Map<string, Item>>();
  let written: RowWrite[] = [];
  let changed = new Map<string, RowKey>();

  const partition = (pk: string): Map<string, Item> => {
    const found = partitions.get(pk) ?? new Map<string, Item>();
    partitions.set(pk, found);
    return found;
  };
  const itemAt = ({ pk, sk }: RowKey): Item | undefined => partitions.get(pk)?.get(sk);
  const note = ({ pk, sk }: RowKey, write: RowWrite): void => {
    written.push(write);
    changed.set(`${pk} ${sk}`, { pk, sk });
  };
  const store = (row: KeyedRow): void => {
    const after = marshalled(row);
    note(row, { before: itemAt(row), after });
    partition(row.pk).set(row.sk, after);
  };
  const remove = (key: RowKey): void => {
    const before = itemAt(key);
    if (before === undefined) return;
    note(key, { before, after: undefined });
    partition(key.pk).delete(key.sk);
  };
  const rowAt = (key: RowKey): Row | undefined => {
    const item = itemAt(key);
    return item && unmarshalled(item);
  };
  for (const item of initial) partition(String(item['pk']?.S)).set(String(item['sk']?.S), item);

  const rows: VersionedRows = {
    async putNextVersion(row, { puts, removes }): Promise<PutResult> {
      const stored = rowAt(row);
      if (Number(stored?.['version'] ?? 0) !== row.version - 1) return { kind: 'conflict', row: stored };
      for (const one of [row, ...puts]) store(one);
      for (const key of removes) remove(key);
      return { kind: 'written' };
    },
  };
  const never = new AbortController().signal;
  const agents: AgentTable = {
    async query(pk, { from, to } = { from: '', to: '\uffff' }) {
      const found = [...(partitions.get(pk) ?? [])].filter(([sk]) => from <= sk && sk <= to);
      return found.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => unmarshalled(item));
    },
    async write(row, alongside = { puts: [], removes: [] }) {
      return (await rows.putNextVersion(row, alongside, never)).kind === 'written' ? 'written' : 'conflict';
    },
    async put(some) {
      for (const row of some) store(row);
    },
    async remove(keys) {
      for (const key of keys) remove(key);
    },
  };

  return {
    rows,
    agents,
    rowAt,
    /** What was written since this was last asked, in order. */
    takeWritten(): readonly RowWrite[] {
      const taken = written;
      written = [];
      return taken;
    },
    /** The keys of what changed since this was last asked, with the rows as they are now: none of a row that was removed. */
    takeChanged(): readonly ChangedRow[] {
      const taken = [...changed.values()].map((key) => ({ key, item: itemAt(key) }));
      changed = new Map();
      return taken;
    },
  };
};
