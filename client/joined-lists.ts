import { firstRecording, recordedInTime } from '../lib/calls/call-keys.ts';
import type { ListedCall } from '../lib/contract/rows.ts';
import { joinedKey, type Row } from '../lib/storage/rows.ts';
import { instantArgument, instantsArgument, numberArgument, type RecordedRange } from './arguments.ts';
import { type CallList, type CallPage, maxPageSize } from './calls.ts';
import { type CallQuery, cursorAfter, isCursorOf, keyAfter } from './cursor.ts';
import { byLateRecording, byTime } from './query-keys.ts';
import { readListedCall } from './read-rows.ts';
import { pages, type TableReader, wholeRows } from './table-reader.ts';

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
const pageSize = 100;

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
    for await (const { rows } of pages(table, { ...query, isBackwards: true }, { limit: pageSize, after }))
      for (const row of query === late ? rows : await recordedInRange(rows)) yield { query, row };
  }

  async function* everyRow(cursor?: string): AsyncGenerator<FoundRow> {
    const isPastLate = cursor !== undefined && isCursorOf(inTime, cursor);
    if (!isPastLate) yield* rowsOf(late, cursor);
    yield* rowsOf(inTime, isPastLate ? cursor : undefined);
  }

  // `keyAfter` throws for a cursor of neither query.
  return foundList(everyRow, (cursor) => keyAfter(isCursorOf(inTime, cursor) ? inTime : late, cursor));
};

const moved = (instant: string | undefined, byMs: number): string | undefined =>
  instant && new Date(Date.parse(instant) + byMs).toISOString();
