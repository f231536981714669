import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Facts } from '../../lib/core/objects.ts';
import type { RowKey } from '../../lib/schema/versioned-rows.ts';

/** A row in DynamoDB's JSON. */
type Item = Record<string, AttributeValue>;

/** Numbers in our rows are counts and seconds, never ids, so a JavaScript number holds them. */
export const marshalled = (row: Facts): Item => marshall(row, { removeUndefinedValues: true });

/** The key alone, of a row or of a key. */
export const keyItem = ({ pk, sk }: RowKey): Item => marshalled({ pk, sk });

/** A row as our code reads it. */
export const unmarshalled = (item: Item): Facts => unmarshall(item);
