import * as z from 'zod';
import { Agent } from '../../lib/agents/schema.ts';
import {
  diagnoseFeed,
  type FeedProblem,
  type Floor,
  type FloorAt,
  type Freshness,
  feedProblemText,
  type SnapshotAgent,
} from '../../lib/client/index.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { freshnessFields } from '../output/agents.ts';
import { redacted } from '../output/redact.ts';
import type { ConsoleSettings, ShownAccount } from './accounts.ts';
import { floorHistories, type HistoryAnswer } from './floor-history.ts';

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

/** The floor now, or as it was `at` a moment. */
export interface FloorAnswer extends FeedAnswer {
  /** Only of a past floor: from when on it was so. */
  readonly at?: string;
  /** Absent where nothing is known. */
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

/**
 * Reads floors. A large one may take two requests, so its history is read in refreshes that show the floor of the one before:
 * no refresh takes more than two.
 */
export const floorReader = ({ clock, isPersonal }: Pick<ConsoleSettings, 'clock' | 'isPersonal'>) => {
  const histories = floorHistories({ clock });
  const latest = new Map<string, Promise<Read>>();
  const latestOf = ({ account }: ShownAccount) => latest.get(account)?.catch(() => undefined);
  const visible = (agents: readonly SnapshotAgent[]) => {
    const shown = agents.map(shownFields);
    return isPersonal ? shown : redacted(z.array(Agent), shown);
  };

  const readFloor = async ({ client }: ShownAccount, before: Read | undefined): Promise<Read> => {
    const floor = await client.floor();
    const isNew = floor.freshness === 'stale' || floor.feed?.asOf !== before?.floor.feed?.asOf;
    return { floor, ms: clock().getTime(), isNew };
  };

  /** The floor, read again or, while the history of a large one is read, the one that was just read. */
  const currentFloor = async (account: ShownAccount): Promise<Floor> => {
    const before = await latestOf(account);
    if (before?.isNew === true && isLarge(before, maxRepeatMs, clock()) && histories.isGrowing(account)) {
      latest.set(account.account, Promise.resolve({ ...before, isNew: false }));
      await histories.readPast(account);
      return before.floor;
    }
    const reading = readFloor(account, before);
    latest.set(account.account, reading);
    return (await reading).floor;
  };

  return {
    async feed(account: ShownAccount): Promise<FeedAnswer> {
      const feed = await account.client.feed();
      histories.see(account, feed);
      return feedAnswer(feed, clock());
    },
    async floor(account: ShownAccount, at: string | undefined): Promise<FloorAnswer> {
      if (at !== undefined) return pastAnswer(await account.client.floorAt(at), clock().toISOString(), visible);
      const floor = await currentFloor(account);
      histories.see(account, floor);
      const feed = feedAnswer(floor, clock());
      if (floor.freshness === 'none') return feed;
      return { ...feed, agents: visible(floor.freshness === 'live' ? floor.agents : floor.lastKnownAgents) };
    },
    async history(account: ShownAccount): Promise<HistoryAnswer> {
      histories.of(account);
      const read = await latestOf(account);
      // Of a large floor that somebody looks at, the refreshes of the floor read it.
      if (read === undefined || !isLarge(read, lookedAtMs, clock())) await histories.readPast(account);
      return histories.of(account);
    },
  };
};

/** Whether a large floor was read no longer ago than this. */
const isLarge = ({ floor, ms }: Read, maxAgeMs: number, now: Date): boolean =>
  (floor.feed?.agentCount ?? 0) > maxOfOneRequest && now.getTime() - ms < maxAgeMs;

/** What the page shows of an agent; thousands of them come with every refresh. */
const shownFields = ({ agentId, name, state, stateAsSent, skills, since, loggedInSince }: SnapshotAgent) =>
  withoutUndefined({ agentId, name, state, stateAsSent, skills, since, loggedInSince });

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
