import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import type { Table } from '../../../lib/schema/tables.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../../../sandbox/http/aws-json.ts';
import type { Answer, Handle } from '../../../sandbox/http/serve.ts';
import { isKey, itemBytes, maxItemBytes, maxPartitionKeyBytes, maxSortKeyBytes } from '../dynamodb-limits.ts';
import {
  applyUpdate,
  Batch,
  conditionHolds,
  Delete,
  type Item,
  keysIn,
  Put,
  Query,
  Transaction,
  Update,
  updatedAttributes,
  type Values,
} from './requests.ts';

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
const compareBytes = (a: AttributeValue | undefined, b: AttributeValue | undefined): number =>
  Buffer.compare(Buffer.from(a?.S ?? ''), Buffer.from(b?.S ?? ''));

type Partitions = Map<string, Map<string, Item>>;
type StoredTables = ReadonlyMap<string, Partitions>;

/** Items are replaced, never changed, so a copy shares them. */
const copyOf = (tables: StoredTables): StoredTables =>
  new Map(
    [...tables].map(([name, partitions]) => [
      name,
      new Map([...partitions].map(([pk, items]) => [pk, new Map(items)])),
    ]),
  );

/** The items of tables with these declarations. Calls `onChange` for every change in its order. */
const memoryItems = (tables: Readonly<Record<string, Table>>, onChange: (change: ItemChange) => void) => {
  const empty: StoredTables = new Map(Object.keys(tables).map((name) => [name, new Map()]));
  const saved = new Map<string, StoredTables>();
  let stored = copyOf(empty);

  const partition = (table: string, partitionKey = ''): Map<string, Item> =>
    stored.get(table)?.get(partitionKey) ?? new Map();
  const found = ({ table, keys }: Write): Item | undefined => {
    const [partitionKey, sortKey] = Object.values(keys).map(({ S }) => S);
    return partition(table, partitionKey).get(sortKey ?? '');
  };
  const set = (table: string, keys: Item, item: Item | undefined): void => {
    const [partitionKey = '', sortKey = ''] = Object.values(keys).map(({ S = '' }) => S);
    const items = partition(table, partitionKey);
    if (item === undefined) items.delete(sortKey);
    else items.set(sortKey, item);
    stored.get(table)?.set(partitionKey, items);
  };

  return {
    found,
    /** The key of an item. */
    keyOf: (table: string, item: Item): Item => keysIn(item, tables[table]?.key ?? { partition: 'pk' }),
    holds: (write: Write): boolean => conditionHolds(write.condition, found(write), write.values),
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
      set(table, keys, after);
      if (JSON.stringify(before) !== JSON.stringify(after)) onChange({ table, keys, before, after });
    },
    /** Removes items as time to live does, without a change in the stream. */
    expire(table: string, isOver: (item: Item) => boolean): void {
      for (const items of stored.get(table)?.values() ?? [])
        for (const [sortKey, item] of items) if (isOver(item)) items.delete(sortKey);
    },
    /** Every item of a table, by key. */
    all: (table: string): readonly Item[] =>
      [...(stored.get(table)?.values() ?? [])]
        .flatMap((items) => [...items.values()])
        .sort((a, b) => compareBytes(a['pk'], b['pk']) || compareBytes(a['sk'], b['sk'])),
    /** The items of a partition, by sort key. */
    inPartition: (table: string, partitionKey: string | undefined): readonly Item[] =>
      [...partition(table, partitionKey).values()].sort((a, b) => compareBytes(a['sk'], b['sk'])),
    save: (name: string): void => void saved.set(name, copyOf(stored)),
    restore(name: string): void {
      stored = copyOf(saved.get(name) ?? empty);
    },
  };
};

const dynamodb: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

/** Tables in memory that answer what the functions ask, and refuse what DynamoDB refuses. */
export interface MemoryDynamodb {
  readonly handle: Handle;
  /** Every item of a table, by key. */
  readonly items: (table: string) => readonly Item[];
  /** Removes items as time to live does. */
  readonly expire: (table: string, isOver: (item: Item) => boolean) => void;
  /** Remembers all items under a name. */
  readonly save: (name: string) => void;
  /** Puts back the items that were saved under a name; none if there are none. */
  readonly restore: (name: string) => void;
}

/** A refusal that tells more than its type and message. */
const rejection = (type: string, more: object): Answer => ({
  ...failure(dynamodb, 400, type, ''),
  body: JSON.stringify({ __type: `${dynamodb.namespace}#${type}`, message: type, ...more }),
});

/** How many items DynamoDB accepts in one transaction and in one batch. */
const maxTransactionItems = 100;
const maxBatchItems = 25;

const pageBytes = 1024 * 1024;

/** A page ends with the item that reaches its size. */
const firstPage = (items: readonly Item[]): readonly Item[] => {
  const page: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (bytes >= pageBytes) break;
    page.push(item);
    bytes += itemBytes(item);
  }
  return page;
};

/** Tables of these declarations; `onChange` is told every change in its order. */
export const memoryDynamodb = (
  tables: Readonly<Record<string, Table>>,
  onChange: (change: ItemChange) => void,
): MemoryDynamodb => {
  const { found, keyOf, holds, isStorable, apply, all, inPartition, ...items } = memoryItems(tables, onChange);

  const put = ({ TableName: table, Item: item, ...when }: z.infer<typeof Put>): Write => ({
    table,
    keys: keyOf(table, item),
    condition: when.ConditionExpression,
    values: when.ExpressionAttributeValues,
    showsItem: when.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    next: () => item,
  });
  const removal = ({ TableName: table, Key: keys, ...when }: z.infer<typeof Delete>): Write => ({
    table,
    keys,
    condition: when.ConditionExpression,
    values: when.ExpressionAttributeValues,
    showsItem: when.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    next: () => undefined,
  });

  const shown = (write: Write): { readonly Item?: Item } => {
    const item = write.showsItem ? found(write) : undefined;
    return item === undefined ? {} : { Item: item };
  };

  const alone = (write: Write, answer: () => unknown = () => ({})): Answer => {
    // An item that is too large is refused whatever the condition.
    if (!isStorable(write)) return rejection('ValidationException', {});
    if (!holds(write)) return rejection('ConditionalCheckFailedException', shown(write));
    apply(write);
    return result(dynamodb, answer());
  };

  const allOrNothing = (writes: readonly Write[]): Answer => {
    const places = new Set(writes.map(({ table, keys }) => JSON.stringify([table, keys])));
    if (places.size < writes.length || writes.length > maxTransactionItems || !writes.every(isStorable))
      return rejection('ValidationException', {});
    const CancellationReasons = writes.map((write) =>
      holds(write) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...shown(write) },
    );
    if (!writes.every(holds)) return rejection('TransactionCanceledException', { CancellationReasons });
    for (const write of writes) apply(write);
    return result(dynamodb, {});
  };

  const handle = awsJson(dynamodb, {
    PutItem: operation(dynamodb, Put, (input) => alone(put(input))),
    DeleteItem: operation(dynamodb, Delete, (input) => alone(removal(input))),
    UpdateItem: operation(dynamodb, Update, ({ UpdateExpression, ...input }) => {
      const { Key: keys, ExpressionAttributeValues: values = {} } = input;
      const write = { ...removal(input), next: (item: Item = keys) => applyUpdate(UpdateExpression, item, values) };
      const { ReturnValues: isAsked } = input;
      return alone(write, () => (isAsked ? { Attributes: updatedAttributes(UpdateExpression, found(write)) } : {}));
    }),
    TransactWriteItems: operation(dynamodb, Transaction, ({ TransactItems }) =>
      allOrNothing(
        TransactItems.flatMap(({ Put: item, Delete: key }) => [
          ...(item ? [put(item)] : []),
          ...(key ? [removal(key)] : []),
        ]),
      ),
    ),
    BatchWriteItem: operation(dynamodb, Batch, ({ RequestItems }) => {
      const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
        requests.flatMap(({ PutRequest, DeleteRequest }) => [
          ...(PutRequest ? [put({ TableName, ...PutRequest })] : []),
          ...(DeleteRequest ? [removal({ TableName, ...DeleteRequest })] : []),
        ]),
      );
      if (writes.length > maxBatchItems || !writes.every(isStorable)) return rejection('ValidationException', {});
      for (const write of writes) apply(write);
      return result(dynamodb, { UnprocessedItems: {} });
    }),
    Query: operation(dynamodb, Query, ({ TableName, ExpressionAttributeValues: values, ExclusiveStartKey: after }) => {
      const { ':pk': pk, ':from': from, ':to': to } = values;
      const isWithin = (sk: AttributeValue | undefined) =>
        from === undefined || (compareBytes(from, sk) <= 0 && compareBytes(sk, to) <= 0);
      const found = inPartition(TableName, pk?.S).filter(
        ({ sk }) => isWithin(sk) && (after === undefined || compareBytes(after['sk'], sk) < 0),
      );
      const Items = firstPage(found);
      const last = Items.length < found.length ? Items.at(-1) : undefined;
      return result(dynamodb, {
        Items,
        Count: Items.length,
        ...(last && { LastEvaluatedKey: keyOf(TableName, last) }),
      });
    }),
  });

  return { handle, items: all, ...items };
};
