import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Row, RowKey } from './rows.ts';

/** A row as DynamoDB sends and takes it. */
export type Item = Record<string, AttributeValue>;

/** A row as DynamoDB takes it, without what is undefined. Throws for a number that JavaScript does not hold exactly. */
export const marshalled = (row: Row): Item => marshall(row, { removeUndefinedValues: true });

/** The key alone, of a row or of a key. */
export const keyItem = ({ pk, sk }: RowKey): Item => marshalled({ pk, sk });

/**
 * A row as our code reads it. Numbers in our rows are counts and seconds, never ids, so a JavaScript number holds them. One
 * that somebody else added, and that is too long for it, is rounded: as a bigint it would stop whatever makes JSON of the row.
 */
export const unmarshalled = (item: Readonly<Item>): Row => unmarshall(item, { wrapNumbers: Number });
