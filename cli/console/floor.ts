import * as z from 'zod';
import { Agent } from '../../lib/agents/agent.ts';
import {
  diagnoseFeed,
  type FeedProblem,
  type Floor,
  type FloorAt,
  type FloorCounts,
  type Freshness,
  feedProblemText,
  type SnapshotAgent,
} from '../../lib/client/index.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { freshnessFields } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';

/** How old the picture of the agents is. */
export interface FeedAnswer {
  readonly now: string;
  readonly freshness: Freshness['freshness'];
  readonly asOf?: string;
  /** What is wrong now, and what was wrong last before that, in words. */
  readonly problem?: ProblemInWords | undefined;
  readonly earlier?: ProblemInWords | undefined;
}

/** A problem of the feed for people, and since when it lasts; for one that is over, when it was last met. */
export interface ProblemInWords {
  readonly text: string;
  readonly since?: string | undefined;
}

/** The floor now, or as it was `at` a moment. */
export interface FloorAnswer extends FeedAnswer {
  /** Only of a past floor: from when on it was so. */
  readonly at?: string;
  /** Absent where nothing is known. */
  readonly agents?: readonly SnapshotAgent[];
}

/** How many agents were in each state from a moment on: milliseconds since the epoch, whether live, and the counts. */
export type HistoryPoint = readonly [ms: number, isLive: boolean, counts: Readonly<Record<string, number>>];

/** The history of the floor, oldest first. It grows into the past until `isWhole`. */
export interface HistoryAnswer {
  readonly now: string;
  readonly points: readonly HistoryPoint[];
  readonly isWhole: boolean;
}

const historyMs = 2 * 3600_000;

/** Longer than the page's refresh: if nobody looked for so long, snapshots have to fill the gap. */
const maxGapMs = 60_000;

/** Where 1 MB of snapshots covers less than this, one of every two minutes is read instead of all. */
const [densePageMs, sampleMs] = [600_000, 120_000];

/** Rows have up to some 2 KB, and a request reads 1 MB of them: a floor of more agents may take two requests. */
const maxOfOneRequest = 500;

/** Longer than from one refresh to the next, and shorter than from one poll to the next. */
const maxRepeatMs = 10_000;

/** The floor as it was read last. */
interface Read {
  readonly floor: Floor;
  readonly ms: number;
  /** Whether it is of a poll that was not shown before: the next refresh comes before another poll, and may show it again. */
  readonly isNew: boolean;
}

interface Known {
  points: HistoryPoint[];
  /** When the floor was last looked at. */
  seenMs: number;
  /** Where the next portion of the past ends; undefined once the past is whole. */
  before: string | undefined;
  limit: number;
}

/**
 * Reads floors. What it has seen live it need not read again: the history costs one request until it is whole, then none.
 * A large floor may take two requests, so the history is then read in refreshes that show the floor of the one before.
 */
export const floorReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const known = new Map<string, Known>();
  const latest = new Map<string, Promise<Read>>();
  const visible = (agents: readonly SnapshotAgent[]) => {
    const shown = agents.map(shownFields);
    return isPersonal ? shown : redacted(z.array(Agent), shown);
  };
  const now = () => clock().toISOString();

  const see = (account: string, floor: Freshness): void => {
    const history = known.get(account);
    if (history === undefined || floor.freshness === 'none') return;
    const at = clock().getTime();
    if (at - history.seenMs > maxGapMs) known.delete(account);
    else if (at > history.seenMs) history.points.push([at, floor.freshness === 'live', floor.feed.counts]);
    history.seenMs = at;
  };

  const readFloor = async ({ client }: ShownAccount, before: Read | undefined): Promise<Read> => {
    const floor = await client.floor();
    const ms = clock().getTime();
    const isNew = floor.freshness === 'stale' || floor.feed?.asOf !== before?.floor.feed?.asOf;
    return { floor, ms, isNew };
  };

  /** Reads a portion of the history, unless it is whole: until a snapshot from before the two hours, which says how they began. */
  const readPast = async ({ client }: ShownAccount, history: Known): Promise<void> => {
    if (history.before !== undefined && Date.parse(history.before) <= clock().getTime() - historyMs)
      history.before = undefined;
    if (history.before === undefined) return;
    const { moments, next } = await client.floorHistory({ to: history.before }, history.limit);
    history.points = [...moments.map(pointOf).reverse(), ...history.points];
    history.before = nextPortion(history, next);
  };

  /** The floor, read again or, while the history of a large one is read, the one that was just read. */
  const currentFloor = async (account: ShownAccount): Promise<Floor> => {
    const before = await latest.get(account.account)?.catch(() => undefined);
    const history = known.get(account.account);
    const mayRepeat = before?.isNew === true && isLarge(before, maxRepeatMs, clock());
    if (mayRepeat && history?.before !== undefined) {
      latest.set(account.account, Promise.resolve({ ...before, isNew: false }));
      await readPast(account, history);
      return before.floor;
    }
    const reading = readFloor(account, before);
    latest.set(account.account, reading);
    return (await reading).floor;
  };

  return {
    feed: async ({ client }: ShownAccount): Promise<FeedAnswer> => feedAnswer(await client.feed(), clock()),
    async floor(account: ShownAccount, at: string | undefined): Promise<FloorAnswer> {
      if (at !== undefined) return pastAnswer(await account.client.floorAt(at), now(), visible);
      const floor = await currentFloor(account);
      see(account.account, floor);
      const feed = feedAnswer(floor, clock());
      if (floor.freshness === 'none') return feed;
      return { ...feed, agents: visible(floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents) };
    },
    async history(account: ShownAccount): Promise<HistoryAnswer> {
      const nowMs = clock().getTime();
      const history = known.get(account.account) ?? { points: [], seenMs: nowMs, before: now(), limit: 500 };
      known.set(account.account, history);
      const read = await latest.get(account.account)?.catch(() => undefined);
      // Of a large floor that somebody looks at, the refreshes of the floor read it.
      if (read === undefined || !isLarge(read, maxGapMs, clock())) await readPast(account, history);
      const first = history.points.findLastIndex(([ms]) => ms < nowMs - historyMs);
      history.points = thinned(history.points.slice(Math.max(0, first)));
      return { now: now(), points: history.points, isWhole: history.before === undefined };
    },
  };
};

/** Whether a large floor was read no longer ago than this. */
const isLarge = ({ floor, ms }: Read, maxAgeMs: number, now: Date): boolean =>
  (floor.feed?.agentCount ?? 0) > maxOfOneRequest && now.getTime() - ms < maxAgeMs;

/** What the page shows of an agent; thousands of them come with every refresh. */
const shownFields = ({ agentId, name, state, stateAsSent, skills, since, loggedInSince }: SnapshotAgent) =>
  withoutUndefined({ agentId, name, state, stateAsSent, skills, since, loggedInSince });

/** Samples where a portion of whole snapshots covers little time, as it does with thousands of agents. */
const nextPortion = (history: Known, next: string | undefined): string | undefined => {
  if (next === undefined) return undefined;
  const oldest = Date.parse(next);
  if (history.limit > 1 && (history.points.at(-1)?.[0] ?? oldest) - oldest < densePageMs) history.limit = 1;
  return history.limit > 1 ? next : new Date(oldest - sampleMs).toISOString();
};

const pointOf = ({ at, status, counts }: FloorCounts): HistoryPoint => [Date.parse(at), status === 'live', counts];

/** Equal neighbours say nothing; the last of them says until when. */
const thinned = (points: readonly HistoryPoint[]): HistoryPoint[] => {
  const texts = points.map(([, ...rest]) => JSON.stringify(rest));
  return points.filter(
    (_point, index) => index === 0 || texts[index] !== texts[index - 1] || texts[index] !== texts[index + 1],
  );
};

/** What every view shows of the feed. */
export const feedAnswer = (feed: Freshness, now: Date): FeedAnswer => {
  const { ageSeconds: _age, ...fields } = { ageSeconds: 0, ...freshnessFields(feed) };
  return { now: now.toISOString(), ...fields, ...problemsInWords(feed, now) };
};

/** What is wrong with a feed and what was, from the diagnosis that every reader shares. */
const problemsInWords = ({ feed }: Freshness, at: Date): Pick<FeedAnswer, 'problem' | 'earlier'> => {
  const { now, before } = diagnoseFeed(feed, at);
  const inWords = (problem: FeedProblem) => ({ text: feedProblemText(problem), since: problem.since });
  return { problem: now && inWords(now), earlier: before && inWords(before) };
};

const pastAnswer = (
  floor: FloorAt | undefined,
  now: string,
  visible: (agents: readonly SnapshotAgent[]) => readonly SnapshotAgent[],
): FloorAnswer => {
  if (floor === undefined) return { now, freshness: 'none' };
  const { at, asOf } = floor;
  const agents = visible(floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents);
  return { now, freshness: floor.freshness, at, agents, ...(asOf !== undefined && { asOf }) };
};
