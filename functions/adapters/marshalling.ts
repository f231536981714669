import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Facts } from '../../lib/core/objects.ts';

/** A row as DynamoDB takes it. */
export type Item = Record<string, AttributeValue>;

/** Numbers in our rows are counts and seconds, never ids, so a JavaScript number holds them. */
export const marshalled = (row: Facts): Item => marshall(row, { removeUndefinedValues: true });

/** A row as our code reads it. */
export const unmarshalled = (item: Item): Facts => unmarshall(item);
