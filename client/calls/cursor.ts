import * as z from 'zod';
import { type Item, marshalled } from '../../functions/adapters/marshalling.ts';
import { instant } from '../../lib/contract/field.ts';
import { contentHash } from '../../lib/json/canonical-json.ts';
import type { QueryKey } from '../reading/table-keys.ts';

/** A list of calls: an index, and what is looked up in it. */
export interface List extends QueryKey {
  readonly index: string;
  readonly partition: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), instant]);
const Last = z.object({ pk: z.string(), sk: z.string(), listedAt: instant });

/**
 * Tells lists apart by accident, and is too short to find out a customer's number from: cursors are kept in addresses and
 * logs, so the number itself is not in them.
 */
const nameOf = ({ index, partition }: List): string => contentHash([index, partition]).slice(0, 6);

/** Where a list goes on after its last row that was read. */
export const cursorAfter = (list: List, row: unknown): string => {
  const { pk, sk, listedAt } = Last.parse(row);
  return Buffer.from(JSON.stringify([nameOf(list), pk, sk, listedAt])).toString('base64url');
};

/** The key that a cursor means. Throws a RangeError if it is none, or one of another list. */
export const keyAfter = (list: List, cursor: string): Item => {
  const [name, pk, sk, listedAt] = parsed(cursor);
  if (name !== nameOf(list)) throw new RangeError('cursor: expected one of this very list, not of another.');
  if ((list.from !== undefined && listedAt < list.from) || (list.to !== undefined && listedAt > list.to))
    throw new RangeError('cursor: expected one of this list within the same range of time.');
  return marshalled({ pk, sk, [list.key.partition]: list.partition, [list.key.sort]: listedAt });
};

const parsed = (cursor: string): z.infer<typeof Cursor> => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new RangeError('cursor: expected the `next` of a page, as it was.');
  }
};
