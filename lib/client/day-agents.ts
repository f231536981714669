import { maxListKeyLength } from '../calls/call-keys.ts';
import { batchesByWeight } from '../core/collections.ts';
import { type AgentTime, addSeconds } from './agent-figures.ts';
import type { BoundedPeriod } from './arguments.ts';
import { readFeed, readFloor } from './floor.ts';
import { knownUpTo, readAgentDays, readSnapshotAt, type SecondsByState, secondsByState } from './past-agents.ts';
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
      const known = secondsByDay && Object.values(secondsByDay).reduce<SecondsByState>(addSeconds, {});
      return { agentId, name: seen.get(agentId), secondsByState: known, secondsByDay };
    });
  return { agents, agentsUpTo };
};

const seenAgents = async (
  { agents: table, account, clock }: DayTables,
  { start, end }: BoundedPeriod,
  progress: Progress,
): Promise<ReadonlyMap<string, string | undefined>> => {
  const now = clock();
  const [firstMs, lastMs] = [Date.parse(start), Math.min(Date.parse(end) - 1, now.getTime())];
  const instants: number[] = [];
  for (let ms = firstMs; ms < lastMs; ms += hourMs) instants.push(ms);
  if (firstMs <= lastMs) instants.push(lastMs);
  const seen = new Map<string, string | undefined>();
  let hours = 0;
  for (const some of batchesByWeight(instants, 2 * concurrency, () => 1)) {
    const snapshots = await Promise.all(
      some.map((ms) => readSnapshotAt(table, account, { instant: new Date(ms).toISOString(), now })),
    );
    for (const { agents } of snapshots.flatMap((parts = []) => parts))
      for (const { agentId, name } of agents) seen.set(agentId, name);
    hours += some.length;
    progress({ hours });
  }
  for (const { agentId, name } of (await readFloor(table, account)).agents) seen.set(agentId, name);
  return seen;
};

type OpenTime = (upTo: string) => AgentTime['secondsByDay'];

/** Keeps sums and open intervals only: the intervals of thousands of agents are hundreds of megabytes. */
const readTime = async (
  { agents: table, account }: DayTables,
  agentId: string,
  { days }: BoundedPeriod,
): Promise<OpenTime | undefined> => {
  // A call may name anything as its agent. What is too long for a key is no agent of the feed.
  if (encodeURIComponent(agentId).length > maxListKeyLength) return undefined;
  const found = await readAgentDays(table, { account, agentId, days });
  const times = days.flatMap(({ day, end }, index) => {
    const intervals = found[index] ?? [];
    if (intervals.length === 0) return [];
    const { closed = [], open = [] } = Object.groupBy(intervals, ({ to }) => (to === undefined ? 'open' : 'closed'));
    return [{ day, end, open, known: secondsByState(closed, { upTo: undefined, end }) }];
  });
  if (times.length === 0) return undefined;
  return (upTo) =>
    Object.fromEntries(
      times.map(({ day, end, open, known }) => [day, addSeconds(known, secondsByState(open, { upTo, end }))]),
    );
};
