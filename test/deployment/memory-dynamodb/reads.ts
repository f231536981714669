import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { Key, Table } from '../../../lib/storage/tables.ts';
import { compareBytes, itemBytes } from './memory-items.ts';
import { type Item, keysIn, type Values } from './requests.ts';

const Keys = z.custom<Item>((value) => typeof value === 'object');
const Projected = {
  ProjectionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
};
export const Get = z.object({ TableName: z.string(), Key: Keys });
export const BatchGet = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(Keys) })) });
export const Query = z.object({
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
export type Query = z.infer<typeof Query>;

const condition = /^(\w+) = (:\w+)(?: AND (\w+) (?:BETWEEN (:\w+) AND (:\w+)|(>=|<=) (:\w+)))?$/;

const named = (expression: string, names: Readonly<Record<string, string>> = {}): string =>
  expression.replace(/#\w+/g, (name) => names[name] ?? name);

/** The partition and the bounds that a condition on keys names. */
export const wanted = ({
  KeyConditionExpression,
  ExpressionAttributeNames,
  ExpressionAttributeValues: values,
}: Query) => {
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
export const pageOf = (table: Table, items: readonly Item[], query: Query) => {
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
