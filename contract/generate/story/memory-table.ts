import type { RowKey } from '../../../lib/floor/keys.ts';
import type { AgentTable } from '../../../lib/ports.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import type { Facts } from '../../../lib/record/delivery.ts';
import { compare } from '../../../lib/text/compare.ts';

/** An agents' table for one poller that is never overtaken, with the changes that its stream would tell. */
export interface MemoryTable extends AgentTable {
  readonly all: () => readonly Facts[];
  readonly changes: () => readonly RowChange[];
}

const nameOf = ({ pk, sk }: RowKey): string => `${pk} ${sk}`;

/** A table with nothing in it. */
export const memoryTable = (): MemoryTable => {
  const stored = new Map<string, Facts & RowKey>();
  const changes: RowChange[] = [];

  const change = (key: RowKey, after: (Facts & RowKey) | undefined): void => {
    const before = stored.get(nameOf(key));
    if (after === undefined) stored.delete(nameOf(key));
    else stored.set(nameOf(key), after);
    changes.push({ sequence: String(changes.length), before, after });
  };
  const put = (rows: readonly (Facts & RowKey)[]) => rows.forEach((row) => void change(row, row));
  const remove = (keys: readonly RowKey[]) => keys.forEach((key) => void change(key, undefined));

  return {
    rows: async (pk, { from, to } = { from: '', to: '\uffff' }) =>
      [...stored.values()]
        .filter((row) => row.pk === pk && from <= row.sk && row.sk <= to)
        .sort((a, b) => compare(a.sk, b.sk)),
    async write(guard, together) {
      put([guard, ...(together?.puts ?? [])]);
      remove(together?.removes ?? []);
      return 'written';
    },
    put: async (rows) => put(rows),
    remove: async (keys) => remove(keys),
    all: () => [...stored.values()],
    changes: () => changes,
  };
};
