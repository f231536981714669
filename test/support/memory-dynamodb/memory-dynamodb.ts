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

/** The items of tables with these declarations; `onChange` is told every change in its order. */
const memoryItems = (tables: Readonly<Record<string, Table>>, onChange: (change: ItemChange) => void) => {
  const stored = new Map(Object.keys(tables).map((name) => [name, new Map<string, Item>()]));
  const nameOf = (keys: Item): string => JSON.stringify(Object.values(keys).map(({ S }) => S));
  const found = ({ table, keys }: Write): Item | undefined => stored.get(table)?.get(nameOf(keys));

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
      [...(stored.get(table)?.values() ?? [])].sort(
        (a, b) => compareBytes(a['pk'], b['pk']) || compareBytes(a['sk'], b['sk']),
      ),
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
  /** Takes items away as time to live does. */
  readonly expire: (table: string, isOver: (item: Item) => boolean) => void;
}

/** A refusal that tells more than its type and message. */
const rejection = (type: string, more: object): Answer => ({
  ...failure(dynamodb, 400, type, ''),
  body: JSON.stringify({ __type: `${dynamodb.namespace}#${type}`, message: type, ...more }),
});

/** Tables of these declarations; `onChange` is told every change in its order. */
export const memoryDynamodb = (
  tables: Readonly<Record<string, Table>>,
  onChange: (change: ItemChange) => void,
): MemoryDynamodb => {
  const { found, keyOf, holds, isStorable, apply, expire, all } = memoryItems(tables, onChange);

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
    if (!writes.every(isStorable)) return rejection('ValidationException', {});
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
      for (const [TableName, requests] of Object.entries(RequestItems))
        for (const { PutRequest, DeleteRequest } of requests) {
          if (PutRequest) apply(put({ TableName, ...PutRequest }));
          if (DeleteRequest) apply(removal({ TableName, ...DeleteRequest }));
        }
      return result(dynamodb, { UnprocessedItems: {} });
    }),
    Query: operation(dynamodb, Query, ({ TableName, ExpressionAttributeValues: values }) => {
      const { ':pk': pk, ':from': from, ':to': to } = values;
      const isWithin = (sk: AttributeValue | undefined) =>
        from === undefined || (compareBytes(from, sk) <= 0 && compareBytes(sk, to) <= 0);
      const Items = all(TableName).filter((item) => item['pk']?.S === pk?.S && isWithin(item['sk']));
      return result(dynamodb, { Items, Count: Items.length });
    }),
  });

  return { handle, items: all, expire };
};
