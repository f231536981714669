import * as z from 'zod/mini';
import { partitionKey, sortKeys } from '../calls/call-keys.ts';
import type { Call, CallParticipant, ListedCall } from '../contract/rows.ts';
import { contentHash } from '../core/encoding.ts';
import { justBefore } from '../core/time.ts';
import { instant } from '../storage/field.ts';
import { marshalled, type Row } from '../storage/rows.ts';
import { dayFrom, instantFrom, numberFrom } from './arguments.ts';
import { readCall, readCallParticipant, readListedCall } from './row-readers.ts';
import { allRows, type Item, portions, type QueryKey, type TableReader, tableKey } from './table-reader.ts';

export interface CallDetails {
  /** Undefined while only participants of the call have been received. */
  readonly call: Call | undefined;
  readonly participants: readonly CallParticipant[];
}

/**
 * Limits a list of calls by `listedAt`: the start of the call, else its end, else its first receipt. Both limits are
 * inclusive and optional. Each is a Date, or an ISO instant with its zone.
 */
export interface CallRange {
  readonly from?: Date | string | undefined;
  readonly to?: Date | string | undefined;
}

/**
 * Limits a list to the calls that started on a day, such as 2026-11-21. The day is one of an IANA time zone, mostly the
 * account's.
 */
export interface CallDay {
  readonly day: string;
  readonly timeZone: string;
}

/** A page of a list. `next` is the cursor of the next page; the last page has none. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next: string | undefined;
}

/** A list of calls, newest first, which is read while you iterate. */
export interface CallList extends AsyncIterable<ListedCall> {
  /**
   * The list in pages of up to `size` calls (1 to 1,000), one request each. DynamoDB ends a page at 1 MB. Pages start at the
   * first call, or at `cursor`, which is the `next` of an earlier page. A cursor names no customer and does not expire. An
   * empty list is one page without calls.
   */
  readonly pages: (size: number, cursor?: string) => AsyncIterable<CallPage>;
}

export interface InstantRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Converts a range or a day. Throws a TypeError for what is not an instant. Throws a RangeError for an unknown day or
 * zone, for a day together with a range, and for a range that ends before it begins.
 */
export const rangeFrom = (range: CallRange | CallDay): InstantRange => {
  const { from, to, day, timeZone }: CallRange & Partial<CallDay> = range;
  if (day === undefined && timeZone === undefined) return instantsFrom(['from', from], ['to', to]);

  if (from !== undefined || to !== undefined)
    throw new RangeError('day, from, to: expected a day or a range, not both.');
  const { start, end } = dayFrom(day ?? '', timeZone ?? '');
  return { from: start, to: justBefore(end) };
};

export const instantsFrom = (
  [fromName, first]: readonly [string, Date | string | undefined],
  [toName, last]: readonly [string, Date | string | undefined],
): InstantRange => {
  const from = first === undefined ? undefined : instantFrom(fromName, first);
  const to = last === undefined ? undefined : instantFrom(toName, last);
  if (from !== undefined && to !== undefined && from > to)
    throw new RangeError(`${fromName}, ${toName}: expected a range that does not end before it begins.`);
  return { from, to };
};

/** Reads a call with one query; undefined if there is none. */
export const readCallDetails = async (
  table: TableReader,
  account: string,
  callId: string,
): Promise<CallDetails | undefined> => {
  const rows = await allRows(table, { ...tableKey, partition: partitionKey(account, callId) });
  const [call] = rows.filter(({ sk }) => sk === sortKeys.call).map(readCall);
  const participants = rows.filter(({ sk }) => String(sk).startsWith(sortKeys.participant)).map(readCallParticipant);
  return call === undefined && participants.length === 0 ? undefined : { call, participants };
};

export const readCallRows = async (
  table: TableReader,
  account: string,
  callIds: readonly string[],
): Promise<readonly Call[]> => {
  const keys = [...new Set(callIds)].map((callId) => ({ pk: partitionKey(account, callId), sk: sortKeys.call }));
  return (await table.rows(keys)).map(readCall);
};

export interface CallQuery extends QueryKey {
  readonly index: string;
  readonly partition: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Tells a list that consists of several queries from those with one of the same queries. */
  readonly partOf?: string;
}

const Cursor = z.tuple([z.string(), z.string(), z.string(), instant]);
const LastRow = z.object({ pk: z.string(), sk: z.string() });

/**
 * Identifies the list that a cursor belongs to. Cursors end up in URLs and logs, so it must not reveal the customer's
 * number. Six characters detect a mistake, and are too few to find the number by trying.
 */
const queryHash = ({ index, partition, partOf }: CallQuery): string =>
  contentHash([index, partition, ...(partOf === undefined ? [] : [partOf])]).slice(0, 6);

export const cursorAfter = (list: CallQuery, row: Row): string => {
  const { pk, sk } = LastRow.parse(row);
  const at = instant.parse(row[list.key.sort]);
  return Buffer.from(JSON.stringify([queryHash(list), pk, sk, at])).toString('base64url');
};

/** Whether a cursor is of this list. Throws a RangeError if it is none. */
export const isCursorOf = (list: CallQuery, cursor: string): boolean => parseCursor(cursor)[0] === queryHash(list);

/** The key of a cursor. Throws a RangeError if it is invalid, or of another list. */
export const keyAfter = (list: CallQuery, cursor: string): Item => {
  const [, pk, sk, at] = parseCursor(cursor);
  if (!isCursorOf(list, cursor)) throw new RangeError('cursor: expected a cursor of this list, not of another.');
  if ((list.from !== undefined && at < list.from) || (list.to !== undefined && at > list.to))
    throw new RangeError('cursor: expected a cursor within the same range of time.');
  return marshalled({ pk, sk, [list.key.partition]: list.partition, [list.key.sort]: at });
};

const parseCursor = (cursor: string): z.infer<typeof Cursor> => {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw new RangeError('cursor: expected the unchanged `next` of a page.');
  }
};

export const pageSize = { min: 1, max: 1000, isWhole: true };

/** Some 100 KB, so that a caller who stops after a few calls does not pay for thousands. */
const defaultPageSize = 100;

/** A list of calls, newest first. Reads nothing before it is iterated. */
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
 * One page for each request. DynamoDB may end a query with an answer without rows. That is a page only if it is the
 * first one.
 */
async function* pagesOf(
  table: TableReader,
  list: CallQuery,
  portion: { readonly limit: number; readonly after: ReturnType<typeof keyAfter> | undefined },
): AsyncGenerator<CallPage, void> {
  let isFirst = true;
  for await (const { rows, next } of portions(table, { ...list, isBackwards: true }, portion)) {
    const last = rows.at(-1);
    if (isFirst || last !== undefined)
      yield { calls: rows.map(readListedCall), next: next && last && cursorAfter(list, last) };
    isFirst = false;
  }
}
