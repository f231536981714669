import * as z from 'zod/mini';
import { firstRecording, partitionKey, recordedInTime, sortKeys } from '../lib/calls/call-keys.ts';
import type { Call, CallParticipant, ListedCall } from '../lib/contract/rows.ts';
import { contentHash } from '../lib/core/encoding.ts';
import { instant } from '../lib/storage/field.ts';
import { joinedKey, marshalled, type Row } from '../lib/storage/rows.ts';
import { instantArgument, instantsArgument, numberArgument, type RecordedRange } from './arguments.ts';
import {
  allRows,
  byLateRecording,
  byTime,
  portions,
  type QueryKey,
  readCallParticipant,
  readListedCall,
  readStoredCall,
  type StoredItem,
  type TableReader,
  tableKey,
  wholeRows,
} from './table-reader.ts';

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

/** There are more calls than should be read, and no row was. */
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

/** Cursors end up in URLs and logs. Six characters detect a mistake, and are too few to find the customer's number. */
const queryHash = ({ index, partition, partOf }: CallQuery): string =>
  contentHash([index, partition, ...(partOf === undefined ? [] : [partOf])]).slice(0, 6);

export const cursorAfter = (list: CallQuery, row: Row): string => {
  const { pk, sk } = LastRow.parse(row);
  const at = instant.parse(row[list.key.sort]);
  return Buffer.from(JSON.stringify([queryHash(list), pk, sk, at])).toString('base64url');
};

/** Whether a cursor is of this list. Throws a RangeError if it is none. */
export const isCursorOf = (list: CallQuery, cursor: string): boolean => parseCursor(cursor)[0] === queryHash(list);

/** The place in a list that a cursor names. Throws a RangeError if it is invalid, or of another list. */
export const placeAfter = (list: CallQuery, cursor: string) => {
  const [, pk, sk, at] = parseCursor(cursor);
  if (!isCursorOf(list, cursor)) throw new RangeError('cursor: expected a cursor of this list, not of another.');
  if ((list.from !== undefined && at < list.from) || (list.to !== undefined && at > list.to))
    throw new RangeError('cursor: expected a cursor within the same range of time.');
  return { pk, sk, at };
};

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
 * One page for each request. DynamoDB may end a query with an answer without rows. That is a page only if it is the
 * first one.
 */
async function* pagesOf(
  table: TableReader,
  list: CallQuery,
  portion: { readonly limit: number; readonly after: StoredItem | undefined },
): AsyncGenerator<CallPage, void> {
  let isFirst = true;
  for await (const { rows, next } of portions(table, { ...list, isBackwards: true }, portion)) {
    const last = rows.at(-1);
    if (isFirst || last !== undefined)
      yield { calls: rows.map(readListedCall), next: next && last && cursorAfter(list, last) };
    isFirst = false;
  }
}

const moved = (instant: string | undefined, byMs: number): string | undefined =>
  instant && new Date(Date.parse(instant) + byMs).toISOString();

/** A row of a list, and the query of which its cursor is. */
export interface FoundRow {
  readonly query: CallQuery;
  readonly row: Row;
}

/**
 * The list of what several queries find, in full pages. `rowsAfter` finds the rows behind a cursor; one row more than a page has
 * shows whether there is another. `check` throws for a cursor of another list.
 */
export const foundList = (
  rowsAfter: (cursor?: string, needed?: number) => AsyncIterable<FoundRow>,
  check: (cursor: string) => unknown,
): CallList => {
  async function* fullPages(size: number, cursor: string | undefined): AsyncGenerator<CallPage, void> {
    let page: FoundRow[] = [];
    const toPage = (next?: string): CallPage => ({ calls: page.map(({ row }) => readListedCall(row)), next });
    for await (const found of rowsAfter(cursor, size + 1)) {
      const last = page.length < size ? undefined : page.at(-1);
      if (last !== undefined) {
        yield toPage(cursorAfter(last.query, last.row));
        page = [];
      }
      page.push(found);
    }
    yield toPage();
  }

  return {
    pages(size, cursor) {
      if (cursor !== undefined) check(cursor);
      return fullPages(numberArgument('size', size, maxPageSize), cursor);
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<ListedCall, void> {
      for await (const { row } of rowsAfter()) yield readListedCall(row);
    },
  };
};

/** Rows that one request reads: as many as one BatchGetItem takes. */
const portionSize = 100;

/**
 * The calls that were first recorded in a range, each list newest first. The late ones come first, by their recording;
 * then those that were recorded in time, by their start. A list of calls does not show when a call was recorded, so
 * each call that may have been recorded in time is read. Reads nothing before it is iterated.
 *
 * Throws a TypeError for what is not an instant, and a RangeError if the range ends before it begins, or if there is
 * another limit.
 */
export const recordedCallList = (
  table: TableReader,
  account: string,
  { recordedFrom, recordedTo, ...others }: RecordedRange,
): CallList => {
  if (Object.values(others).some((other) => other !== undefined))
    throw new RangeError('recordedFrom, recordedTo: expected no limit of another kind beside them.');
  const range = instantsArgument(
    ['recordedFrom', instantArgument('recordedFrom', recordedFrom)],
    ['recordedTo', recordedTo],
  );
  const { afterMs, beforeMs } = recordedInTime;
  const part = { partition: joinedKey(account), partOf: 'recorded' };
  const late: CallQuery = { ...byLateRecording, ...part, ...range };
  /** The calls whose start lets them be in the range, if they were recorded in time. */
  const inTime = { ...byTime, ...part, from: moved(range.from, -afterMs), to: moved(range.to, beforeMs) };

  const isWithin = (at: string | undefined): boolean =>
    at !== undefined && at >= (range.from ?? at) && at <= (range.to ?? at);

  const recordedInRange = async (listed: readonly Row[]): Promise<readonly Row[]> => {
    const rows = await wholeRows(table, listed);
    // A row that has left the list meanwhile has expired. One that is late is in the other query.
    const recorded = new Map(
      rows.filter((row) => !('lateCalls' in row)).map((row) => [row['pk'], firstRecording(row)]),
    );
    return listed
      .map((row) => ({ ...row, firstRecordedAt: recorded.get(row['pk']) }))
      .filter(({ firstRecordedAt }) => isWithin(firstRecordedAt));
  };

  async function* rowsOf(query: CallQuery, cursor?: string): AsyncGenerator<FoundRow> {
    const after = cursor === undefined ? undefined : keyAfter(query, cursor);
    for await (const { rows } of portions(table, { ...query, isBackwards: true }, { limit: portionSize, after }))
      for (const row of query === late ? rows : await recordedInRange(rows)) yield { query, row };
  }

  async function* everyRow(cursor?: string): AsyncGenerator<FoundRow> {
    const isPastLate = cursor !== undefined && isCursorOf(inTime, cursor);
    if (!isPastLate) yield* rowsOf(late, cursor);
    yield* rowsOf(inTime, isPastLate ? cursor : undefined);
  }

  // The first query checks a cursor that is of neither.
  return foundList(everyRow, (cursor) => keyAfter(isCursorOf(inTime, cursor) ? inTime : late, cursor));
};
