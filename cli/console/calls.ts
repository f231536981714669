import * as z from 'zod/mini';
import { type CallList, type CallPage, isMissed, type ListedCall } from '../../lib/client/index.ts';
import { Call, ListedCall as ListedCallRow } from '../../lib/contract/rows.ts';
import { isInbound } from '../../lib/contract/rules.ts';
import { justBefore } from '../../lib/core/time.ts';
import { redacted } from '../output/redact.ts';
import { Problem } from '../problem.ts';
import { type AccountDay, accountDay } from '../reader.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';

/** The filters of a list of calls; absent ones select all. Every text is compared in full. */
export interface CallQuery {
  /** A day in the account's zone, or `today`. */
  readonly day: string;
  /** Only calls listed up to this instant. */
  readonly at?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: string | undefined;
  readonly campaign?: string | undefined;
  readonly skill?: string | undefined;
  readonly agent?: string | undefined;
  readonly customer?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Calls of a quarter of an hour: milliseconds since the epoch at which it begins, customers' calls that were answered and
 * missed, and all others.
 */
export type Quarter = readonly [ms: number, answered: number, missed: number, others: number];

const details = { durationSeconds: true, recordings: true } as const;

/** A call of the list. Its talk time and recordings are of its row: they are absent until that is read. */
const ShownCall = z.extend(ListedCallRow, z.pick(Call, details).shape);
export type ShownCall = z.infer<typeof ShownCall>;

/** A portion of a list of calls, newest first. */
export interface CallsAnswer {
  readonly now: string;
  readonly day: string;
  readonly start: string;
  readonly end: string;
  readonly calls: readonly ShownCall[];
  /** How many calls were read to find these. */
  readonly read: number;
  readonly next: string | undefined;
  /** Absent where the list is one of an agent or a customer. */
  readonly quarters?: readonly Quarter[];
  /** From when on the quarters are counted; the day's start once they are whole. */
  readonly countedFrom?: string;
}

/** Pages of a list without and with filters: with them most calls are left out. */
const [pageSize, searchSize] = [100, 1_000];

/** The newest calls of a day that are counted, the days, and the calls whose details are kept, so that memory stays flat. */
const [maxCounted, maxDays, maxDetails] = [100_000, 4, 5_000];

/** One BatchGetItem. */
const detailsAtOnce = 100;
const quarterMs = 900_000;

/** A call is posted when it is over, but listed at its start: among calls that were read before. These begin so far back. */
const recountMs = 1_800_000;

/** The count of a day's calls, as far back as it was read. */
interface Tally {
  /** Of each call the number of its quarter of an hour since the epoch, times four, and its outcome: a list would take more. */
  readonly calls: Map<string, number>;
  /** Where the next page begins; undefined for the newest. */
  cursor: string | undefined;
  /** Earlier calls are not counted. */
  countedFrom: string;
  /** Whether the day was read, back to its start or as far as calls are counted. */
  isRead: boolean;
}

/** The count of days, and what is left to count of them: the day once, and of today the last half hour again and again. */
const dayTallies = (clock: () => Date) => {
  const tallies = new Map<string, Tally>();
  return {
    /** The day's tally with these calls counted. */
    of({ account }: ShownAccount, { day, end }: AccountDay, calls: readonly ListedCall[]): Tally {
      const key = `${account} ${day}`;
      const tally = tallies.get(key) ?? { calls: new Map(), cursor: undefined, countedFrom: end, isRead: false };
      keepLatest(tallies, key, tally, maxDays);
      for (const call of calls) count(tally, call);
      forgetOldest(tally);
      return tally;
    },
    isDue: ({ isRead }: Tally, { end }: AccountDay): boolean => !isRead || end > clock().toISOString(),
    /** Counts the next page. */
    async readOlder({ client }: ShownAccount, { start, end }: AccountDay, tally: Tally): Promise<void> {
      const { isRead } = tally;
      const older = await firstPage(client.calls({ from: start, to: justBefore(end) }).pages(searchSize, tally.cursor));
      const reached = older.next === undefined ? start : (older.calls.at(-1)?.listedAt ?? start);
      if (!isRead) tally.countedFrom = reached;
      for (const call of older.calls) count(tally, call);
      forgetOldest(tally);
      tally.isRead ||= older.next === undefined;
      const isPast = isRead ? Date.parse(reached) < clock().getTime() - recountMs : tally.isRead;
      tally.cursor = isPast ? undefined : older.next;
    },
  };
};

/** The details of calls, as of their revision. */
const callDetails = () => {
  const known = new Map<string, Pick<ShownCall, keyof typeof details>>();
  const keyOf = (account: string, { callId, revision }: Pick<Call, 'callId' | 'revision'>) =>
    `${account} ${callId} ${revision}`;
  return {
    withDetails: ({ account }: ShownAccount, call: ListedCall): ShownCall => ({
      ...call,
      ...known.get(keyOf(account, call)),
    }),
    missing: ({ account }: ShownAccount, calls: readonly ListedCall[]): readonly ListedCall[] =>
      calls.filter((call) => !known.has(keyOf(account, call))).slice(0, detailsAtOnce),
    async read({ account, client }: ShownAccount, calls: readonly ListedCall[]): Promise<void> {
      for (const row of await client.callRows(calls.map(({ callId }) => callId))) {
        const { durationSeconds, recordings } = row;
        keepLatest(known, keyOf(account, row), { durationSeconds, recordings }, maxDetails);
      }
    },
  };
};

/**
 * Reads calls with two requests at most: one for the list, and one for either the details of calls that are new in it, or
 * a page of the day's count. Where both are due they take turns.
 */
export const callsReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const tallies = dayTallies(clock);
  const rows = callDetails();
  let isCountDue = false;

  const readMore = async (
    account: ShownAccount,
    day: AccountDay,
    { calls, tally }: { readonly calls: readonly ListedCall[]; readonly tally: Tally | undefined },
  ): Promise<void> => {
    const missing = rows.missing(account, calls);
    const toCount = tally !== undefined && tallies.isDue(tally, day) ? tally : undefined;
    if (toCount !== undefined && (isCountDue || missing.length === 0)) await tallies.readOlder(account, day, toCount);
    else if (missing.length > 0) await rows.read(account, missing);
    isCountDue = !isCountDue;
  };

  return async (account: ShownAccount, query: CallQuery): Promise<CallsAnswer> => {
    if (query.customer !== undefined && !isPersonal) throw new Problem(personalAdvice, 2);
    const now = clock();
    const day = await accountDay(account, { day: query.day, timeZone: account.timeZone }, now);
    const page = await firstPage(
      listOf(account, query, day).pages(isFiltered(query) ? searchSize : pageSize, query.cursor),
    );
    const calls = page.calls.filter((call) => matches(call, query));
    const isOfAccount = query.agent === undefined && query.customer === undefined;
    const tally = isOfAccount ? tallies.of(account, day, page.calls) : undefined;
    await readMore(account, day, { calls, tally });

    const shown = calls.map((call) => rows.withDetails(account, call));
    return {
      now: now.toISOString(),
      day: day.day,
      start: day.start,
      end: day.end,
      calls: isPersonal ? shown : redacted(z.array(ShownCall), shown),
      read: page.calls.length,
      next: page.next,
      ...(tally && { quarters: quartersOf(tally), countedFrom: tally.countedFrom }),
    };
  };
};

/** Sets a value as the latest one, and drops the oldest beyond `max`. */
const keepLatest = <Value>(map: Map<string, Value>, key: string, value: Value, max: number): void => {
  map.delete(key);
  map.set(key, value);
  for (const old of map.keys()) {
    if (map.size <= max) return;
    map.delete(old);
  }
};

const listOf = ({ client }: ShownAccount, { agent, customer, at }: CallQuery, { start, end }: AccountDay): CallList => {
  const last = justBefore(end);
  // A moment before the day leaves nothing of it.
  const range = { from: start, to: at === undefined || at > last ? last : at < start ? start : at };
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : client.callsOfCustomer(customer, range);
};

export const personalAdvice = 'This names people. Start the console with --personal to see it.';

const firstPage = async (pages: AsyncIterable<CallPage>): Promise<CallPage> => {
  for await (const page of pages) return page;
  return { calls: [], next: undefined };
};

const isFiltered = ({ status, type, campaign, skill }: CallQuery): boolean =>
  [status, type, campaign, skill].some((filter) => filter !== undefined);

const matches = (call: ListedCall, { status, type, campaign, skill }: CallQuery): boolean =>
  (status === undefined || (status === 'missed' ? isMissed(call) : call.status === status)) &&
  (type === undefined || call.type === type) &&
  (campaign === undefined || call.campaignName === campaign) &&
  (skill === undefined || call.skillName === skill);

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

const quartersOf = ({ calls }: Tally): readonly Quarter[] => {
  const quarters = new Map<number, [number, number, number, number]>();
  for (const counted of calls.values()) {
    const quarter = quarterOf(counted);
    const counts = quarters.get(quarter) ?? [quarter * quarterMs, 0, 0, 0];
    counts[(counted % 4) as 1 | 2 | 3] += 1;
    quarters.set(quarter, counts);
  }
  return [...quarters.values()].sort(([a], [b]) => a - b);
};
