import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { mapValues } from '../../lib/core/collections.ts';
import {
  agentsTable,
  callsTableWithRecordings,
  type Key,
  quarantineTable,
  type Table,
} from '../../lib/storage/tables.ts';
import { type AwsJson, awsJson, failure, operation, result } from '../../sandbox/frame/aws-json.ts';
import type { Answer } from '../../sandbox/frame/serve.ts';

/*
 * DynamoDB in memory, as far as our functions use it: their conditions and expressions, pages, streams, and the limits of
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html. Its test compares it with Amazon’s.
 */

export const deployedTables = {
  calls: callsTableWithRecordings,
  quarantine: quarantineTable,
  agents: agentsTable,
} as const;

export type DeployedTable = keyof typeof deployedTables;

/** An item in DynamoDB’s JSON. */
export type Item = Readonly<Record<string, AttributeValue>>;

const maxItemBytes = 400 * 1024;
const maxPartitionKeyBytes = 2048;
const maxSortKeyBytes = 1024;
const maxTransactionRows = 100;
const maxTransactionBytes = 4 * 1024 * 1024;
const maxBatchRows = 25;
const maxBatchKeys = 100;
const maxBatchReadBytes = 16 * 1024 * 1024;
/** A page of a query ends with the item that makes it as large. */
const pageBytes = 1024 * 1024;

/** How large a row is by DynamoDB's rules: names and values, a byte for each inner value and three for what holds them. */
export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

const valueBytes = ({ S, N, L, M }: AttributeValue): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[^0-9]/g, '').length / 2) + 2;
  if (L !== undefined) return L.reduce((sum, inner) => sum + 1 + valueBytes(inner), 3);
  if (M !== undefined) return 3 + Object.keys(M).length + itemBytes(M);
  return 1;
};

/** Whether DynamoDB can hold every number in a value: `NaN` is none, and `1e126` too great. */
const hasOnlyNumbers = ({ N, L, M }: AttributeValue): boolean =>
  (N === undefined || Math.abs(Number(N)) < 1e126) && (L ?? Object.values(M ?? {})).every(hasOnlyNumbers);

const isKey = (value: string | undefined, maxBytes: number): boolean =>
  value !== undefined && value !== '' && Buffer.byteLength(value) <= maxBytes;

/** Orders by the bytes of a text, as DynamoDB does. JavaScript’s order differs beyond the basic plane. */
const compareBytes = (a: AttributeValue | undefined, b: AttributeValue | undefined): number =>
  Buffer.compare(Buffer.from(a?.S ?? ''), Buffer.from(b?.S ?? ''));

/** The key of an item, of a table or of an index. */
export const keysIn = (item: Item, { partition, sort }: Key): Item =>
  Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((name) => [name, item[name] ?? { S: '' }]));

/** The code under test uses an expression that is not implemented here. */
const unknown = (expression: string): Error =>
  new Error(`The tables in memory do not implement the expression “${expression}”`);

/** Values of different types are not comparable. */
const isLess = (one: AttributeValue | undefined, other: AttributeValue | undefined): boolean => {
  if (one?.N !== undefined && other?.N !== undefined) return Number(one.N) < Number(other.N);
  return one?.S !== undefined && other?.S !== undefined && compareBytes(one, other) < 0;
};

const term = (text: string, item: Item | undefined, values: Item): boolean => {
  const [, function_, argument = ''] = /^(attribute_not_exists|attribute_exists)\((\w+)\)$/.exec(text) ?? [];
  if (function_ !== undefined) return (item?.[argument] === undefined) === (function_ === 'attribute_not_exists');

  const [, name = '', operator, value = ''] = /^(\w+) (=|<>|<|>=) (:\w+)$/.exec(text) ?? [];
  const one = item?.[name];
  const other = values[value];
  const isEqual = one !== undefined && JSON.stringify(one) === JSON.stringify(other);
  if (operator === '=') return isEqual;
  if (operator === '<>') return !isEqual;
  if (operator === '<') return isLess(one, other);
  if (operator === '>=') return isEqual || isLess(other, one);
  throw unknown(text);
};

/** Terms that AND and OR join, with what is in brackets as one term. */
const conditionHolds = (condition: string, item: Item | undefined, values: Item): boolean => {
  const inner: string[] = [];
  const flat = condition.replace(
    /(?<= |^)\(([^()]*\([^()]*\))*[^()]*\)/g,
    (text) => `{${inner.push(text.slice(1, -1)) - 1}}`,
  );
  const holds = (text: string): boolean => {
    const [, place] = /^\{(\d+)\}$/.exec(text) ?? [];
    return place === undefined ? term(text, item, values) : conditionHolds(inner[Number(place)] ?? '', item, values);
  };
  return flat.split(' OR ').some((part) => part.split(' AND ').every((text) => holds(text.trim())));
};

/** Applies `SET a = :a, b = :b`. */
const updated = (expression: string, item: Item, values: Item): Item => {
  const [, set = ''] = /^SET (.+)$/.exec(expression) ?? [];
  const assigned = set.split(',').map((assignment) => {
    const [, name, value = ''] = /^\s*(\w+) = (:\w+)\s*$/.exec(assignment) ?? [];
    const given = values[value];
    if (name === undefined || given === undefined) throw unknown(expression);
    return [name, given] as const;
  });
  return { ...item, ...Object.fromEntries(assigned) };
};

const Item = z.custom<Item>((value) => typeof value === 'object');
const Conditional = z.object({
  TableName: z.string(),
  ConditionExpression: z.string().optional(),
  ExpressionAttributeValues: Item.default({}),
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
});
const Put = Conditional.extend({ Item });
const Delete = Conditional.extend({ Key: Item });
const Update = Delete.extend({ UpdateExpression: z.string() });
const Transaction = z.object({
  TransactItems: z.array(z.object({ Put: Put.optional(), Delete: Delete.optional() })),
});
const Batch = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item }).optional(),
        DeleteRequest: z.object({ Key: Item }).optional(),
      }),
    ),
  ),
});
const Get = z.object({ TableName: z.string(), Key: Item });
const BatchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Item) })) });
const Query = z.object({
  TableName: z.string(),
  IndexName: z.string().optional(),
  ConsistentRead: z.boolean().optional(),
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: Item,
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExclusiveStartKey: Item.optional(),
  ScanIndexForward: z.boolean().default(true),
  Limit: z.number().default(Number.POSITIVE_INFINITY),
  ProjectionExpression: z.string().optional(),
});
type Query = z.infer<typeof Query>;
const Scan = z.object({
  TableName: z.string(),
  Select: z.enum(['COUNT']).optional(),
  FilterExpression: z.string().default(''),
  ExpressionAttributeValues: Item.default({}),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
});

/** An item, or the key of one, and its table. */
interface Place {
  readonly table: string;
  readonly item: Item;
}

/** What a request does to one item if its condition holds. */
interface Write extends Place {
  /** The item afterwards; undefined if it is removed. */
  readonly next: (before: Item | undefined) => Item | undefined;
  readonly given: Partial<z.infer<typeof Conditional>>;
}

const put = ({ Item, ...given }: Write['given'] & { readonly Item: Item }, table = given.TableName ?? ''): Write => ({
  table,
  item: Item,
  given,
  next: () => Item,
});
const removal = ({ Key, ...given }: Write['given'] & { readonly Key: Item }, table = given.TableName ?? ''): Write => ({
  table,
  item: Key,
  given,
  next: () => undefined,
});

/** What a request of this operation writes, one item, or several all or none; nothing if it reads. */
export const writesIn = (operation: string, input: unknown): readonly Write[] => {
  if (operation === 'PutItem') return [put(Put.parse(input))];
  if (operation === 'DeleteItem') return [removal(Delete.parse(input))];
  if (operation === 'UpdateItem') {
    const { UpdateExpression, ...given } = Update.parse(input);
    const next = (item = given.Key) => updated(UpdateExpression, item, given.ExpressionAttributeValues);
    return [{ ...removal(given), next }];
  }
  if (operation === 'TransactWriteItems')
    return Transaction.parse(input).TransactItems.flatMap(({ Put: item, Delete: key }) => [
      ...(item ? [put(item)] : []),
      ...(key ? [removal(key)] : []),
    ]);
  if (operation !== 'BatchWriteItem') return [];
  return Object.entries(Batch.parse(input).RequestItems).flatMap(([table, requests]) =>
    requests.flatMap(({ PutRequest, DeleteRequest }) => [
      ...(PutRequest ? [put(PutRequest, table)] : []),
      ...(DeleteRequest ? [removal(DeleteRequest, table)] : []),
    ]),
  );
};

const bounds = /^(\w+) = (:\w+)(?: AND (\w+) (?:BETWEEN (:\w+) AND (:\w+)|(>=|<=) (:\w+)))?$/;

const named = (
  expression: string,
  { ExpressionAttributeNames: names }: Pick<Query, 'ExpressionAttributeNames'>,
): string => expression.replace(/#\w+/g, (name) => names[name] ?? name);

/** The partition and the bounds that a condition on keys names. */
const wanted = (query: Query) => {
  const { KeyConditionExpression, ExpressionAttributeValues: values } = query;
  const found = bounds.exec(named(KeyConditionExpression, query));
  if (found === null) throw unknown(KeyConditionExpression);
  const [, name = '', partition = '', sort, from, to, operator, bound = ''] = found;
  const lower = from ?? (operator === '>=' ? bound : '');
  const upper = to ?? (operator === '<=' ? bound : '');
  return { name, partition: values[partition]?.S ?? '', sort, from: values[lower], to: values[upper] };
};

/** Answers a query over these items of the table. */
const pageOf = (table: Table, items: readonly Item[], query: Query) => {
  const { IndexName, ExclusiveStartKey: start, ScanIndexForward: isForward, Limit } = query;
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (IndexName !== undefined && index === undefined) throw new Error(`There is no index ${IndexName} in memory`);
  const { partition, sort = '' }: Key = index?.key ?? table.key;
  const { name, partition: pk, from, to, sort: bounded = sort } = wanted(query);
  if (name !== partition || bounded !== sort) throw new Error(`${name} and ${bounded} are not the key that is queried`);

  const attributes = [...new Set([sort, ...Object.values(table.key).filter((each) => each !== undefined)])];
  const compare = (one: Item, other: Item): number =>
    attributes.reduce((order, each) => order || compareBytes(one[each], other[each]), 0) * (isForward ? 1 : -1);
  const matching = items
    .filter(
      (item) =>
        item[partition]?.S === pk &&
        item[sort] !== undefined &&
        (from === undefined || compareBytes(from, item[sort]) <= 0) &&
        (to === undefined || compareBytes(item[sort], to) <= 0) &&
        (start === undefined || compare(start, item) < 0),
    )
    .sort(compare);

  const page: Item[] = [];
  let bytes = 0;
  const isFull = () => bytes >= pageBytes || page.length >= Limit;
  for (const item of matching) {
    if (isFull()) break;
    page.push(item);
    bytes += itemBytes(item);
  }
  const last = page.at(-1);
  const startKey = last && { ...keysIn(last, table.key), ...(index && keysIn(last, index.key)) };
  return {
    Items: page.map((item) => projected(item, query)),
    Count: page.length,
    ScannedCount: page.length,
    ...(isFull() && startKey && { LastEvaluatedKey: startKey }),
  };
};

const projected = (item: Item, query: Query): Item => {
  if (query.ProjectionExpression === undefined) return item;
  const names = named(query.ProjectionExpression, query).split(', ');
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
};

const dynamodb: AwsJson = {
  version: '1.0',
  service: 'DynamoDB_20120810',
  namespace: 'com.amazonaws.dynamodb.v20120810',
};

/** A rejection with more than its type and message. */
const rejection = (type: string, more: object = {}): Answer => ({
  ...failure(dynamodb, 400, type, ''),
  body: JSON.stringify({ __type: `${dynamodb.namespace}#${type}`, message: type, ...more }),
});

/** A change of an item, as the table’s stream has it. */
export interface ItemChange {
  readonly table: string;
  readonly keys: Item;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Tables in memory that answer as DynamoDB does. `onChange` receives every change in order. */
export const memoryDynamodb = (
  onChange: (change: ItemChange) => void,
  tables: Readonly<Record<string, Table>> = deployedTables,
) => {
  const stored = new Map<string, Map<string, Map<string, Item>>>();
  const tableOf = (name: string): Table => {
    const table = tables[name];
    if (table === undefined) throw new Error(`There is no table ${name} in memory`);
    return table;
  };
  const keysOf = ({ table, item }: Place): Item => keysIn(item, tableOf(table).key);
  const partition = (table: string, name: string): ReadonlyMap<string, Item> =>
    stored.get(table)?.get(name) ?? new Map<string, Item>();
  const found = (place: Place): Item | undefined => {
    const [pk, sk] = Object.values(keysOf(place));
    return partition(place.table, pk?.S ?? '').get(sk?.S ?? '');
  };
  const set = (place: Place, item: Item | undefined): void => {
    const [pk, sk] = Object.values(keysOf(place));
    const partitions = stored.get(place.table) ?? new Map<string, Map<string, Item>>();
    const items = partitions.get(pk?.S ?? '') ?? new Map<string, Item>();
    stored.set(place.table, partitions.set(pk?.S ?? '', items));
    if (item === undefined) items.delete(sk?.S ?? '');
    else items.set(sk?.S ?? '', item);
  };
  const all = (table: string): readonly Item[] =>
    [...(stored.get(table)?.values() ?? [])]
      .flatMap((items) => [...items.values()])
      .sort((a, b) => compareBytes(a['pk'], b['pk']) || compareBytes(a['sk'], b['sk']));

  const isKeyed = (place: Place): boolean => {
    const [pk, sk] = Object.values(keysOf(place));
    return isKey(pk?.S, maxPartitionKeyBytes) && (sk === undefined || isKey(sk.S, maxSortKeyBytes));
  };
  /** Whether DynamoDB accepts the keys, the numbers and the size of the item. */
  const isStorable = (write: Write): boolean => {
    const item = write.next(found(write)) ?? {};
    // An item without a key of an index is not in that index. An item with an invalid one is rejected.
    const isIndexed = tableOf(write.table).indexes.every(({ key }) =>
      [[item[key.partition], maxPartitionKeyBytes] as const, [item[key.sort], maxSortKeyBytes] as const].every(
        ([value, maxBytes]) => value === undefined || isKey(value.S, maxBytes),
      ),
    );
    return isKeyed(write) && isIndexed && Object.values(item).every(hasOnlyNumbers) && itemBytes(item) <= maxItemBytes;
  };
  const holds = (write: Write): boolean => {
    const { ConditionExpression: condition, ExpressionAttributeValues: values = {} } = write.given;
    return condition === undefined || conditionHolds(condition, found(write), values);
  };
  const shown = (write: Write): object => {
    const item = write.given.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? found(write) : undefined;
    return item === undefined ? {} : { Item: item };
  };
  const apply = (write: Write): void => {
    const before = found(write);
    const after = write.next(before);
    set(write, after);
    if (JSON.stringify(before) !== JSON.stringify(after))
      onChange({ table: write.table, keys: keysOf(write), before, after });
  };
  const areDistinct = (places: readonly Place[]): boolean =>
    new Set(places.map((place) => JSON.stringify([place.table, keysOf(place)]))).size === places.length;

  const single = (write: Write): Answer => {
    // An item that is too large is rejected whether or not the condition holds.
    if (!isStorable(write)) return rejection('ValidationException');
    if (!holds(write)) return rejection('ConditionalCheckFailedException', shown(write));
    apply(write);
    return result(dynamodb, {});
  };
  const allOrNothing = (writes: readonly Write[]): Answer => {
    const bytes = writes.reduce((sum, { next }) => sum + itemBytes(next(undefined) ?? {}), 0);
    const isWithinLimits = writes.length <= maxTransactionRows && bytes <= maxTransactionBytes;
    if (!isWithinLimits || !areDistinct(writes) || !writes.every(isStorable)) return rejection('ValidationException');
    const CancellationReasons = writes.map((write) =>
      holds(write) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...shown(write) },
    );
    if (!writes.every(holds)) return rejection('TransactionCanceledException', { CancellationReasons });
    for (const write of writes) apply(write);
    return result(dynamodb, {});
  };
  const eachAlone = (writes: readonly Write[]): Answer => {
    if (writes.length > maxBatchRows || !areDistinct(writes) || !writes.every(isStorable))
      return rejection('ValidationException');
    for (const write of writes) apply(write);
    return result(dynamodb, { UnprocessedItems: {} });
  };
  /** An operation that writes one item. */
  const ofOne = (name: string) => (input: unknown) => {
    const [write] = writesIn(name, input);
    return write === undefined ? rejection('ValidationException') : single(write);
  };

  const handle = awsJson(dynamodb, {
    PutItem: ofOne('PutItem'),
    DeleteItem: ofOne('DeleteItem'),
    UpdateItem: ofOne('UpdateItem'),
    TransactWriteItems: (input) => allOrNothing(writesIn('TransactWriteItems', input)),
    BatchWriteItem: (input) => eachAlone(writesIn('BatchWriteItem', input)),
    GetItem: operation(dynamodb, Get, ({ TableName: table, Key: item }) =>
      isKeyed({ table, item }) ? result(dynamodb, { Item: found({ table, item }) }) : rejection('ValidationException'),
    ),
    BatchGetItem: operation(dynamodb, BatchGet, ({ RequestItems }) => {
      const asked = Object.entries(RequestItems).flatMap(([table, { Keys }]) => Keys.map((item) => ({ table, item })));
      if (asked.length > maxBatchKeys || !areDistinct(asked) || !asked.every(isKeyed))
        return rejection('ValidationException');
      let left = maxBatchReadBytes;
      const { read = [], unread = [] } = Object.groupBy(asked, (place) => {
        left -= itemBytes(found(place) ?? {});
        return left >= 0 ? 'read' : 'unread';
      });
      const byTable = (places: readonly Place[]) => Object.groupBy(places, ({ table }) => table);
      return result(dynamodb, {
        Responses: mapValues(byTable(read), (places = []) => places.map(found).filter((item) => item !== undefined)),
        UnprocessedKeys: mapValues(byTable(unread), (places = []) => ({ Keys: places.map(({ item }) => item) })),
      });
    }),
    Query: operation(dynamodb, Query, (query) => {
      const { TableName, IndexName } = query;
      // An index lags behind its table, so DynamoDB reads none consistently.
      if (IndexName !== undefined && query.ConsistentRead) return rejection('ValidationException');
      const { partition: pk } = wanted(query);
      // As AWS does. DynamoDB Local answers such a query.
      if (!isKey(pk, maxPartitionKeyBytes)) return rejection('ValidationException');
      const items = IndexName === undefined ? [...partition(TableName, pk).values()] : all(TableName);
      return result(dynamodb, pageOf(tableOf(TableName), items, query));
    }),
    /** In one page: the tables of tests are smaller than that. */
    Scan: operation(dynamodb, Scan, ({ FilterExpression: filter, ...scan }) => {
      const items = all(scan.TableName);
      const fits = (item: Item) => conditionHolds(named(filter, scan), item, scan.ExpressionAttributeValues);
      const found = filter === '' ? items : items.filter(fits);
      return result(dynamodb, {
        ...(scan.Select === undefined && { Items: found }),
        Count: found.length,
        ScannedCount: items.length,
      });
    }),
  });

  return {
    handle,
    /** The items of a table, in the order of their keys. */
    items: all,
    /** Deletes items as time to live does. */
    expire(table: string, isExpired: (item: Item) => boolean): void {
      for (const items of stored.get(table)?.values() ?? [])
        for (const [sort, item] of items) if (isExpired(item)) items.delete(sort);
    },
  };
};
