import * as z from 'zod/mini';
import { maxListKeyLength } from '../calls/call-keys.ts';
import { CallLeg } from '../calls/schema.ts';
import { agentPartFields } from '../contract/call-counts.ts';
import { Call, ListedCall } from '../contract/rows.ts';
import { batchesByWeight } from '../core/collections.ts';
import { justBefore } from '../core/time.ts';
import { joinedKey, type Row } from '../storage/rows.ts';
import type { DayBounds } from './arguments.ts';
import { type AgentTime, addSeconds } from './day-figures.ts';
import { readFeed, readFloor } from './floor.ts';
import { knownUpTo, readAgentDay, readSnapshotAt, type SecondsByState, secondsByState } from './past-agents.ts';
import { byTime, portions, rowReader, type TableReader, wholeRows } from './table-reader.ts';

const DayLeg = z.pick(CallLeg, { ...agentPartFields, notes: true });

const DayFields = z.pick(Call, {
  ...agentPartFields,
  callId: true,
  type: true,
  hangupBy: true,
  startedAt: true,
  endedAt: true,
  skillName: true,
  campaignName: true,
  linkedCallId: true,
  notes: true,
});

/** A call of a day: the fields of its row that figures need. No field is personal. */
export const DayCall = z.extend(DayFields, {
  listedAt: ListedCall.shape.listedAt,
  legs: z.optional(z.readonly(z.array(DayLeg))),
});
export type DayCall = Readonly<z.infer<typeof DayCall>>;

/** An agent of a day: time by state, and the name if it was seen (personal). */
export interface DayAgent extends AgentTime {
  readonly name: string | undefined;
}

/** What figures of a day are computed from. */
export interface DayRecords extends DayBounds {
  readonly day: string;
  readonly timeZone: string;
  /** The calls that started on the day, newest first. */
  readonly calls: readonly DayCall[];
  /** The agents who took part in calls of the day or were seen logged in, by id; empty if they were not asked for. */
  readonly agents: readonly DayAgent[];
  /**
   * Until when agents' time is known: the feed's last poll within the day. The day's start if nothing is known; undefined if
   * agents were not asked for.
   */
  readonly agentsUpTo: string | undefined;
}

export interface DayOptions {
  /** Whether to read agents' time: a query for each agent and a snapshot for each hour. Default: true. */
  readonly withAgents?: boolean;
  /** Gets the number of calls and agents read so far. */
  readonly onProgress?: (read: { readonly calls: number; readonly agents: number }) => void;
}

export interface DayTables {
  readonly calls: TableReader;
  readonly agents: TableReader;
  readonly account: string;
  readonly clock: () => Date;
}

const readDayCall = rowReader('Call', DayCall);

/** Calls in one request of the list. Their rows come with ten requests side by side, each of at most 16 MB. */
const pageSize = 1_000;
const rowsAtOnce = 100;

const concurrency = 16;

const hourMs = 3_600_000;

export const readDay = async (
  tables: DayTables,
  { day, timeZone, ...bounds }: DayBounds & Pick<DayRecords, 'day' | 'timeZone'>,
  { withAgents = true, onProgress = () => undefined }: DayOptions,
): Promise<DayRecords> => {
  const calls = await readCalls(tables, bounds, (count) => onProgress({ calls: count, agents: 0 }));
  const { agents, agentsUpTo } = withAgents
    ? await readAgents(tables, { bounds, calls }, (count) => onProgress({ calls: calls.length, agents: count }))
    : { agents: [], agentsUpTo: undefined };
  return { day, timeZone, ...bounds, calls, agents, agentsUpTo };
};

/** A list of calls lacks the durations, so the row of each call is read too. */
const readCalls = async (
  { calls: table, account }: DayTables,
  { start, end }: DayBounds,
  onRead: (count: number) => void,
): Promise<readonly DayCall[]> => {
  const list = { ...byTime, partition: joinedKey(account), from: start, to: justBefore(end), isBackwards: true };
  const calls: DayCall[] = [];
  for await (const { rows: listed } of portions(table, list, { limit: pageSize })) {
    const some = batchesByWeight(listed, rowsAtOnce, () => 1);
    const found = await Promise.all(some.map((batch) => wholeRows(table, batch)));
    const rows = new Map(found.flat().map((row) => [row['pk'], row]));
    for (const { pk, listedAt } of listed) {
      const row: Row | undefined = rows.get(pk);
      // A row that has left the list meanwhile has expired.
      if (row !== undefined) calls.push(readDayCall({ ...row, listedAt }));
    }
    onRead(calls.length);
  }
  return calls;
};

/**
 * No index has the agents of a day. So they are found in its calls, in the snapshot of each hour, and among the agents who are
 * logged in now. An agent without a call is missing who stayed for less than an hour between two of these.
 */
const readAgents = async (
  tables: DayTables,
  { bounds, calls }: { readonly bounds: DayBounds; readonly calls: readonly DayCall[] },
  onRead: (count: number) => void,
) => {
  const ofCalls = new Set(calls.flatMap(({ agentIds = [] }) => agentIds));
  const seen = await seenAgents(tables, bounds);
  const ids = [...new Set([...ofCalls, ...seen.keys()])].sort();

  const times: (readonly [string, OpenTime | undefined])[] = [];
  for (const some of batchesByWeight(ids, concurrency, () => 1)) {
    times.push(...(await Promise.all(some.map(async (id) => [id, await readTime(tables, id, bounds)] as const))));
    onRead(times.length);
  }
  // Read after the intervals: an older feed would hide the newest of them.
  const agentsUpTo = knownUpTo(await readFeed(tables.agents, tables.account), bounds, tables.clock());
  const agents = times
    .filter(([agentId, time]) => time !== undefined || ofCalls.has(agentId))
    .map(([agentId, time]) => ({ agentId, name: seen.get(agentId), secondsByState: time?.(agentsUpTo) }));
  return { agents, agentsUpTo };
};

const seenAgents = async (
  { agents: table, account, clock }: DayTables,
  { start, end }: DayBounds,
): Promise<ReadonlyMap<string, string | undefined>> => {
  const now = clock();
  const [firstMs, lastMs] = [Date.parse(start), Math.min(Date.parse(end) - 1, now.getTime())];
  const instants: number[] = [];
  for (let ms = firstMs; ms < lastMs; ms += hourMs) instants.push(ms);
  if (firstMs <= lastMs) instants.push(lastMs);
  const snapshots = await Promise.all(
    instants.map((ms) => readSnapshotAt(table, account, { instant: new Date(ms).toISOString(), now })),
  );
  const seen = snapshots.flatMap((parts = []) => parts.flatMap(({ agents }) => agents));
  const { agents } = await readFloor(table, account);
  return new Map([...seen, ...agents].map(({ agentId, name }) => [agentId, name]));
};

type OpenTime = (upTo: string) => SecondsByState;

/** Keeps sums and the open interval only: the intervals of thousands of agents are hundreds of megabytes. */
const readTime = async (
  { agents: table, account }: DayTables,
  agentId: string,
  bounds: DayBounds,
): Promise<OpenTime | undefined> => {
  // A call may name anything as its agent. What is too long for a key is no agent of the feed.
  if (encodeURIComponent(agentId).length > maxListKeyLength) return undefined;
  const intervals = await readAgentDay(table, { account, agentId, bounds });
  if (intervals.length === 0) return undefined;

  const { end } = bounds;
  const { closed = [], open = [] } = Object.groupBy(intervals, ({ to }) => (to === undefined ? 'open' : 'closed'));
  const known = secondsByState(closed, { upTo: undefined, end });
  return (upTo) => addSeconds(known, secondsByState(open, { upTo, end }));
};
