import * as z from 'zod/mini';
import { contentHash } from '../lib/core/encoding.ts';
import { instant } from '../lib/storage/field.ts';
import { marshalled, type Row } from '../lib/storage/rows.ts';
import type { QueryKey } from './query-keys.ts';
import type { StoredItem } from './table-reader.ts';

export interface CallQuery extends QueryKey {
  readonly index: string;
  readonly partition: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Set for a list that joins several queries: its cursors then differ from those of a single query. */
  readonly partOf?: string;
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), instant]);
const LastRow = z.object({ pk: z.string(), sk: z.string() });

/** Cursors end up in URLs and logs. Six characters detect a mistake, and are too few to find the customer's number. */
const queryHash = ({ index, partition, partOf }: CallQuery): string =>
  contentHash([index, partition, ...(partOf === undefined ? [] : [partOf])]).slice(0, 6);

/** The cursor of the page that begins after a row of the list. `keyAfter` reads it. */
export const cursorAfter = (list: CallQuery, row: Row): string => {
  const { pk, sk } = LastRow.parse(row);
  const at = instant.parse(row[list.key.sort]);
  return Buffer.from(JSON.stringify([queryHash(list), pk, sk, at])).toString('base64url');
};

/** Whether a cursor is of this list. Throws a RangeError if it is none. */
export const isCursorOf = (list: CallQuery, cursor: string): boolean => parseCursor(cursor)[0] === queryHash(list);

/** The place in a list that a cursor names. Throws a RangeError if it is invalid, or of another list. */
export const placeAfter = (list: CallQuery, cursor: string) => {
  const [hash, pk, sk, at] = parseCursor(cursor);
  if (hash !== queryHash(list)) throw new RangeError('cursor: expected a cursor of this list, not of another.');
  if ((list.from !== undefined && at < list.from) || (list.to !== undefined && at > list.to))
    throw new RangeError('cursor: expected a cursor within the same range of time.');
  return { pk, sk, at };
};

/** The row after which DynamoDB begins the page of a cursor. Throws as `placeAfter` does. */
export const keyAfter = (list: CallQuery, cursor: string): StoredItem => {
  const { pk, sk, at } = placeAfter(list, cursor);
  return marshalled({ pk, sk, [list.key.partition]: list.partition, [list.key.sort]: at });
};

const parseCursor = (cursor: string): z.infer<typeof Cursor> => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new RangeError('cursor: expected the unchanged `next` of a page.');
  }
};
