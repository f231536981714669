import { wholeCall } from '../../lib/client/day-figures.ts';
import { type CallToCount, isMissed, type ListedCall } from '../../lib/client/index.ts';
import { answeredCalls } from '../../lib/contract/call-counts.ts';
import { keepLatest } from '../../lib/core/collections.ts';
import { matcherOf } from '../../lib/core/patterns.ts';
import { beginOfPeriod, justBefore } from '../../lib/core/time.ts';
import { firstPage } from '../call-list.ts';
import type { AccountDay } from '../reader.ts';
import type { ShownAccount } from './accounts.ts';

/** Calls of a quarter of an hour: when it begins in milliseconds since the epoch, customers' calls by outcome, and all others. */
export type Quarter = readonly [ms: number, answered: number, missed: number, others: number];

/** Where a call counts in the quarters. A whole entry of the list would take five times the memory. */
interface Place {
  readonly quarterMs: number;
  readonly column: 1 | 2 | 3;
}

const isAnswered = matcherOf(answeredCalls);

const placeOf = (call: CallToCount, timeZone: string): Place => ({
  quarterMs: Date.parse(beginOfPeriod(Date.parse(call.listedAt), 15, timeZone)),
  column: isAnswered(wholeCall(call)) ? 1 : isMissed(call) ? 2 : 3,
});

const countsIn = (places: Iterable<Place>): readonly Quarter[] => {
  const quarters = new Map<number, [number, number, number, number]>();
  for (const { quarterMs, column } of places) {
    const quarter = quarters.get(quarterMs) ?? [quarterMs, 0, 0, 0];
    quarter[column] += 1;
    quarters.set(quarterMs, quarter);
  }
  return [...quarters.values()].sort(([a], [b]) => a - b);
};

export const quartersOf = (calls: readonly CallToCount[], timeZone: string): readonly Quarter[] =>
  countsIn(calls.map((call) => placeOf(call, timeZone)));

/** The newest calls of a day that are counted, and the days, so that memory stays flat. */
const [maxCounted, maxDays] = [100_000, 4];

/** A call is posted when it is over, but listed at its start. So the last half hour is counted again until its calls are over. */
const recountMs = 1_800_000;

export class DayTally {
  readonly #day: AccountDay;
  readonly #places = new Map<string, Place>();
  countedFrom: string;
  #isRead = false;
  #cursor: string | undefined;
  #roundBeganMs = 0;

  constructor(day: AccountDay) {
    this.#day = day;
    this.countedFrom = day.end;
  }

  get isDue(): boolean {
    return !this.#isRead || this.#cursor !== undefined || this.#roundBeganMs < Date.parse(this.#day.end) + recountMs;
  }

  quarters(): readonly Quarter[] {
    return countsIn(this.#places.values());
  }

  count(calls: readonly ListedCall[]): void {
    for (const call of calls)
      if (!this.#isRead || call.listedAt >= this.countedFrom)
        this.#places.set(call.callId, placeOf(call, this.#day.timeZone));
    const [oldest, next] = this.#places.size > maxCounted ? this.quarters() : [];
    if (oldest !== undefined && next !== undefined) this.#forget(oldest[0]);
  }

  async readOlder({ client }: ShownAccount, nowMs: number): Promise<void> {
    const { start, end } = this.#day;
    const wasRead = this.#isRead;
    if (this.#cursor === undefined) this.#roundBeganMs = nowMs;
    const pages = client.calls({ from: start, to: justBefore(end) }).pages(1_000, this.#cursor);
    const { calls, next } = await firstPage(pages);
    const reached = next === undefined ? start : (calls.at(-1)?.listedAt ?? start);
    // Another tab of the browser may have read further meanwhile.
    if (!this.#isRead && reached < this.countedFrom) this.countedFrom = reached;
    this.count(calls);
    this.#isRead ||= next === undefined;
    const isOver = wasRead ? Date.parse(reached) < Math.min(nowMs, Date.parse(end)) - recountMs : this.#isRead;
    this.#cursor = isOver ? undefined : next;
  }

  /** Forgets a whole quarter, so that none lacks some of its calls. */
  #forget(oldestMs: number): void {
    for (const [callId, { quarterMs }] of this.#places) if (quarterMs === oldestMs) this.#places.delete(callId);
    this.countedFrom = new Date(oldestMs + 900_000).toISOString();
    this.#isRead = true;
  }
}

export const dayTallies = () => {
  const tallies = new Map<string, DayTally>();
  return ({ account }: ShownAccount, day: AccountDay): DayTally => {
    const key = `${account} ${day.day}`;
    const tally = tallies.get(key) ?? new DayTally(day);
    keepLatest(tallies, key, tally, maxDays);
    return tally;
  };
};
