import { maxListKeyLength } from '../lib/calls/call-keys.ts';
import { batchesByWeight } from '../lib/core/collections.ts';
import { knownUpTo, readAgentDays, type SecondsByState, secondsByState } from './agent-days.ts';
import { type AgentTime, addSeconds } from './agent-figures.ts';
import type { BoundedPeriod } from './arguments.ts';
import { readFeed, readFloor } from './floor.ts';
import type { KeptRecords } from './kept-records.ts';
import { readSnapshotAt } from './past-agents.ts';
import type { TableReader } from './table-reader.ts';

/** An agent of some days: time by state, and the name if it was seen (personal). */
export interface DayAgent extends AgentTime {
  readonly name: string | undefined;
}

export interface DayTables {
  readonly calls: TableReader;
  readonly agents: TableReader;
  readonly account: string;
  readonly clock: () => Date;
  readonly kept?: KeptRecords | undefined;
}

export interface DayProgress {
  readonly listed: number;
  readonly calls: number;
  /** Hours of which a snapshot shows who was logged in. */
  readonly hours: number;
  readonly agents: number;
}

export type Progress = (change: Partial<DayProgress>) => void;

const concurrency = 16;

const hourMs = 3_600_000;

/** A poll that was aborted is finished by a later one within this time: older snapshots stay as they are. */
const settlesAfterMs = 900_000;

/**
 * No index has the agents of a day. So they are found in its calls, in the snapshot of each hour, and among the agents who are
 * logged in now. An agent without a call is missing who stayed for less than an hour between two of these.
 */
export const readAgents = async (
  tables: DayTables,
  { ofCalls, ...period }: BoundedPeriod & { readonly ofCalls: ReadonlySet<string> },
  progress: Progress,
) => {
  const seen = await seenAgents(tables, period, progress);
  const ids = [...new Set([...ofCalls, ...seen.keys()])].sort();

  const times: (readonly [string, OpenTime | undefined])[] = [];
  for (const some of batchesByWeight(ids, concurrency, () => 1)) {
    times.push(...(await Promise.all(some.map(async (id) => [id, await readTime(tables, id, period)] as const))));
    progress({ agents: times.length });
  }
  // Read after the intervals: an older feed would hide the newest of them.
  const agentsUpTo = knownUpTo(await readFeed(tables.agents, tables.account), period, tables.clock());
  const agents = times
    .filter(([agentId, time]) => time !== undefined || ofCalls.has(agentId))
    .map(([agentId, time]): DayAgent => {
      const secondsByDay = time?.(agentsUpTo);
      const total = secondsByDay && Object.values(secondsByDay).reduce<SecondsByState>(addSeconds, {});
      return { agentId, name: seen.get(agentId), secondsByState: total, secondsByDay };
    });
  return { agents, agentsUpTo };
};

const seenAgents = async (
  { agents: table, account, clock, kept }: DayTables,
  { start, end }: BoundedPeriod,
  progress: Progress,
): Promise<ReadonlyMap<string, string | undefined>> => {
  const bounds = { start, end };
  const { settledMs = 0, names: knownNames = [] } = kept?.seen.of(bounds) ?? {};
  const now = clock();
  const firstMs = Date.parse(start);
  const lastMs = Math.min(Date.parse(end) - 1, now.getTime());
  const instants: number[] = [];
  for (let ms = firstMs; ms < lastMs; ms += hourMs) instants.push(ms);
  if (firstMs <= lastMs) instants.push(lastMs);
  const unread = instants.filter((ms) => ms > settledMs);
  const isSettled = (ms: number) => ms <= now.getTime() - settlesAfterMs;
  let seen = new Map(knownNames);
  let hours = instants.length - unread.length;
  const readAll = async (some: readonly number[]) => {
    const snapshots = await Promise.all(
      some.map((ms) => readSnapshotAt(table, account, { instant: new Date(ms).toISOString(), now })),
    );
    for (const { agents } of snapshots.flatMap((parts = []) => parts))
      for (const { agentId, name } of agents) seen.set(agentId, name);
    hours += some.length;
    progress({ hours });
  };
  const { settled = [], fresh = [] } = Object.groupBy(unread, (ms) => (isSettled(ms) ? 'settled' : 'fresh'));
  for (const some of batchesByWeight(settled, 2 * concurrency, () => 1)) await readAll(some);
  kept?.seen.keep({ settledMs: Math.max(settledMs, ...settled), names: seen }, bounds);
  seen = new Map(seen);
  for (const some of batchesByWeight(fresh, 2 * concurrency, () => 1)) await readAll(some);
  for (const { agentId, name } of (await readFloor(table, account)).agents) seen.set(agentId, name);
  return seen;
};

type OpenTime = (upTo: string) => AgentTime['secondsByDay'];

/**
 * Keeps sums and open intervals only: the intervals of thousands of agents are hundreds of megabytes. An interval that has ended
 * stays as it is, so a reader that keeps the sums reads on from the last interval.
 */
const readTime = async (
  { agents: table, account, kept }: DayTables,
  agentId: string,
  { days, start: periodStart, end: periodEnd }: BoundedPeriod,
): Promise<OpenTime | undefined> => {
  // A call may name anything as its agent. What is too long for a key is no agent of the feed.
  if (encodeURIComponent(agentId).length > maxListKeyLength) return undefined;
  const bounds = { start: periodStart, end: periodEnd };
  const earlier = kept?.times.of(bounds, agentId);
  const found = await readAgentDays(table, { account, agentId, days, since: earlier?.settledUpTo });
  const all = found.flat();
  const { from: settledUpTo = '' } = all.find(({ to }) => to === undefined) ?? all.at(-1) ?? {};
  const times = days.flatMap(({ day, end }, index) => {
    const intervals = found[index] ?? [];
    const summed = earlier?.secondsByDay[day];
    if (intervals.length === 0 && summed === undefined) return [];
    const { closed = [], open = [] } = Object.groupBy(intervals, ({ to }) => (to === undefined ? 'open' : 'closed'));
    const known = addSeconds(summed ?? {}, secondsByState(closed, { upTo: undefined, end }));
    const before = closed.filter(({ from }) => from < settledUpTo);
    const settled = addSeconds(summed ?? {}, secondsByState(before, { upTo: undefined, end }));
    return [{ day, end, open, known, settled }];
  });
  if (times.length === 0) return undefined;
  if (all.length > 0) {
    const secondsByDay = Object.fromEntries(times.map(({ day, settled }) => [day, settled]));
    kept?.times.keep({ settledUpTo, secondsByDay }, bounds, agentId);
  }
  return (upTo) =>
    Object.fromEntries(
      times.map(({ day, end, open, known }) => [day, addSeconds(known, secondsByState(open, { upTo, end }))]),
    );
};
