import * as z from 'zod';
import { Agent } from '../../lib/agents/agent.ts';
import {
  diagnoseFeed,
  type FeedProblem,
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

interface Known {
  points: HistoryPoint[];
  /** When the floor was last looked at. */
  seenMs: number;
  /** Where the next portion of the past ends; undefined once the past is whole. */
  before: string | undefined;
  limit: number;
}

/** Reads floors. What it has seen live it need not read again: the history costs one request until it is whole, then none. */
export const floorReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const known = new Map<string, Known>();
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

  return {
    feed: async ({ client }: ShownAccount): Promise<FeedAnswer> => feedAnswer(await client.feed(), clock()),
    async floor({ client, account }: ShownAccount, at: string | undefined): Promise<FloorAnswer> {
      if (at !== undefined) return pastAnswer(await client.floorAt(at), now(), visible);
      const floor = await client.floor();
      see(account, floor);
      const feed = feedAnswer(floor, clock());
      if (floor.freshness === 'none') return feed;
      return { ...feed, agents: visible(floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents) };
    },
    async history({ client, account }: ShownAccount): Promise<HistoryAnswer> {
      const nowMs = clock().getTime();
      const fromMs = nowMs - historyMs;
      const from = new Date(fromMs).toISOString();
      const history = known.get(account) ?? { points: [], seenMs: nowMs, before: now(), limit: 500 };
      known.set(account, history);
      if (history.before !== undefined && history.before > from) {
        // Goes on until a snapshot from before the two hours: it says how they began.
        const { moments, next } = await client.floorHistory({ to: history.before }, history.limit);
        history.points = [...moments.map(pointOf).reverse(), ...history.points];
        history.before = nextPortion(history, next);
      } else history.before = undefined;
      const first = history.points.findLastIndex(([ms]) => ms < fromMs);
      history.points = thinned(history.points.slice(Math.max(0, first)));
      return { now: now(), points: history.points, isWhole: history.before === undefined };
    },
  };
};

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

const feedAnswer = (feed: Freshness, now: Date): FeedAnswer => {
  const { ageSeconds: _age, ...fields } = { ageSeconds: 0, ...freshnessFields(feed) };
  return { now: now.toISOString(), ...fields, ...problemsInWords(feed, now) };
};

/** What is wrong with a feed and what was, from the diagnosis that every reader shares. */
export const problemsInWords = ({ feed }: Freshness, at: Date): Pick<FeedAnswer, 'problem' | 'earlier'> => {
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
