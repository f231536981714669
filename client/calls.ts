import { partitionKey, sortKeys } from '../lib/calls/call-keys.ts';
import type { Call, CallParticipant, ListedCall } from '../lib/contract/rows.ts';
import type { Row } from '../lib/storage/rows.ts';
import { numberArgument } from './arguments.ts';
import { type CallQuery, cursorAfter, keyAfter } from './cursor.ts';
import { tableKey } from './query-keys.ts';
import { readCallParticipant, readListedCall, readStoredCall } from './read-rows.ts';
import { allRows, pages, type StoredItem, type TableReader } from './table-reader.ts';

export interface CallDetails {
  /** Undefined while only participants of the call have been received. */
  readonly call: Call | undefined;
  readonly participants: readonly CallParticipant[];
}

/** A page of a list. `next` is the cursor of the next page; the last page has none. */
export interface CallPage {
  readonly calls: readonly ListedCall[];
  readonly next: string | undefined;
}

/** The range has more calls than may be read, so none is returned. */
export interface TooManyCalls {
  readonly moreThan: number;
  /** When the oldest of the newest `moreThan` calls started. */
  readonly since: string;
}

/** The most calls of a range that are read, unless somebody asks for more. */
export const defaultMaxCalls = 50_000;

/** A list of calls, newest first, which is read while you iterate. */
export interface CallList extends AsyncIterable<ListedCall> {
  /**
   * The list in pages of up to `size` calls (1 to 1,000), one request each. DynamoDB ends a page at 1 MB. Pages start at the
   * first call, or at `cursor`, which is the `next` of an earlier page. A cursor names no customer and does not expire. An
   * empty list is one page without calls.
   */
  readonly pages: (size: number, cursor?: string) => AsyncIterable<CallPage>;
}

/** Reads a call with one query; undefined if there is none. */
export const readCallDetails = async (
  table: TableReader,
  account: string,
  callId: string,
): Promise<CallDetails | undefined> => {
  const rows = await allRows(table, { ...tableKey, partition: partitionKey(account, callId) });
  const [call] = rows.filter(({ sk }) => sk === sortKeys.call).map(readStoredCall);
  const participants = rows.filter(({ sk }) => String(sk).startsWith(sortKeys.participant)).map(readCallParticipant);
  return call === undefined && participants.length === 0 ? undefined : { call, participants };
};

/** The rows of calls that exist, in any order. */
export const rowsOfCalls = (table: TableReader, account: string, callIds: readonly string[]): Promise<readonly Row[]> =>
  table.rows([...new Set(callIds)].map((callId) => ({ pk: partitionKey(account, callId), sk: sortKeys.call })));

export const readCallRows = async (
  table: TableReader,
  account: string,
  callIds: readonly string[],
): Promise<readonly Call[]> => (await rowsOfCalls(table, account, callIds)).map(readStoredCall);

export const maxPageSize = 1_000;

/** Some 100 KB, so that a caller who stops after a few calls does not pay for thousands. */
export const defaultPageSize = 100;

/** A list of calls, newest first. Reads nothing before it is iterated. */
export const callList = (table: TableReader, list: CallQuery): CallList => ({
  pages(size, cursor) {
    const limit = numberArgument('size', size, maxPageSize);
    return pagesOf(table, list, { limit, after: cursor === undefined ? undefined : keyAfter(list, cursor) });
  },
  async *[Symbol.asyncIterator](): AsyncGenerator<ListedCall, void> {
    for await (const { calls } of pagesOf(table, list, { limit: defaultPageSize, after: undefined })) yield* calls;
  },
});

/**
 * One page for each request. DynamoDB may answer without rows, and with more behind that, or at the end. It is a page only
 * if the whole list is empty.
 */
async function* pagesOf(
  table: TableReader,
  list: CallQuery,
  request: { readonly limit: number; readonly after: StoredItem | undefined },
): AsyncGenerator<CallPage, void> {
  let isFirst = true;
  for await (const { rows, next } of pages(table, { ...list, isBackwards: true }, request)) {
    const last = rows.at(-1);
    if (last === undefined && next !== undefined) continue;
    if (isFirst || last !== undefined)
      yield { calls: rows.map(readListedCall), next: next && last && cursorAfter(list, last) };
    isFirst = false;
  }
}
