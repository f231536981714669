import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { compare } from '../../../lib/core/text.ts';
import type { Key, Table } from '../../../lib/schema/tables.ts';
import { itemBytes, maxItemBytes } from '../../support/dynamodb-limits.ts';
import type { Item } from '../costs/row-writes.ts';
import { answered, type DynamodbAnswer, type DynamodbRequest, rejected } from './threaded-tables.ts';

/** Where a row lies. */
export interface RowKey {
  readonly table: string;
  readonly partition: string;
  readonly sort: string;
}

/** The rows of some tables, partition by partition. */
export interface StoredRows {
  /** Where a row lies, or the one that a key names. Throws for a table that is not known. */
  placeOf(table: string, row: Item): RowKey;
  at(place: RowKey): Item | undefined;
  /** Puts a row, or removes what is there. */
  set(place: RowKey, row: Item | undefined): void;
  /** The rows of a partition in the order of their sort keys. */
  partition(table: string, partition: string): readonly Item[];
  /** Remembers what there is under a name. */
  keep(name: string): void;
  /** Brings back what there was; nothing, if nothing was kept under that name. */
  restore(name: string): void;
}

type Partitions = ReadonlyMap<string, Map<string, Item>>;

/** No rows yet. */
const storedRows = (tables: Readonly<Record<string, Table>>): StoredRows => {
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

/** Whether a row, or that there is none, meets a condition of those that our functions set. Throws for any other. */
const conditionHolds = (condition: string | undefined, row: Item | undefined, values: Item = {}): boolean => {
  if (condition === undefined) return true;

  const [, absent] = /^attribute_not_exists\((\w+)\)$/.exec(condition) ?? [];
  if (absent !== undefined) return row?.[absent] === undefined;

  const [, name = '', value = ''] = /^(\w+) = (:\w+)$/.exec(condition) ?? [];
  if (values[value] === undefined) throw new Error(`The stand-in does not know the condition “${condition}”`);
  return isDeepStrictEqual(row?.[name], values[value]);
};

/** A page ends with the row that makes it as large. */
const pageBytes = 1024 * 1024;

/** The first page of what a query asks for. */
const queryPage = (
  { partition }: StoredRows,
  { TableName, ExpressionAttributeValues: values, ExclusiveStartKey: after }: z.infer<typeof Query>,
) => {
  const { ':pk': pk, ':from': from, ':to': to } = values;
  const asked = partition(TableName, pk.S).filter(({ sk: { S: sk = '' } = {} }) => {
    const isBetween = from === undefined || to === undefined || (from.S <= sk && sk <= to.S);
    return isBetween && (after === undefined || sk > after.sk.S);
  });

  const page: Item[] = [];
  let bytes = 0;
  for (const row of asked) {
    if (bytes >= pageBytes) break;
    page.push(row);
    bytes += itemBytes(row);
  }
  const last = page.at(-1);
  const isCut = last !== undefined && page.length < asked.length;
  return { Items: page, Count: page.length, ...(isCut && { LastEvaluatedKey: { pk: last['pk'], sk: last['sk'] } }) };
};

const Row = z.record(z.string(), z.custom<AttributeValue>());

const Condition = {
  ConditionExpression: z.string().optional(),
  ExpressionAttributeValues: Row.optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};

/** A row that is put where its condition holds. */
const Put = z.strictObject({ TableName: z.string(), Item: Row, ...Condition });

/** A row that is removed where its condition holds. */
const Delete = z.strictObject({ TableName: z.string(), Key: Row, ...Condition });

/** Rows that are put and removed together or not at all. */
const Transaction = z.object({
  TransactItems: z.array(z.union([z.strictObject({ Put }), z.strictObject({ Delete })])),
});

/** Rows that are put and removed each on its own. */
const Batch = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.union([
        z.strictObject({ PutRequest: z.strictObject({ Item: Row }) }),
        z.strictObject({ DeleteRequest: z.strictObject({ Key: Row }) }),
      ]),
    ),
  ),
});

/** The rows of a partition, or those between two sort keys. */
const Query = z.strictObject({
  TableName: z.string(),
  ConsistentRead: z.boolean().optional(),
  KeyConditionExpression: z.enum(['pk = :pk', 'pk = :pk AND sk BETWEEN :from AND :to']),
  ExpressionAttributeValues: z.strictObject({
    ':pk': z.object({ S: z.string() }),
    ':from': z.object({ S: z.string() }).optional(),
    ':to': z.object({ S: z.string() }).optional(),
  }),
  ExclusiveStartKey: z.object({ sk: z.object({ S: z.string() }) }).optional(),
});

/** What DynamoDB takes in one transaction and in one batch. */
const maxTransactionRows = 100;
const maxBatchRows = 25;

/** Tables in memory that answer as DynamoDB does whatever our functions ask; what they never ask throws. */
export interface MemoryTables extends Pick<StoredRows, 'keep' | 'restore'> {
  answer(request: DynamodbRequest): DynamodbAnswer;
}

interface Write {
  readonly place: RowKey;
  readonly row: Item | undefined;
  readonly holds: boolean;
  /** What a refusal shows. */
  readonly shown: { readonly Item?: Item };
}

/** Empty tables of these declarations. */
export const memoryTables = (tables: Readonly<Record<string, Table>>): MemoryTables => {
  const rows = storedRows(tables);

  const writeOf = (asked: z.infer<typeof Put> | z.infer<typeof Delete>): Write => {
    const { TableName, ConditionExpression, ExpressionAttributeValues, ReturnValuesOnConditionCheckFailure } = asked;
    const place = rows.placeOf(TableName, 'Item' in asked ? asked.Item : asked.Key);
    const before = rows.at(place);
    const isShown = before !== undefined && ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    return {
      place,
      row: 'Item' in asked ? asked.Item : undefined,
      holds: conditionHolds(ConditionExpression, before, ExpressionAttributeValues),
      shown: isShown ? { Item: before } : {},
    };
  };

  const apply = (writes: readonly Write[]): DynamodbAnswer => {
    for (const { place, row } of writes) rows.set(place, row);
    return answered({});
  };

  const alone = (write: Write): DynamodbAnswer => {
    if (!isStorable(write)) return rejected('ValidationException');
    return write.holds ? apply([write]) : rejected('ConditionalCheckFailedException', write.shown);
  };

  const together = (writes: readonly Write[]): DynamodbAnswer => {
    const places = new Set(writes.map(({ place }) => JSON.stringify(place)));
    if (places.size < writes.length || writes.length > maxTransactionRows || !writes.every(isStorable))
      return rejected('ValidationException');
    if (writes.every(({ holds }) => holds)) return apply(writes);
    return rejected('TransactionCanceledException', {
      CancellationReasons: writes.map(({ holds, shown }) =>
        holds ? { Code: 'None' } : { Code: 'ConditionalCheckFailed', ...shown },
      ),
    });
  };

  const eachAlone = ({ RequestItems }: z.infer<typeof Batch>): DynamodbAnswer => {
    const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
      requests.map((request) =>
        writeOf({ TableName, ...('PutRequest' in request ? request.PutRequest : request.DeleteRequest) }),
      ),
    );
    const isTaken = writes.length <= maxBatchRows && writes.every(isStorable);
    return isTaken ? apply(writes) : rejected('ValidationException');
  };

  const operations: Readonly<Record<string, (input: unknown) => DynamodbAnswer>> = {
    PutItem: (input) => alone(writeOf(Put.parse(input))),
    TransactWriteItems: (input) =>
      together(Transaction.parse(input).TransactItems.map((one) => writeOf('Put' in one ? one.Put : one.Delete))),
    BatchWriteItem: (input) => eachAlone(Batch.parse(input)),
    Query: (input) => answered(queryPage(rows, Query.parse(input))),
  };

  return {
    keep: rows.keep,
    restore: rows.restore,
    answer({ operation, body }) {
      const run = operations[operation];
      if (run === undefined) throw new Error(`The stand-in does not know ${operation}`);
      return run(JSON.parse(body));
    },
  };
};

const isStorable = ({ row = {} }: Write): boolean => itemBytes(row) <= maxItemBytes;
