import type { PollFailure, PollProblem } from '../telephony/service/problems.ts';
import { type AgentLogins, isUnidentified } from './normalise-agent.ts';
import type { Feed } from './schema.ts';
import { backOffAfter, withUnknownRequest } from './slot.ts';

/** Agents' rows are stale at this age: two polls have failed by then. */
export const staleAfterSeconds = 30;

/** The feed of an account that was never polled. */
export const newFeed = (account: string, now: Date): Feed => ({
  account,
  status: 'starting',
  statusSince: now.toISOString(),
  agentCount: 0,
  counts: {},
  unreadableRecords: 0,
  version: 0,
  poller: { slot: -1, requests: [], inFlight: false },
});

/** What the feed's row states about an answer. */
export interface AgentSummary {
  /** When the request was sent (ISO instant). */
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unreadableRecords: number;
}

/** The feed after a poll that was answered. */
export const pollAnswered = (feed: Feed, { at, counts, unreadableRecords }: AgentSummary): Feed => {
  const { failingSince: _failing, ...rest } = feed;
  const { backOff: _backOff, pendingAt: _pending, ...poller } = feed.poller;
  return {
    ...rest,
    ...(feed.status !== 'live' && { status: 'live' as const, statusSince: at }),
    asOf: at,
    staleAt: secondsLater(at, staleAfterSeconds),
    agentCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    unreadableRecords,
    version: feed.version + 1,
    poller: { ...poller, inFlight: false },
  };
};

/**
 * The feed after a poll that failed. What it states about the agents stays as it was. The first failure in a row, as
 * from somebody's query that uses up the limit, is no interruption: a late poll may find the rows stale already.
 */
export const pollFailed = (feed: Feed, failure: PollFailure, now: Date): Feed => {
  const at = now.toISOString();
  const backOff = backOffAfter(failure, feed.poller, now);
  const failed: Feed = {
    ...feed,
    failingSince: feed.failingSince ?? at,
    lastProblem: { reason: failure.reason, at },
    version: feed.version + 1,
    poller: {
      ...feed.poller,
      inFlight: false,
      ...(backOff && { backOff }),
      ...(failure.reason === 'rate-limited' && { requests: withUnknownRequest(feed.poller.requests) }),
    },
  };
  return feed.failingSince === undefined ? failed : withInterruption(failed, at);
};

/**
 * The feed after a slot in which nothing may be sent; undefined where nothing is to be written. The problem is the rate
 * limit, or else the rejection that caused the back-off, which the feed names already.
 */
export const pollSkipped = (feed: Feed, why: 'rate-limited' | 'backing-off', now: Date): Feed | undefined =>
  interruptedBy(feed, why === 'rate-limited' ? why : feed.lastProblem?.reason, now);

/** How long a feed without polls may be stale before that counts as an interruption. One lost slot does not count. */
const gapGraceSeconds = 15;

/** The feed after a time without polls, in which no run could record an interruption; undefined if there was none. */
export const pollGap = (feed: Feed, now: Date): Feed | undefined => {
  const isDue =
    feed.asOf !== undefined && secondsLater(feed.asOf, staleAfterSeconds + gapGraceSeconds) < now.toISOString();
  const reason = feed.failingSince === undefined ? 'not-polled' : feed.lastProblem?.reason;
  return isDue ? interruptedBy(feed, reason, now) : undefined;
};

/** Whether the feed, as far as this run knows it, is to be recorded as interrupted by now. */
export const becomesInterrupted = (feed: Feed, now: Date): boolean =>
  withInterruption(feed, now.toISOString()).status !== feed.status;

const interruptedBy = (feed: Feed, reason: PollProblem | undefined, now: Date): Feed | undefined => {
  const at = now.toISOString();
  const next = withInterruption(feed, at);
  if (next.status === feed.status) return undefined;
  return {
    ...next,
    ...(reason !== undefined && { lastProblem: { reason, at } }),
    failingSince: feed.failingSince ?? at,
    version: feed.version + 1,
  };
};

/**
 * Marks the feed as interrupted, once, when the agents' rows are stale. It is dated to the first stale millisecond, which
 * no poll has: polls are dated in whole seconds. Before the first answer it counts from the first failure.
 */
const withInterruption = (feed: Feed, at: string): Feed => {
  const since = feed.asOf ?? feed.failingSince;
  const isDue = since !== undefined && secondsLater(since, staleAfterSeconds) <= at && feed.status !== 'interrupted';
  return isDue ? { ...feed, status: 'interrupted', statusSince: secondsLater(since, staleAfterSeconds + 0.001) } : feed;
};

const secondsLater = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();

/** For how long a record without an id may mean a logged-in agent. If every answer has one for longer, it is ignored. */
const unidentifiedForMs = 5 * 60_000;

/** The answer without ignored records, and the feed, which notes since when answers have had records without an id. */
interface IdentifiedLogins {
  readonly feed: Feed;
  readonly logins: AgentLogins;
}

/** Ignores records without an id once every answer of five minutes has had some. */
export const ignoreUnidentified = (feed: Feed, logins: AgentLogins, now: Date): IdentifiedLogins => {
  const { unidentifiedSince: since = now.toISOString(), ...poller } = feed.poller;
  if (!logins.unreadable.some(isUnidentified)) return { feed: { ...feed, poller }, logins };

  const isOver = now.getTime() - Date.parse(since) > unidentifiedForMs;
  const unreadable = isOver ? logins.unreadable.filter((record) => !isUnidentified(record)) : logins.unreadable;
  return { feed: { ...feed, poller: { ...poller, unidentifiedSince: since } }, logins: { ...logins, unreadable } };
};
