import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Key, Table } from '../../../lib/storage/tables.ts';

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
export const conditionHolds = (condition: string | undefined, item: Item | undefined, values: Values = {}): boolean =>
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

/** `SET a = :a, b = :b`, `ADD c :c`, or both. */
const clausesOf = (expression: string) => {
  const [, set, add, added = ''] = /^(?:SET (.+?))?(?:\s*ADD (\w+) (:\w+))?$/.exec(expression) ?? [];
  if (set === undefined && add === undefined) throw unknown(expression);
  return { set, add, added };
};

export const applyUpdate = (expression: string, item: Item, values: Values): Item => {
  const { set, add, added } = clausesOf(expression);
  return {
    ...item,
    ...(set !== undefined && assigned(set, values)),
    ...(add !== undefined && { [add]: { N: String(Number(item[add]?.N ?? 0) + Number(values[added]?.N)) } }),
  };
};

export const updatedAttributes = (expression: string, item: Item = {}): Item => {
  const { set = '', add = '' } = clausesOf(expression);
  const names = [...set.split(',').map((assignment) => assignment.split('=')[0]?.trim()), add];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
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
export const Update = Delete.extend({ UpdateExpression: z.string(), ReturnValues: z.enum(['UPDATED_NEW']).optional() });
export const keysIn = (item: Item, { partition, sort }: Key): Item =>
  Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((name) => [name, item[name] ?? { S: '' }]));

export interface Place {
  readonly table: string;
  readonly keys: Item;
}

/** A row that a request puts, or the key of one that it removes. */
export interface RequestWrite {
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
