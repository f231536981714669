import type { Key } from '../../lib/contract/tables.ts';
import type { Item } from './dynamodb-expressions.ts';

/** The key of an item of a table. */
export const keysIn = (item: Item, { partition, sort }: Key): Item =>
  Object.fromEntries([partition, ...(sort === undefined ? [] : [sort])].map((name) => [name, item[name] ?? { S: '' }]));
