import * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
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
import { redacted } from '../output/redact.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';

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

/** Rows have up to some 2 KB, and a request reads 1 MB of them: a floor of more agents may take two requests. */
const maxOfOneRequest = 500;

/** Longer than from one refresh to the next, and shorter than from one poll to the next. */
const maxRepeatMs = 10_000;

/** Longer than from one refresh to the next by far: a floor that was read so long ago is not looked at any more. */
const lookedAtMs = 60_000;

interface Read {
  readonly floor: Floor;
  readonly ms: number;
  /** Whether it is of a poll that was not shown before: the next refresh comes before another poll, and may show it again. */
  readonly isNew: boolean;
}

/** Reads floors with two requests at most. A large one may take both, so its history is read in other refreshes. */
export const floorReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const histories = floorHistories({ clock });
  const latest = new Map<string, Promise<Read>>();
  const latestOf = ({ account }: ShownAccount) => latest.get(account)?.catch(() => undefined);
  const agentsOf = (floor: Exclude<Floor | FloorAt, { readonly freshness: 'none' }>): readonly SnapshotAgent[] => {
    const shown = (floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents).map(shownFields);
    return isPersonal ? shown : redacted(z.array(Agent), shown);
  };

  const readFloor = async ({ client }: ShownAccount, before: Read | undefined): Promise<Read> => {
    const floor = await client.floor();
    const isNew = floor.freshness === 'stale' || floor.feed?.asOf !== before?.floor.feed?.asOf;
    return { floor, ms: clock().getTime(), isNew };
  };

  const isLarge = ({ floor, ms }: Read, maxAgeMs: number): boolean =>
    (floor.feed?.agentCount ?? 0) > maxOfOneRequest && clock().getTime() - ms < maxAgeMs;

  /** The floor, read again or, while the history of a large one is read, the one that was just read. */
  const currentFloor = async (account: ShownAccount): Promise<Floor> => {
    const before = await latestOf(account);
    if (before?.isNew === true && isLarge(before, maxRepeatMs) && histories.isGrowing(account)) {
      latest.set(account.account, Promise.resolve({ ...before, isNew: false }));
      await histories.readPast(account);
      return before.floor;
    }
    const reading = readFloor(account, before);
    latest.set(account.account, reading);
    return (await reading).floor;
  };

  const pastFloor = async ({ client }: ShownAccount, moment: string): Promise<FloorAnswer> => {
    const floor = await client.floorAt(moment);
    const then = { now: clock().toISOString(), problem: undefined, earlier: undefined };
    if (floor === undefined) return { ...then, freshness: 'none' };
    const { freshness, at, asOf } = floor;
    return { ...then, freshness, at, agents: agentsOf(floor), ...(asOf !== undefined && { asOf }) };
  };

  return {
    async feed(account: ShownAccount): Promise<FeedAnswer> {
      const feed = await account.client.feed();
      histories.see(account, feed);
      return feedAnswer(feed, clock());
    },
    async floor(account: ShownAccount, at: string | undefined): Promise<FloorAnswer> {
      if (at !== undefined) return await pastFloor(account, at);
      const floor = await currentFloor(account);
      histories.see(account, floor);
      const feed = feedAnswer(floor, clock());
      return floor.freshness === 'none' ? feed : { ...feed, agents: agentsOf(floor) };
    },
    async history(account: ShownAccount) {
      histories.of(account);
      const read = await latestOf(account);
      // Of a large floor that somebody looks at, the refreshes of the floor read it.
      if (read === undefined || !isLarge(read, lookedAtMs)) await histories.readPast(account);
      return histories.of(account);
    },
  };
};

export type HistoryAnswer = Awaited<ReturnType<ReturnType<typeof floorReader>['history']>>;

/** What the page shows of an agent; thousands of them come with every refresh. */
const shownFields = ({ agentId, name, state, stateAsSent, skills, since, loggedInSince }: SnapshotAgent) =>
  withoutUndefined({ agentId, name, state, stateAsSent, skills, since, loggedInSince });

/** How many agents were in each state from a moment on: milliseconds since the epoch, whether live, and the counts. */
export type HistoryPoint = readonly [ms: number, isLive: boolean, counts: Readonly<Record<string, number>>];

const historyMs = 2 * 3600_000;

/** Longer than the page's refresh: if nobody looked for so long, snapshots have to fill the gap. */
const maxGapMs = 60_000;

/** Where 1 MB of snapshots covers less than this, one of every two minutes is read instead of all. */
const [densePageMs, sampleMs] = [600_000, 120_000];

interface History {
  points: readonly HistoryPoint[];
  seenMs: number;
  /** Where the next portion of the past ends; undefined once the past is whole. */
  before: string | undefined;
  limit: number;
}

/** The last two hours of floors. What was seen live need not be read: the past costs one request at a time until it is whole. */
const floorHistories = ({ clock }: Pick<ConsoleSettings, 'clock'>) => {
  const known = new Map<string, History>();
  const isGrowing = ({ before }: History): boolean =>
    before !== undefined && Date.parse(before) > clock().getTime() - historyMs;

  return {
    see({ account }: ShownAccount, floor: Freshness): void {
      const history = known.get(account);
      if (history === undefined || floor.freshness === 'none') return;
      const at = clock().getTime();
      if (at - history.seenMs > maxGapMs) known.delete(account);
      else if (at > history.seenMs)
        history.points = recent([...history.points, [at, floor.freshness === 'live', floor.feed.counts]], at);
      history.seenMs = at;
    },
    isGrowing({ account }: ShownAccount): boolean {
      const history = known.get(account);
      return history !== undefined && isGrowing(history);
    },
    /** Reads a portion of the past, unless it is whole: until a snapshot from before the two hours, which says how they began. */
    async readPast({ account, client }: ShownAccount): Promise<void> {
      const history = known.get(account);
      if (history === undefined || !isGrowing(history)) return;
      const { before } = history;
      const { moments, next } = await client.floorHistory({ to: before }, history.limit);
      // Another tab of the browser may have read the same portion.
      if (history.before !== before) return;
      history.points = [...moments.map(pointOf).reverse(), ...history.points];
      history.before = nextPortion(history, next);
    },
    /** What is known by now, oldest first. Somebody looks at it from now on, and it grows into the past until it is whole. */
    of({ account }: ShownAccount) {
      const [now, nowMs] = [clock().toISOString(), clock().getTime()];
      const history = known.get(account) ?? { points: [], seenMs: nowMs, before: now, limit: 500 };
      known.set(account, history);
      history.points = recent(history.points, nowMs);
      return { now, points: history.points, isWhole: !isGrowing(history) };
    },
  };
};

/** Samples where a portion of whole snapshots covers little time, as it does with thousands of agents. */
const nextPortion = (history: History, next: string | undefined): string | undefined => {
  if (next === undefined) return undefined;
  const oldest = Date.parse(next);
  if (history.limit > 1 && (history.points.at(-1)?.[0] ?? oldest) - oldest < densePageMs) history.limit = 1;
  return history.limit > 1 ? next : new Date(oldest - sampleMs).toISOString();
};

const pointOf = ({ at, status, counts }: FloorCounts): HistoryPoint => [Date.parse(at), status === 'live', counts];

const recent = (points: readonly HistoryPoint[], nowMs: number): readonly HistoryPoint[] => {
  const first = points.findLastIndex(([ms]) => ms < nowMs - historyMs);
  return thinned(points.slice(Math.max(0, first)));
};

/** Equal neighbours say nothing; the last of them says until when. */
const thinned = (points: readonly HistoryPoint[]): readonly HistoryPoint[] => {
  const texts = points.map(([, ...rest]) => JSON.stringify(rest));
  return points.filter(
    (_point, index) => index === 0 || texts[index] !== texts[index - 1] || texts[index] !== texts[index + 1],
  );
};
