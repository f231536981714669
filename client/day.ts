import * as z from 'zod/mini';
import { partitionKey, sortKeys } from '../lib/calls/call-keys.ts';
import { ListedCall } from '../lib/contract/rows.ts';
import { batchesByWeight } from '../lib/core/collections.ts';
import { type DayPeriod, justBefore } from '../lib/core/time.ts';
import { joinedKey, type Row } from '../lib/storage/rows.ts';
import type { BoundedDay, BoundedPeriod, DayBounds } from './arguments.ts';
import { defaultMaxCalls, type TooManyCalls } from './calls.ts';
import { readCallsByTime } from './calls-by-time.ts';
import { type DayAgent, type DayProgress, type DayTables, type Progress, readAgents } from './day-agents.ts';
import { DayCall } from './day-call.ts';
import { byTime } from './query-keys.ts';
import { rowReader } from './read-rows.ts';
import { pages, wholeRows } from './table-reader.ts';

/** What figures of consecutive days are computed from. */
export interface PeriodRecords extends DayPeriod, DayBounds {
  readonly timeZone: string;
  /** The calls that started on these days, newest first. */
  readonly calls: readonly DayCall[];
  /** The agents who took part in these calls or were seen logged in, by id; empty if they were not asked for. */
  readonly agents: readonly DayAgent[];
  /**
   * Until when agents' time is known: the feed's last poll within the days. Their start if nothing is known; undefined if
   * agents were not asked for.
   */
  readonly agentsUpTo: string | undefined;
}

/** What figures of a day are computed from. */
export interface DayRecords extends Omit<PeriodRecords, keyof DayPeriod> {
  readonly day: string;
}

export interface DayOptions {
  /** Whether to read agents' time: a query for each agent and a snapshot for each hour. Default: true. */
  readonly withAgents?: boolean;
  /** Gets the number of calls found, and of calls, hours and agents read so far. */
  readonly onProgress?: (read: DayProgress) => void;
}

export interface PeriodOptions extends DayOptions {
  /** How many calls are read at most. Default: 50,000. */
  readonly maxCalls?: number;
}

type PeriodToRead = BoundedPeriod & Pick<PeriodRecords, 'timeZone'>;

const readDayCall = rowReader('Call', DayCall);
const readListedAt = rowReader('ListedCall', z.pick(ListedCall, { listedAt: true }));

/** Calls in one request of the list: without a limit, DynamoDB Local looks at all of them for each request. */
const pageSize = 1_000;

/** Calls whose rows are read side by side: ten requests, each of at most 16 MB. */
const callsAtOnce = 1_000;
const callsOfRequest = 100;

export const readDay = async (
  tables: DayTables,
  { timeZone, ...bounded }: BoundedDay & Pick<DayRecords, 'timeZone'>,
  options: DayOptions,
): Promise<DayRecords> => {
  const { day, start, end } = bounded;
  const progress = progressOf(options);
  const listed = await listCalls(tables, bounded, Number.POSITIVE_INFINITY, progress);
  const period = { from: day, to: day, start, end, days: [bounded], timeZone };
  const { from: _from, to: _to, ...records } = await readListed(tables, period, { ...options, listed, progress });
  return { day, ...records };
};

/**
 * Lists the calls before it reads any row, so that it finds at no cost that they are too many: the list has to be read anyway,
 * and takes less than a tenth of the read units. A query that only counts would take as many again.
 */
export const readPeriod = async (
  tables: DayTables,
  period: PeriodToRead,
  { maxCalls = defaultMaxCalls, ...options }: PeriodOptions,
): Promise<PeriodRecords | TooManyCalls> => {
  const progress = progressOf(options);
  const listed = await (tables.kept === undefined ? listCalls : listKept)(tables, period, maxCalls, progress);
  if ('moreThan' in listed) return listed;
  const oldest = listed.length > maxCalls ? listed[maxCalls - 1] : undefined;
  if (oldest === undefined) return await readListed(tables, period, { ...options, listed, progress });
  return { moreThan: maxCalls, since: readListedAt(oldest).listedAt };
};

const progressOf = ({ onProgress = () => undefined }: DayOptions): Progress => {
  let read: DayProgress = { listed: 0, calls: 0, hours: 0, agents: 0 };
  return (change) => {
    read = { ...read, ...change };
    onProgress(read);
  };
};

/** The entries of the list, newest first. Where there are more than `max`, reading ends soon after that. */
const listCalls = async (
  { calls: table, account }: DayTables,
  { start, end }: DayBounds,
  max: number,
  progress: Progress,
): Promise<readonly Row[]> => {
  const range = { partition: joinedKey(account), from: start, to: justBefore(end) };
  const query = { ...byTime, ...range, isBackwards: true, fields: ['pk', 'sk', 'listedAt'] };
  const listed: Row[] = [];
  for await (const { rows } of pages(table, query, { limit: pageSize })) {
    for (const row of rows) listed.push(row);
    progress({ listed: listed.length });
    if (listed.length > max) break;
  }
  return listed;
};

/** The rows of the calls of some days, from a list that is kept. */
const listKept = async (
  tables: DayTables,
  { start, end }: DayBounds,
  most: number,
  progress: Progress,
): Promise<readonly Row[] | TooManyCalls> => {
  const onProgress = (listed: number) => progress({ listed });
  const found = await readCallsByTime(tables, { from: start, to: justBefore(end), most, onProgress }, () => true);
  if ('moreThan' in found) return found;
  return found.map(({ callId, revision, listedAt }) => ({
    pk: partitionKey(tables.account, callId),
    sk: sortKeys.call,
    callId,
    revision,
    listedAt,
  }));
};

interface Listed extends Pick<DayOptions, 'withAgents'> {
  readonly listed: readonly Row[];
  readonly progress: Progress;
}

const readListed = async (
  tables: DayTables,
  { days, ...period }: PeriodToRead,
  { listed, withAgents = true, progress }: Listed,
): Promise<PeriodRecords> => {
  const calls = await readCalls(tables, listed, progress);
  const ofCalls = new Set(calls.flatMap(({ agentIds = [] }) => agentIds));
  const found = withAgents ? await readAgents(tables, { ...period, days, ofCalls }, progress) : undefined;
  return { ...period, calls, agents: found?.agents ?? [], agentsUpTo: found?.agentsUpTo };
};

/** A list of calls lacks the durations, so the row of each call is read too, unless this revision of it is kept. */
const callsOf = async (
  { calls: table, kept }: DayTables,
  listed: readonly Row[],
): Promise<ReadonlyMap<unknown, DayCall>> => {
  const calls = new Map<unknown, DayCall>();
  for (const { pk, callId, revision } of listed) {
    const call = kept?.dayCalls.of({ callId: String(callId), revision: Number(revision) });
    if (call !== undefined) calls.set(pk, call);
  }
  const unread = listed.filter(({ pk }) => !calls.has(pk));
  const requests = batchesByWeight(unread, callsOfRequest, () => 1);
  const found = await Promise.all(requests.map((batch) => wholeRows(table, batch)));
  const places = new Map(unread.map(({ pk, listedAt }) => [pk, listedAt]));
  for (const row of found.flat()) {
    const call = readDayCall({ ...row, listedAt: places.get(row['pk']) });
    kept?.dayCalls.keep(row, call);
    calls.set(row['pk'], call);
  }
  return calls;
};

const readCalls = async (
  tables: DayTables,
  listed: readonly Row[],
  progress: Progress,
): Promise<readonly DayCall[]> => {
  const calls: DayCall[] = [];
  for (const some of batchesByWeight(listed, callsAtOnce, () => 1)) {
    const found = await callsOf(tables, some);
    for (const { pk, listedAt } of some) {
      const call = found.get(pk);
      // A row that has left the list meanwhile has expired.
      if (call !== undefined) calls.push({ ...call, listedAt: String(listedAt) });
    }
    progress({ calls: calls.length });
  }
  return calls;
};
