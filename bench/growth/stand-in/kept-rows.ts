import type { Key, Table } from '../../../lib/contract/tables.ts';
import { compare } from '../../../lib/text/compare.ts';
import type { Item } from '../../costs/write-units.ts';

/** Where a row lies. */
export interface Place {
  readonly table: string;
  readonly partition: string;
  readonly sort: string;
}

/** The rows of some tables, partition by partition. */
export interface KeptRows {
  /** Where a row lies, or the one that a key names. Throws for a table that is not known. */
  placeOf(table: string, row: Item): Place;
  at(place: Place): Item | undefined;
  /** Puts a row, or removes what is there. */
  set(place: Place, row: Item | undefined): void;
  /** The rows of a partition in the order of their sort keys. */
  partition(table: string, partition: string): readonly Item[];
  /** Remembers what there is under a name. */
  keep(name: string): void;
  /** Brings back what there was; nothing, if nothing was kept under that name. */
  restore(name: string): void;
}

type Partitions = ReadonlyMap<string, Map<string, Item>>;

/** No rows yet. */
export const keptRows = (tables: Readonly<Record<string, Table>>): KeptRows => {
  let all = new Map<string, Map<string, Item>>();
  const kept = new Map<string, Partitions>();
  const nameOf = (table: string, partition: string): string => JSON.stringify([table, partition]);

  return {
    placeOf(table, row) {
      const key = tables[table]?.key;
      if (key === undefined) throw new Error(`The stand-in does not know the table ${table}`);
      return { table, ...keyIn(row, key) };
    },
    at: ({ table, partition, sort }) => all.get(nameOf(table, partition))?.get(sort),
    set({ table, partition, sort }, row) {
      const name = nameOf(table, partition);
      const rows = all.get(name) ?? new Map<string, Item>();
      if (row === undefined) rows.delete(sort);
      else rows.set(sort, row);
      all.set(name, rows);
    },
    partition: (table, partition) =>
      [...(all.get(nameOf(table, partition)) ?? [])].sort(([a], [b]) => compare(a, b)).map(([, row]) => row),
    keep: (name) => void kept.set(name, copied(all)),
    restore(name) {
      all = copied(kept.get(name) ?? new Map());
    },
  };
};

const copied = (partitions: Partitions) => new Map([...partitions].map(([name, rows]) => [name, new Map(rows)]));

const keyIn = (row: Item, { partition, sort }: Key) => ({
  partition: row[partition]?.S ?? '',
  sort: (sort && row[sort]?.S) ?? '',
});
