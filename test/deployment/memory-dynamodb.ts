import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Key, Table } from '../../lib/storage/tables.ts';
import { type AwsJson, awsJson, failure, type Operation, operation, result } from '../../sandbox/http/aws-json.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import {
  applyUpdate,
  Batch,
  compareBytes,
  Delete,
  type Item,
  type ItemChange,
  itemBytes,
  keysIn,
  memoryItems,
  Put,
  Transaction,
  Update,
  type Values,
  type Write,
} from './items.ts';

const Keys = z.custom<Item>((value) => typeof value === 'object');
const Projected = {
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
};
const Get = z.object({ TableName: z.string(), Key: Keys });
const BatchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Keys) })) });
const Query = z.object({
  TableName: z.string(),
  IndexName: z.string().optional(),
  ConsistentRead: z.boolean().optional(),
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: z.custom<Values>(),
  ExclusiveStartKey: Keys.optional(),
  ScanIndexForward: z.boolean().optional(),
  Limit: z.number().optional(),
  ...Projected,
});
type Query = z.infer<typeof Query>;

const condition = /^(\w+) = (:\w+)(?: AND (\w+) (?:BETWEEN (:\w+) AND (:\w+)|(>=|<=) (:\w+)))?$/;

const named = (expression: string, names: Readonly<Record<string, string>> = {}): string =>
  expression.replace(/#\w+/g, (name) => names[name] ?? name);

/** The partition and the bounds that a condition on keys names. */
const wanted = ({ KeyConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues: values }: Query) => {
  const found = condition.exec(named(KeyConditionExpression, ExpressionAttributeNames));
  if (found === null)
    throw new Error(`The tables in memory do not implement the condition “${KeyConditionExpression}”`);
  const [, name = '', partition = '', sort, from, to, operator, bound = ''] = found;
  const lower = from ?? (operator === '>=' ? bound : undefined);
  const upper = to ?? (operator === '<=' ? bound : undefined);
  const valueAt = (place: string | undefined): AttributeValue | undefined =>
    place === undefined ? undefined : values[place];
  return { name, partition: valueAt(partition)?.S ?? '', sort, from: valueAt(lower), to: valueAt(upper) };
};

/** A page of a query ends with the item that makes it as large. */
const pageBytes = 1024 * 1024;

/** Answers a query over these items of the table. */
const pageOf = (table: Table, items: readonly Item[], query: Query) => {
  const {
    IndexName,
    ExclusiveStartKey: start,
    ScanIndexForward: isForward = true,
    Limit = Number.POSITIVE_INFINITY,
  } = query;
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

  const Items: Item[] = [];
  let bytes = 0;
  for (const item of matching) {
    if (bytes >= pageBytes || Items.length >= Limit) break;
    Items.push(item);
    bytes += itemBytes(item);
  }
  const last = Items.at(-1);
  const isPartial = last !== undefined && (bytes >= pageBytes || Items.length >= Limit);
  const startKey = (item: Item): Item => ({ ...keysIn(item, table.key), ...(index && keysIn(item, index.key)) });
  return {
    Items: Items.map((item) => projected(item, query)),
    Count: Items.length,
    ScannedCount: Items.length,
    ...(isPartial && { LastEvaluatedKey: startKey(last) }),
  };
};

const projected = (item: Item, { ProjectionExpression, ExpressionAttributeNames }: Query): Item => {
  if (ProjectionExpression === undefined) return item;
  const names = named(ProjectionExpression, ExpressionAttributeNames).split(', ');
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
};

/** DynamoDB’s limits of a request. */
const maxTransactionRows = 100;
const maxTransactionBytes = 4 * 1024 * 1024;
const maxBatchRows = 25;
const maxBatchKeys = 100;
const maxBatchReadBytes = 16 * 1024 * 1024;

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

/**
 * Tables in memory that answer the requests of our functions as DynamoDB does, its limits included. `onChange` receives
 * every change in order.
 */
export const memoryDynamodb = (tables: Readonly<Record<string, Table>>, onChange: (change: ItemChange) => void) => {
  const { found, keyOf, holds, isStorable, apply, partition, all, expire } = memoryItems(tables, onChange);

  const put = ({ TableName: table, Item: item, ...rest }: z.infer<typeof Put>): Write => ({
    table,
    keys: keyOf(table, item),
    ...conditionOf(rest),
    next: () => item,
  });
  const removal = ({ TableName: table, Key: keys, ...rest }: z.infer<typeof Delete>): Write => ({
    table,
    keys,
    ...conditionOf(rest),
    next: () => undefined,
  });
  const shown = (write: Write): { readonly Item?: Item } => {
    const item = write.showsItem ? found(write) : undefined;
    return item === undefined ? {} : { Item: item };
  };
  const areDistinct = (writes: readonly Write[]): boolean =>
    new Set(writes.map(({ table, keys }) => JSON.stringify([table, keys]))).size === writes.length;

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

  const tableOf = (name: string): Table => {
    const table = tables[name];
    if (table === undefined) throw new Error(`There is no table ${name} in memory`);
    return table;
  };
  const itemAt = (table: string, Key: Item): Item | undefined =>
    found({ table, keys: keyOf(table, Key), next: () => undefined });

  const operations: Readonly<Record<string, Operation>> = {
    PutItem: operation(dynamodb, Put, (input) => single(put(input))),
    DeleteItem: operation(dynamodb, Delete, (input) => single(removal(input))),
    UpdateItem: operation(dynamodb, Update, ({ UpdateExpression, ...input }) => {
      const { Key: keys, ExpressionAttributeValues: values = {} } = input;
      return single({ ...removal(input), next: (item = keys) => applyUpdate(UpdateExpression, item, values) });
    }),
    TransactWriteItems: operation(dynamodb, Transaction, ({ TransactItems }) =>
      allOrNothing(
        TransactItems.flatMap(({ Put: item, Delete: key }) => [
          ...(item ? [put(item)] : []),
          ...(key ? [removal(key)] : []),
        ]),
      ),
    ),
    BatchWriteItem: operation(dynamodb, Batch, ({ RequestItems }) =>
      eachAlone(
        Object.entries(RequestItems).flatMap(([TableName, requests]) =>
          requests.flatMap(({ PutRequest, DeleteRequest }) => [
            ...(PutRequest ? [put({ TableName, ...PutRequest })] : []),
            ...(DeleteRequest ? [removal({ TableName, ...DeleteRequest })] : []),
          ]),
        ),
      ),
    ),
    GetItem: operation(dynamodb, Get, ({ TableName, Key }) => result(dynamodb, { Item: itemAt(TableName, Key) })),
    BatchGetItem: operation(dynamodb, BatchGet, ({ RequestItems }) => {
      const keys = Object.entries(RequestItems).flatMap(([name, { Keys }]) => Keys.map((key) => ({ name, key })));
      const names = new Set(keys.map(({ name, key }) => JSON.stringify([name, keyOf(name, key)])));
      if (keys.length > maxBatchKeys || names.size < keys.length) return rejection('ValidationException');
      let left = maxBatchReadBytes;
      const read = keys.map(({ name, key }) => {
        const item = itemAt(name, key) ?? {};
        left -= itemBytes(item);
        return { name, key, item, isRead: left >= 0 };
      });
      const byTable = <Of>(found: typeof read, of: (one: (typeof read)[number]) => Of) =>
        Object.entries(Object.groupBy(found, ({ name }) => name)).map(
          ([name, ones = []]) => [name, ones.map(of)] as const,
        );
      const found = read.filter(({ isRead, item }) => isRead && Object.keys(item).length > 0);
      const unread = read.filter(({ isRead }) => !isRead);
      return result(dynamodb, {
        Responses: Object.fromEntries(byTable(found, ({ item }) => item)),
        UnprocessedKeys: Object.fromEntries(byTable(unread, ({ key }) => key).map(([name, Keys]) => [name, { Keys }])),
      });
    }),
    Query: operation(dynamodb, Query, (input) => {
      const { TableName, IndexName } = input;
      // An index lags behind its table, so DynamoDB reads none consistently.
      if (IndexName !== undefined && input.ConsistentRead) return rejection('ValidationException');
      const items = IndexName === undefined ? partition(TableName, wanted(input).partition) : all(TableName);
      return result(dynamodb, pageOf(tableOf(TableName), items, input));
    }),
  };

  const handle: Handle = awsJson(dynamodb, operations);
  return { handle, items: all, expire };
};

const conditionOf = (
  input: Pick<
    z.infer<typeof Put>,
    'ConditionExpression' | 'ExpressionAttributeValues' | 'ReturnValuesOnConditionCheckFailure'
  >,
): Pick<Write, 'condition' | 'values' | 'showsItem'> => ({
  condition: input.ConditionExpression,
  values: input.ExpressionAttributeValues,
  showsItem: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
});
