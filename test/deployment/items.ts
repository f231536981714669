import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Key, Table } from '../../lib/storage/tables.ts';

/** An item in DynamoDB’s JSON. */
export type Item = Readonly<Record<string, AttributeValue>>;

export type Values = Readonly<Record<string, AttributeValue>>;

/** For an expression that is not implemented here: the code under test uses a new one. */
const unknown = (expression: string): Error =>
  new Error(`The tables in memory do not implement the expression “${expression}”`);

const isSame = (one: AttributeValue | undefined, other: AttributeValue | undefined): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);

/** Values of different types are not comparable. */
const isLess = (one: AttributeValue | undefined, other: AttributeValue | undefined): boolean => {
  if (one?.N !== undefined && other?.N !== undefined) return Number(one.N) < Number(other.N);
  return one?.S !== undefined && other?.S !== undefined && Buffer.from(one.S).compare(Buffer.from(other.S)) < 0;
};

const term = (text: string, item: Item | undefined, values: Values): boolean => {
  const [, function_, argument = ''] = /^(attribute_not_exists|attribute_exists)\((\w+)\)$/.exec(text) ?? [];
  if (function_ !== undefined) return (item?.[argument] === undefined) === (function_ === 'attribute_not_exists');

  const [, name = '', operator, value = ''] = /^(\w+) (=|<) (:\w+)$/.exec(text) ?? [];
  if (operator === '=') return isSame(item?.[name], values[value]);
  if (operator === '<') return isLess(item?.[name], values[value]);
  throw unknown(text);
};

/** Whether a condition holds for an item, or for none. */
const conditionHolds = (condition: string | undefined, item: Item | undefined, values: Values = {}): boolean =>
  condition === undefined ||
  condition
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((part) => term(part.trim(), item, values)));

const assigned = (clause: string, values: Values): Item =>
  Object.fromEntries(
    clause.split(',').map((assignment) => {
      const [, name, value = ''] = /^\s*(\w+) = (:\w+)\s*$/.exec(assignment) ?? [];
      const given = values[value];
      if (name === undefined || given === undefined) throw unknown(assignment);
      return [name, given];
    }),
  );

/** Applies `SET a = :a, b = :b`. */
export const applyUpdate = (expression: string, item: Item, values: Values): Item => {
  const [, set] = /^SET (.+)$/.exec(expression) ?? [];
  if (set === undefined) throw unknown(expression);
  return { ...item, ...assigned(set, values) };
};

const GivenValues = z.custom<Values>().optional();
const GivenItem = z.custom<Item>((value) => typeof value === 'object');
const Condition = {
  ConditionExpression: z.string().optional(),
  ExpressionAttributeValues: GivenValues,
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};
export const Put = z.object({ TableName: z.string(), Item: GivenItem, ...Condition });
export const Delete = z.object({ TableName: z.string(), Key: GivenItem, ...Condition });
export const Transaction = z.object({
  TransactItems: z.array(z.object({ Put: Put.optional(), Delete: Delete.optional() })),
});
export const Batch = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item: GivenItem }).optional(),
        DeleteRequest: z.object({ Key: GivenItem }).optional(),
      }),
    ),
  ),
});
export const Update = Delete.extend({ UpdateExpression: z.string() });
export const keysIn = (item: Item, { partition, sort }: Key): Item =>
  Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((name) => [name, item[name] ?? { S: '' }]));

export interface Place {
  readonly table: string;
  readonly keys: Item;
}

/** A row that a request puts, or the key of one that it removes. */
interface RequestWrite {
  readonly table: string;
  readonly item: Item;
  readonly isRemoval: boolean;
}

const putOf = ({ TableName, Item }: Pick<z.infer<typeof Put>, 'TableName' | 'Item'>): RequestWrite => ({
  table: TableName,
  item: Item,
  isRemoval: false,
});

const removalOf = ({ TableName, Key }: Pick<z.infer<typeof Delete>, 'TableName' | 'Key'>): RequestWrite => ({
  table: TableName,
  item: Key,
  isRemoval: true,
});

/** What a request puts and removes, one row, several or all or none; undefined for another request. */
export const writesIn = (input: object): readonly RequestWrite[] | undefined => {
  if ('Item' in input) return [putOf(Put.parse(input))];
  if ('TransactItems' in input)
    return Transaction.parse(input).TransactItems.flatMap(({ Put: put, Delete: key }) => [
      ...(put ? [putOf(put)] : []),
      ...(key ? [removalOf(key)] : []),
    ]);
  if (!('RequestItems' in input)) return undefined;
  return Object.entries(Batch.parse(input).RequestItems).flatMap(([TableName, requests]) =>
    requests.flatMap(({ PutRequest, DeleteRequest }) => [
      ...(PutRequest ? [putOf({ TableName, ...PutRequest })] : []),
      ...(DeleteRequest ? [removalOf({ TableName, ...DeleteRequest })] : []),
    ]),
  );
};

/** The items that a request may write, whatever its outcome. */
export const writtenKeys = (
  tables: Readonly<Record<string, Table>>,
  operation: string,
  input: object,
): readonly Place[] => {
  if (operation === 'BatchGetItem') return [];
  const isOfKey = operation === 'DeleteItem' || operation === 'UpdateItem';
  const writes = isOfKey ? [removalOf(Delete.parse(input))] : (writesIn(input) ?? []);
  return writes.flatMap(({ table, item }) => {
    const key = tables[table]?.key;
    return key === undefined ? [] : [{ table, keys: keysIn(item, key) }];
  });
};

/** The largest row, and the longest value of each part of a key. */
const maxItemBytes = 400 * 1024;
const maxPartitionKeyBytes = 2048;
const maxSortKeyBytes = 1024;

/** Whether a value can be a part of a key. */
const isKey = (value: unknown, maxBytes: number): boolean =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= maxBytes;

/** How large a row is by DynamoDB's rules: names and values, a byte for each inner value and three for what holds them. */
export const itemBytes = (item: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** Whether DynamoDB can hold every number of an item: `NaN` is none, and `1e126` too great. */
const hasOnlyNumbers = (item: Readonly<Record<string, AttributeValue>>): boolean =>
  Object.values(item).every(isNumberIfAny);

const isNumberIfAny = ({ N, L, M }: AttributeValue): boolean =>
  (N === undefined || Math.abs(Number(N)) < 1e126) && (L ?? Object.values(M ?? {})).every(isNumberIfAny);

const valueBytes = ({ S, N, L, M }: AttributeValue): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[^0-9]/g, '').length / 2) + 2;
  if (L !== undefined) return L.reduce((sum, inner) => sum + 1 + valueBytes(inner), 3);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes(M);
  return 1;
};

/** A change of an item, as the table’s stream has it. */
export interface ItemChange {
  readonly table: string;
  readonly keys: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A write of one item, if its condition holds. */
export interface Write {
  readonly table: string;
  readonly keys: Item;
  readonly condition?: string | undefined;
  readonly values?: Values | undefined;
  /** Whether the answer has the item if the condition does not hold. */
  readonly showsItem?: boolean;
  /** The item afterwards; undefined if it is deleted. */
  readonly next: (item: Item | undefined) => Item | undefined;
}

/** Orders by the bytes of a text, as DynamoDB does. JavaScript’s order differs beyond the basic plane. */
export const compareBytes = (a: AttributeValue | undefined, b: AttributeValue | undefined): number =>
  Buffer.compare(Buffer.from(a?.S ?? ''), Buffer.from(b?.S ?? ''));

type Partitions = Map<string, Map<string, Item>>;

/** The items of tables with these declarations. `onChange` receives every change in order. */
export const memoryItems = (tables: Readonly<Record<string, Table>>, onChange: (change: ItemChange) => void) => {
  const stored = new Map<string, Partitions>(Object.keys(tables).map((name) => [name, new Map()]));

  const found = ({ table, keys }: Write): Item | undefined => {
    const [partition, sort] = Object.values(keys);
    return stored
      .get(table)
      ?.get(partition?.S ?? '')
      ?.get(sort?.S ?? '');
  };
  const set = ({ table, keys }: Write, item: Item | undefined): void => {
    const [partition, sort] = Object.values(keys);
    const partitions = stored.get(table);
    if (partitions === undefined) throw new Error(`There is no table ${table} in memory`);
    const items = partitions.get(partition?.S ?? '') ?? new Map<string, Item>();
    partitions.set(partition?.S ?? '', items);
    if (item === undefined) items.delete(sort?.S ?? '');
    else items.set(sort?.S ?? '', item);
  };

  return {
    found,
    keyOf: (table: string, item: Item): Item => keysIn(item, tables[table]?.key ?? { partition: 'pk' }),
    holds: (write: Write): boolean => conditionHolds(write.condition, found(write), write.values),
    /** Whether DynamoDB accepts the keys, the numbers and the size of the item. */
    isStorable(write: Write): boolean {
      const { indexes = [] } = tables[write.table] ?? {};
      const [partition, sort] = Object.values(write.keys);
      const item = write.next(found(write)) ?? {};
      const isKeyed =
        isKey(partition?.S, maxPartitionKeyBytes) && (sort === undefined || isKey(sort.S, maxSortKeyBytes));
      // An item without a key of an index is not in that index. An item with an invalid one is rejected.
      const isIndexed = indexes.every(({ key }) =>
        [[item[key.partition], maxPartitionKeyBytes] as const, [item[key.sort], maxSortKeyBytes] as const].every(
          ([value, maxBytes]) => value === undefined || isKey(value.S, maxBytes),
        ),
      );
      return isKeyed && isIndexed && hasOnlyNumbers(item) && itemBytes(item) <= maxItemBytes;
    },
    apply(write: Write): void {
      const { table, keys, next } = write;
      const before = found(write);
      const after = next(before);
      set(write, after);
      if (JSON.stringify(before) !== JSON.stringify(after)) onChange({ table, keys, before, after });
    },
    /** The items of a partition, in the order of their sort keys. */
    partition: (table: string, partition: string): readonly Item[] =>
      [...(stored.get(table)?.get(partition)?.values() ?? [])].sort((a, b) => compareBytes(a['sk'], b['sk'])),
    all: (table: string): readonly Item[] =>
      [...(stored.get(table)?.values() ?? [])]
        .flatMap((items) => [...items.values()])
        .sort((a, b) => compareBytes(a['pk'], b['pk']) || compareBytes(a['sk'], b['sk'])),
    /** Deletes items as time to live does. */
    expire(table: string, isExpired: (item: Item) => boolean): void {
      for (const items of stored.get(table)?.values() ?? [])
        for (const [sort, item] of items) if (isExpired(item)) items.delete(sort);
    },
  };
};
