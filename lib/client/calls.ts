import * as z from 'zod';
import { partitionKey, rowKey } from '../calls/call-keys.ts';
import type { Call, CallParticipant, ListedCall } from '../contract/rows.ts';
import { contentHash } from '../core/content-hash.ts';
import { instant } from '../schema/field.ts';
import { instantFrom, numberFrom } from './arguments.ts';
import { readCall, readCallParticipant, readListedCall } from './row-readers.ts';
import { allRows, type Item, marshalled, type QueryKey, type TableReader, tableKey } from './table-reader.ts';

/** Everything that is known of a call. */
export interface CallDetails {
  readonly legs: readonly Call[];
  readonly participants: readonly CallParticipant[];
}

/**
 * Which part of a list of calls is wanted, by `listedAt`: the start of the call, else its end, else its first receipt. An
 * end is a Date or an ISO instant with its zone, and is included; without it the list is open.
 */
export interface CallRange {
  readonly from?: Date | string | undefined;
  readonly to?: Date | string | undefined;
}

/** A page of a list, and where the next one begins; no `next` after the last. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next: string | undefined;
}

/**
 * A list of calls, newest first, that is read as it is walked along. It has an entry for each leg of a call, all of which
 * have its `callId`.
 */
export interface CallList extends AsyncIterable<ListedCall> {
  /**
   * The same by pages, one request each, of up to `size` calls (1 to 1,000; DynamoDB ends a page at 1 MB). They begin at
   * the newest call, or where a page of this list said that the next one does: `cursor` is its `next`, which names no
   * customer and does not expire. An empty list is one page without calls.
   */
  readonly pages: (size: number, cursor?: string) => AsyncIterable<CallPage>;
}

/** A range by instants as rows hold them; either end may be open. */
export interface InstantRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Throws a TypeError if an end is no instant, and a RangeError if the range ends before it begins. */
export const rangeFrom = ({ from, to }: CallRange): InstantRange => {
  const range = {
    from: from === undefined ? undefined : instantFrom('from', from),
    to: to === undefined ? undefined : instantFrom('to', to),
  };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    throw new RangeError('from, to: expected a range that does not end before it begins.');
  return range;
};

/** A call's legs and participants by one query; undefined if nothing is known of it. */
export const readCallDetails = async (
  table: TableReader,
  account: string,
  callId: string,
): Promise<CallDetails | undefined> => {
  const rows = await allRows(table, { ...tableKey, partition: partitionKey(account, callId) });
  const ofKind = (kind: 'call' | 'participant') => {
    const { sk: prefix } = rowKey({ kind, account, callId, part: '' });
    return rows.filter(({ sk }) => String(sk).startsWith(prefix));
  };
  const legs = ofKind('call').map(readCall);
  const participants = ofKind('participant').map(readCallParticipant);
  return legs.length + participants.length === 0 ? undefined : { legs, participants };
};

/** A list of calls: an index, and what is looked up in it. */
export interface CallQuery extends QueryKey {
  readonly index: string;
  readonly partition: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), instant]);
const LastRow = z.object({ pk: z.string(), sk: z.string(), listedAt: instant });

/**
 * Tells lists apart by accident, and is too short to find out a customer's number from: cursors are kept in addresses and
 * logs, so the number itself is not in them.
 */
const queryHash = ({ index, partition }: CallQuery): string => contentHash([index, partition]).slice(0, 6);

/** Where a list goes on after its last row that was read. */
export const cursorAfter = (list: CallQuery, row: unknown): string => {
  const { pk, sk, listedAt } = LastRow.parse(row);
  return Buffer.from(JSON.stringify([queryHash(list), pk, sk, listedAt])).toString('base64url');
};

/** The key that a cursor means. Throws a RangeError if it is none, or one of another list. */
export const keyAfter = (list: CallQuery, cursor: string): Item => {
  const [name, pk, sk, listedAt] = parseCursor(cursor);
  if (name !== queryHash(list)) throw new RangeError('cursor: expected one of this very list, not of another.');
  if ((list.from !== undefined && listedAt < list.from) || (list.to !== undefined && listedAt > list.to))
    throw new RangeError('cursor: expected one of this list within the same range of time.');
  return marshalled({ pk, sk, [list.key.partition]: list.partition, [list.key.sort]: listedAt });
};

const parseCursor = (cursor: string): z.infer<typeof Cursor> => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new RangeError('cursor: expected the `next` of a page, as it was.');
  }
};

const pageSize = { least: 1, most: 1000, isWhole: true };

/** Some 100 KB: who stops after a few calls has not paid for thousands. */
const defaultPageSize = 100;

/** A list of calls, newest first. Nothing is read before it is walked along. */
export const callList = (table: TableReader, list: CallQuery): CallList => ({
  pages(size, cursor) {
    const limit = numberFrom('size', size, pageSize);
    return pagesOf(table, list, { limit, after: cursor === undefined ? undefined : keyAfter(list, cursor) });
  },
  async *[Symbol.asyncIterator](): AsyncGenerator<ListedCall, void> {
    for await (const { calls } of pagesOf(table, list, { limit: defaultPageSize, after: undefined })) yield* calls;
  },
});

/**
 * One page for each request. DynamoDB tells that a list is over by a last answer without rows, which is a page only if it
 * is the first.
 */
async function* pagesOf(
  table: TableReader,
  list: CallQuery,
  portion: { readonly limit: number; readonly after: ReturnType<typeof keyAfter> | undefined },
): AsyncGenerator<CallPage, void> {
  let { after } = portion;
  let isFirst = true;
  do {
    const { rows, next } = await table.portion({ ...list, isBackwards: true }, { limit: portion.limit, after });
    const last = rows.at(-1);
    if (isFirst || last !== undefined)
      yield { calls: rows.map(readListedCall), next: next && last && cursorAfter(list, last) };
    isFirst = false;
    after = next;
  } while (after !== undefined);
}
