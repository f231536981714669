import type { ListedCall } from '../contract/rows.ts';
import { secondsBetween } from '../core/time.ts';
import { joinedKey } from '../storage/rows.ts';
import type { InstantRange } from './arguments.ts';
import { callList } from './calls.ts';
import { defaultMaxCalls, type TooManyCalls } from './day.ts';
import { byTime, type TableReader } from './table-reader.ts';

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

/** The wanted calls of a range, newest first, at one request for 1,000 calls; of more than `most` only since when so many started. */
export const readCallsByTime = async (
  { calls: table, account }: { readonly calls: TableReader; readonly account: string },
  range: InstantRange & { readonly most: number; readonly onProgress?: LookThrough['onProgress'] },
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
