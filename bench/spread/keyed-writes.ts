import { callsTable } from '../../lib/contract/tables.ts';
import { entryWrites, tableUnits } from '../costs/write-units.ts';
import type { SeenWrite } from './watched-receiver.ts';

/** The table or one of its indexes, by its name. */
export type Store = string;

/** The calls' table itself, among the names of its indexes. */
export const tableStore: Store = 'table';

/** Everything that has partitions of its own. */
export const stores: readonly Store[] = [tableStore, ...callsTable.indexes.map(({ name }) => name)];

/** Write units that go to one partition key. */
export interface KeyedWrite {
  readonly store: Store;
  readonly key: string;
  readonly units: number;
}

/** Where the units of a write go: to the key of the row and, unless it was refused, to those of its entries. */
export const keyedWrites = ({ write, isRefused, isTransaction }: SeenWrite): readonly KeyedWrite[] => {
  const { table, before, after } = write;
  const times = isTransaction ? 2 : 1;
  const key = (after ?? before)?.[table.key.partition]?.S ?? '';
  const own = { store: tableStore, key, units: times * tableUnits(write) };
  const entries = table.indexes.flatMap((index) =>
    entryWrites(write, index).map((entry) => ({ store: index.name, key: entry.key, units: times * entry.units })),
  );
  return isRefused ? [own] : [own, ...entries];
};
