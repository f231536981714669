import * as z from 'zod';
import {
  diagnoseFeed,
  type FeedProblem,
  type Floor,
  type FloorAt,
  type FloorHistory,
  type Freshness,
  feedProblemText,
  type SnapshotAgent,
} from '../../client/index.ts';
import { Agent } from '../../lib/agents/schema.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { type ConsoleSettings, type ShownAccount, visible } from './accounts.ts';

export const feedAnswer = (read: Freshness, at: Date) => {
  const { now, before } = diagnoseFeed(read.feed, at);
  return {
    now: at.toISOString(),
    freshness: read.freshness,
    ...(read.freshness !== 'none' && { asOf: read.asOf }),
    problem: now && inWords(now),
    earlier: before && inWords(before),
  };
};

const inWords = (problem: FeedProblem) => ({ text: feedProblemText(problem), since: problem.since });

export type FeedAnswer = ReturnType<typeof feedAnswer>;

export interface FloorAnswer extends FeedAnswer {
  /** Only of a past floor: from when on it was so. */
  readonly at?: string;
  readonly agents?: readonly SnapshotAgent[];
}

export const showFeed = async ({ client, clock }: ShownAccount): Promise<FeedAnswer> =>
  feedAnswer(await client.feed(), clock());

export const showFloor = async (
  account: ShownAccount,
  { at: moment }: { readonly at?: string | undefined },
): Promise<FloorAnswer> => {
  const { client, clock } = account;
  if (moment === undefined) {
    const floor = await client.floor();
    const feed = feedAnswer(floor, clock());
    return floor.freshness === 'none' ? feed : { ...feed, agents: agentsOf(account, floor) };
  }
  const floor = await client.floorAt(moment);
  const then = { now: clock().toISOString(), problem: undefined, earlier: undefined };
  if (floor === undefined) return { ...then, freshness: 'none' };
  const { freshness, at, asOf } = floor;
  return { ...then, freshness, at, agents: agentsOf(account, floor), ...(asOf !== undefined && { asOf }) };
};

const agentsOf = (account: ShownAccount, floor: Exclude<Floor | FloorAt, { readonly freshness: 'none' }>) =>
  visible(
    account,
    z.array(Agent),
    (floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents).map(shownFields),
  );

/** What the page shows of an agent; thousands of them come with every refresh. */
const shownFields = ({ agentId, name, state, stateAsSent, skills, since, loggedInSince }: SnapshotAgent) =>
  withoutUndefined({ agentId, name, state, stateAsSent, skills, since, loggedInSince });

/** How many agents were in each state from a moment on: milliseconds since the epoch, whether live, and the counts. */
type HistoryPoint = readonly [ms: number, isLive: boolean, counts: Readonly<Record<string, number>>];

const historyMs = 2 * 3600_000;

/** Where 1 MB of snapshots covers less than this, one of every two minutes is read instead of all. */
const densePageMs = 600_000;
const sampleMs = 120_000;

interface History {
  /** Oldest first. */
  points: readonly HistoryPoint[];
  /** Where the next portion of the past ends. */
  before: string;
  limit: number;
}

/** Reads the counts of the last two hours from the snapshots: what is new, and a portion of the past until that is whole. */
export const historyReader = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const histories = new Map<string, History>();
  return async ({ account, client }: ShownAccount) => {
    const now = clock();
    const beganMs = now.getTime() - historyMs;
    const history = histories.get(account) ?? { points: [], before: now.toISOString(), limit: 500 };
    histories.set(account, history);
    const { before, limit } = history;
    const newest = history.points.at(-1);
    const isWhole = () => Date.parse(history.before) <= beganMs;
    const from = new Date(newest === undefined ? beganMs : newest[0] + 1);
    const [newer, older] = await Promise.all([
      newest === undefined && !isWhole() ? undefined : client.floorHistory({ from }, limit),
      isWhole() ? undefined : client.floorHistory({ to: before }, limit),
    ]);
    // The next look begins anew.
    if (leavesGap(history, newer)) histories.delete(account);
    // Another tab of the browser may have read the same.
    if (history.points.at(-1) === newest) history.points = [...history.points, ...pointsOf(newer)];
    if (history.before === before) prepend(history, older);
    history.points = since(beganMs, history.points);
    return { now: clock().toISOString(), points: history.points, isWhole: isWhole() };
  };
};

/** Whether nobody has looked for so long that a portion does not reach back. */
const leavesGap = ({ points, limit }: History, newer: FloorHistory | undefined): boolean =>
  newer?.next !== undefined &&
  (limit > 1 || Date.parse(newer.moments.at(-1)?.at ?? '') - Number(points.at(-1)?.[0]) > 2 * sampleMs);

const prepend = (history: History, older: FloorHistory | undefined): void => {
  if (older === undefined) return;
  history.points = [...pointsOf(older), ...history.points];
  history.before = nextPortion(history, older.next);
};

/** The points of a time, with the one before it, which says how it began. */
const since = (ms: number, points: readonly HistoryPoint[]): readonly HistoryPoint[] =>
  points.filter((_, index) => (points[index + 1]?.[0] ?? ms) >= ms);

const pointsOf = ({ moments }: Pick<FloorHistory, 'moments'> = { moments: [] }): readonly HistoryPoint[] =>
  moments.map(({ at, status, counts }): HistoryPoint => [Date.parse(at), status === 'live', counts]).reverse();

/** Samples where a portion of whole snapshots covers little time, as it does with thousands of agents. */
const nextPortion = (history: History, next: string | undefined): string => {
  if (next === undefined) return new Date(0).toISOString();
  const oldest = Date.parse(next);
  if (history.limit > 1 && (history.points.at(-1)?.[0] ?? oldest) - oldest < densePageMs) history.limit = 1;
  return history.limit > 1 ? next : new Date(oldest - sampleMs).toISOString();
};
