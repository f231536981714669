import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../lib/contract/tables.ts';
import {
  isKey,
  itemBytes,
  maxItemBytes,
  maxPartitionKeyBytes,
  maxSortKeyBytes,
} from '../../test/support/row-limits.ts';
import { type Item, meets, type Values } from './dynamodb-expressions.ts';
import { keysIn } from './item-key.ts';

/** A change of an item, as the table's stream has it. */
export interface ItemChange {
  readonly table: string;
  readonly keys: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** What is to become of one item, if its condition holds. */
export interface Write {
  readonly table: string;
  readonly keys: Item;
  readonly condition?: string | undefined;
  readonly values?: Values | undefined;
  /** Whether the item is shown where the condition does not hold. */
  readonly showsItem?: boolean;
  readonly next: (item: Item | undefined) => Item | undefined;
}

/** Orders by the bytes of a text, as DynamoDB does, which differs from JavaScript's order beyond the basic plane. */
export const byBytes = (a: AttributeValue | undefined, b: AttributeValue | undefined): number =>
  Buffer.compare(Buffer.from(a?.S ?? ''), Buffer.from(b?.S ?? ''));

/** The items of tables with these declarations; `onChange` is told every change in its order. */
export const memoryItems = (tables: Readonly<Record<string, Table>>, onChange: (change: ItemChange) => void) => {
  const stored = new Map(Object.keys(tables).map((name) => [name, new Map<string, Item>()]));
  const nameOf = (keys: Item): string => JSON.stringify(Object.values(keys).map(({ S }) => S));
  const found = ({ table, keys }: Write): Item | undefined => stored.get(table)?.get(nameOf(keys));

  return {
    found,
    /** The key of an item. */
    keyOf: (table: string, item: Item): Item => keysIn(item, tables[table]?.key ?? { partition: 'pk' }),
    holds: (write: Write): boolean => meets(write.condition, found(write), write.values),
    isStorable(write: Write): boolean {
      const { indexes = [] } = tables[write.table] ?? {};
      const [partition, sort] = Object.values(write.keys);
      const item = write.next(found(write)) ?? {};
      const isKeyed =
        isKey(partition?.S, maxPartitionKeyBytes) && (sort === undefined || isKey(sort.S, maxSortKeyBytes));
      // What lacks a key of an index is not in it; what has one that is none is refused.
      const isIndexed = indexes.every(({ key }) =>
        [[item[key.partition], maxPartitionKeyBytes] as const, [item[key.sort], maxSortKeyBytes] as const].every(
          ([value, maxBytes]) => value === undefined || isKey(value.S, maxBytes),
        ),
      );
      return isKeyed && isIndexed && itemBytes(item) <= maxItemBytes;
    },
    apply(write: Write): void {
      const { table, keys, next } = write;
      const before = found(write);
      const after = next(before);
      if (after === undefined) stored.get(table)?.delete(nameOf(keys));
      else stored.get(table)?.set(nameOf(keys), after);
      if (JSON.stringify(before) !== JSON.stringify(after)) onChange({ table, keys, before, after });
    },
    /** Takes items away as time to live does, of which nobody is told. */
    expire(table: string, isOver: (item: Item) => boolean): void {
      const items = stored.get(table) ?? new Map<string, Item>();
      for (const [name, item] of items) if (isOver(item)) items.delete(name);
    },
    /** Every item of a table, by key. */
    all: (table: string): readonly Item[] =>
      [...(stored.get(table)?.values() ?? [])].sort((a, b) => byBytes(a['pk'], b['pk']) || byBytes(a['sk'], b['sk'])),
  };
};
