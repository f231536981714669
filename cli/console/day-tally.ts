import { isMissed, type ListedCall } from '../../lib/client/index.ts';
import { isInbound } from '../../lib/contract/rules.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { justBefore } from '../../lib/core/time.ts';
import { firstPage } from '../call-list.ts';
import type { AccountDay } from '../reader.ts';
import type { ShownAccount } from './accounts.ts';

/**
 * Calls of a quarter of an hour: milliseconds since the epoch at which it begins, customers' calls that were answered and
 * missed, and all others.
 */
export type Quarter = readonly [ms: number, answered: number, missed: number, others: number];

const quarterMs = 900_000;

/** Calls in a page of the count. */
const pageSize = 1_000;

/** The newest calls of a day that are counted, and the days, so that memory stays flat. */
const [maxCounted, maxDays] = [100_000, 4];

/** A call is posted when it is over, but listed at its start: among calls that were read before. These begin so far back. */
const recountMs = 1_800_000;

/** The count of a day's calls, as far back as it was read. */
export interface Tally {
  /** Of each call the number of its quarter of an hour since the epoch, times four, and its outcome: a list would take more. */
  readonly calls: Map<string, number>;
  /** Where the next page begins; undefined for the newest. */
  cursor: string | undefined;
  /** Earlier calls are not counted. */
  countedFrom: string;
  /** Whether the day was read, back to its start or as far as calls are counted. */
  isRead: boolean;
  /** When the newest page was last counted, in milliseconds since the epoch. */
  beganMs: number;
}

/** The count of days, and what is left to count: the day once, and its last half hour until the calls of that are over. */
export const dayTallies = (clock: () => Date) => {
  const tallies = new Map<string, Tally>();
  return {
    /** The day's tally with these calls counted. */
    of({ account }: ShownAccount, { day, end }: AccountDay, calls: readonly ListedCall[]): Tally {
      const key = `${account} ${day}`;
      const tally = tallies.get(key) ?? {
        calls: new Map(),
        cursor: undefined,
        countedFrom: end,
        isRead: false,
        beganMs: 0,
      };
      keepLatest(tallies, key, tally, maxDays);
      for (const call of calls) count(tally, call);
      forgetOldest(tally);
      return tally;
    },
    isDue: ({ isRead, cursor, beganMs }: Tally, { end }: AccountDay): boolean =>
      !isRead || cursor !== undefined || beganMs < Date.parse(end) + recountMs,
    /** Counts the next page. */
    async readOlder({ client }: ShownAccount, { start, end }: AccountDay, tally: Tally): Promise<void> {
      const nowMs = clock().getTime();
      const wasRead = tally.isRead;
      if (tally.cursor === undefined) tally.beganMs = nowMs;
      const older = await firstPage(client.calls({ from: start, to: justBefore(end) }).pages(pageSize, tally.cursor));
      const reached = older.next === undefined ? start : (older.calls.at(-1)?.listedAt ?? start);
      // Another tab of the browser may have read further meanwhile.
      if (!tally.isRead && reached < tally.countedFrom) tally.countedFrom = reached;
      for (const call of older.calls) count(tally, call);
      forgetOldest(tally);
      tally.isRead ||= older.next === undefined;
      const isPast = wasRead ? Date.parse(reached) < Math.min(nowMs, Date.parse(end)) - recountMs : tally.isRead;
      tally.cursor = isPast ? undefined : older.next;
    },
  };
};

/** Drops the earliest quarters of an hour beyond the most calls that are counted, but never the only one. */
const forgetOldest = (tally: Tally): void => {
  const { calls } = tally;
  while (calls.size > maxCounted) {
    const quarters = new Set([...calls.values()].map(quarterOf));
    if (quarters.size < 2) return;
    const oldest = Math.min(...quarters);
    for (const [callId, counted] of calls) if (quarterOf(counted) === oldest) calls.delete(callId);
    tally.countedFrom = new Date((oldest + 1) * quarterMs).toISOString();
    tally.isRead = true;
  }
};

const count = ({ calls, countedFrom, isRead }: Tally, call: ListedCall): void => {
  if (isRead && call.listedAt < countedFrom) return;
  const quarter = Math.floor(Date.parse(call.listedAt) / quarterMs);
  const answered = isInbound(call) && call.status === 'answered' ? 1 : 3;
  calls.set(call.callId, 4 * quarter + (isMissed(call) ? 2 : answered));
};

const quarterOf = (counted: number): number => Math.floor(counted / 4);

/** The tally by quarter of an hour. */
export const quartersOf = ({ calls }: Tally): readonly Quarter[] => {
  const quarters = new Map<number, [number, number, number, number]>();
  for (const counted of calls.values()) {
    const quarter = quarterOf(counted);
    const counts = quarters.get(quarter) ?? [quarter * quarterMs, 0, 0, 0];
    counts[(counted % 4) as 1 | 2 | 3] += 1;
    quarters.set(quarter, counts);
  }
  return [...quarters.values()].sort(([a], [b]) => a - b);
};
