import { firstRecording, recordedInTime } from '../calls/call-keys.ts';
import type { ListedCall } from '../contract/rows.ts';
import { joinedKey, type Row } from '../storage/rows.ts';
import { instantFrom, numberFrom } from './arguments.ts';
import {
  type CallDay,
  type CallList,
  type CallPage,
  type CallQuery,
  type CallRange,
  cursorAfter,
  type InstantRange,
  instantsFrom,
  isCursorOf,
  keyAfter,
  pageSize,
} from './calls.ts';
import { readListedCall } from './row-readers.ts';
import { byLateRecording, byTime, portions, type TableReader, wholeRows } from './table-reader.ts';

/**
 * Limits a list by when calls were first recorded, whatever their start. Both limits are inclusive; `recordedTo` is optional.
 * Each is a Date, or an ISO instant with its zone. A call may appear up to a minute after its recording.
 */
export interface RecordedRange {
  readonly recordedFrom: Date | string;
  readonly recordedTo?: Date | string | undefined;
}

export const isRecordedRange = (range: CallRange | CallDay | RecordedRange): range is RecordedRange =>
  'recordedFrom' in range || 'recordedTo' in range;

interface RecordedQueries {
  readonly range: InstantRange;
  /** The calls that were not recorded in time. */
  readonly late: CallQuery;
  /** The calls whose start lets them be in the range, if they were recorded in time. */
  readonly inTime: CallQuery;
}

/**
 * Converts a range. Throws a TypeError for what is not an instant, and a RangeError if it ends before it begins, or if
 * there is another limit.
 */
export const recordedQueries = (
  account: string,
  { recordedFrom, recordedTo, ...others }: RecordedRange,
): RecordedQueries => {
  if (Object.values(others).some((other) => other !== undefined))
    throw new RangeError('recordedFrom, recordedTo: expected no limit of another kind beside them.');
  const range = instantsFrom(['recordedFrom', instantFrom('recordedFrom', recordedFrom)], ['recordedTo', recordedTo]);
  const part = { partition: joinedKey(account), partOf: 'recorded' };
  const { afterMs, beforeMs } = recordedInTime;
  return {
    range,
    late: { ...byLateRecording, ...part, ...range },
    inTime: { ...byTime, ...part, from: moved(range.from, -afterMs), to: moved(range.to, beforeMs) },
  };
};

const moved = (instant: string | undefined, byMs: number): string | undefined =>
  instant && new Date(Date.parse(instant) + byMs).toISOString();

interface FoundRow {
  readonly query: CallQuery;
  readonly row: Row;
}

/** Rows that one request reads: as many as one BatchGetItem takes. */
const portionSize = 100;

/**
 * The calls that were first recorded in a range, each list newest first. The late ones come first, by their recording;
 * then those that were recorded in time, by their start. A list of calls does not show when a call was recorded, so
 * each call that may have been recorded in time is read. Reads nothing before it is iterated.
 */
export const recordedCallList = (table: TableReader, { range, late, inTime }: RecordedQueries): CallList => {
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

  async function* allRows(cursor?: string): AsyncGenerator<FoundRow> {
    const isPastLate = cursor !== undefined && isCursorOf(inTime, cursor);
    if (!isPastLate) yield* rowsOf(late, cursor);
    yield* rowsOf(inTime, isPastLate ? cursor : undefined);
  }

  async function* pagesOf(size: number, cursor: string | undefined): AsyncGenerator<CallPage, void> {
    let page: FoundRow[] = [];
    const toPage = (next?: string): CallPage => ({ calls: page.map(({ row }) => readListedCall(row)), next });
    for await (const found of allRows(cursor)) {
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
      // The first query checks a cursor that is of neither.
      if (cursor !== undefined) keyAfter(isCursorOf(inTime, cursor) ? inTime : late, cursor);
      return pagesOf(numberFrom('size', size, pageSize), cursor);
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<ListedCall, void> {
      for await (const { row } of allRows()) yield readListedCall(row);
    },
  };
};
