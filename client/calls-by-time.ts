import type { ListedCall } from '../lib/contract/rows.ts';
import { secondsBetween } from '../lib/core/time.ts';
import { joinedKey } from '../lib/storage/rows.ts';
import type { InstantRange } from './arguments.ts';
import { callList, defaultMaxCalls, type TooManyCalls } from './calls.ts';
import type { ListRange } from './kept-list.ts';
import type { KeptRecords } from './kept-records.ts';
import { byLateRecording, byTime } from './query-keys.ts';
import type { TableReader } from './table-reader.ts';

/** What is read where each call of a range has to be looked at. */
export interface LookThrough {
  /** How many calls are read at most. Default: 50,000; of a range that ends two days after its start, or earlier, all. */
  readonly maxCalls?: number | undefined;
  /** Gets the number of calls read so far. */
  readonly onProgress?: ((calls: number) => void) | undefined;
}

export const daySeconds = 86_400;

/** A day and what may return its calls, with an hour more as clocks go back: an account of any size asks for that. */
const readWholeSeconds = 2 * daySeconds + 3_600;

/** A range without an end goes on until `now`. */
export const defaultMostCalls = ({ from, to }: InstantRange, now: string): number =>
  from !== undefined && secondsBetween(from, to ?? now) <= readWholeSeconds
    ? Number.POSITIVE_INFINITY
    : defaultMaxCalls;

const pageSize = 1_000;

export interface CallsTable {
  readonly calls: TableReader;
  readonly account: string;
  readonly kept?: KeptRecords | undefined;
}

/** The wanted calls of a range, newest first, at one request for 1,000 calls; of more than `most` only since when so many started. */
export const readCallsByTime = async (
  tables: CallsTable,
  range: ProgressRange,
  isWanted: (call: ListedCall) => boolean,
): Promise<readonly ListedCall[] | TooManyCalls> => {
  const { kept, calls, account } = tables;
  if (kept === undefined) return await readRange(tables, range, isWanted);
  const { onProgress } = range;
  const found = await kept.list(range, {
    inRange: (part) => readRange(tables, { ...part, onProgress }, () => true),
    async recordedLate(from) {
      const late: ListedCall[] = [];
      const list = { ...byLateRecording, partition: joinedKey(account), from, to: undefined };
      for await (const call of callList(calls, list)) late.push(call);
      return late;
    },
  });
  return 'moreThan' in found ? found : found.filter(isWanted);
};

type ProgressRange = ListRange & Pick<LookThrough, 'onProgress'>;

const readRange = async (
  { calls: table, account }: CallsTable,
  range: ProgressRange,
  isWanted: (call: ListedCall) => boolean,
): Promise<readonly ListedCall[] | TooManyCalls> => {
  const { from, to, most, onProgress } = range;
  const wanted: ListedCall[] = [];
  let read = 0;
  let oldest = '';
  const list = callList(table, { ...byTime, partition: joinedKey(account), from, to });
  for await (const { calls } of list.pages(pageSize)) {
    if (read + calls.length > most) return { moreThan: most, since: calls[most - read - 1]?.listedAt ?? oldest };
    wanted.push(...calls.filter(isWanted));
    read += calls.length;
    oldest = calls.at(-1)?.listedAt ?? oldest;
    onProgress?.(read);
  }
  return wanted;
};
