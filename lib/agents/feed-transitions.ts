import { backOffAfter } from './back-off.ts';
import { type Feed, type PollFailure, type PollProblem, staleAfterSeconds } from './feed.ts';
import { type AgentLogins, isUnidentified } from './normalise-agent.ts';

/** What is said of the floor in the feed's row. */
export interface FloorSummary {
  /** ISO instant: when the service was asked. */
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unreadableRecords: number;
}

const secondsLater = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();

/** The feed after a poll that showed the floor. */
export const pollAnswered = (feed: Feed, { at, counts, unreadableRecords }: FloorSummary): Feed => {
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

/** The feed after a poll that showed nothing: the picture stays as it was. */
export const pollFailed = (feed: Feed, failure: PollFailure, now: Date): Feed => {
  const at = now.toISOString();
  const backOff = backOffAfter(failure, feed.poller.backOff, now);
  return withInterruption(
    {
      ...feed,
      failingSince: feed.failingSince ?? at,
      lastProblem: { reason: failure.reason, at },
      version: feed.version + 1,
      poller: { ...feed.poller, inFlight: false, ...(backOff && { backOff }) },
    },
    at,
  );
};

/**
 * The feed after a run that was cut before it could say what became of its poll. The run that finds it is about to ask,
 * so the first of a row is noted, and not told.
 */
export const pollAborted = (feed: Feed, now: Date): Feed => {
  const next = pollFailed(feed, { reason: 'aborted' }, now);
  return feed.failingSince === undefined ? { ...next, status: feed.status, statusSince: feed.statusSince } : next;
};

/**
 * The feed after a slot in which nothing may be asked, or undefined if there is nothing to write about it. What kept it
 * from asking is the problem, unless that was a refusal, which is noted already.
 */
export const pollSkipped = (feed: Feed, why: 'rate-limited' | 'backing-off', now: Date): Feed | undefined =>
  interruptedBy(feed, why === 'rate-limited' ? why : feed.lastProblem?.reason, now);

/** So long after its picture became stale a feed that was not polled is told of: one lost slot is no interruption. */
const gapGraceSeconds = 15;

/** The feed where nobody has polled, and so nobody has told that it is interrupted; undefined if all is well. */
export const pollGap = (feed: Feed, now: Date): Feed | undefined => {
  const isDue =
    feed.asOf !== undefined && secondsLater(feed.asOf, staleAfterSeconds + gapGraceSeconds) < now.toISOString();
  const reason = feed.failingSince === undefined ? 'not-polled' : feed.lastProblem?.reason;
  return isDue ? interruptedBy(feed, reason, now) : undefined;
};

/** Whether the feed, as far as it is known here, is to be told of as interrupted by now. */
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
 * Told once, when the picture is stale, and as of the first millisecond of that, which is no poll's instant: those are
 * whole seconds. Where there never was a picture, it is told when polls have failed for as long.
 */
const withInterruption = (feed: Feed, at: string): Feed => {
  const since = feed.asOf ?? feed.failingSince;
  const isDue = since !== undefined && secondsLater(since, staleAfterSeconds) <= at && feed.status !== 'interrupted';
  return isDue ? { ...feed, status: 'interrupted', statusSince: secondsLater(since, staleAfterSeconds + 0.001) } : feed;
};

/** So long a record without an id may be somebody's; one that is in every answer is evidently nobody's. */
const unidentifiedForMs = 5 * 60_000;

/** What is to be believed of an answer, and the feed that remembers since when there is a doubt. */
export interface IdentifiedLogins {
  readonly feed: Feed;
  readonly logins: AgentLogins;
}

/** An answer as it is believed: once every answer of some minutes has had records without an id, they count for nobody. */
export const ignoreUnidentified = (feed: Feed, seen: AgentLogins, now: Date): IdentifiedLogins => {
  const { unidentifiedSince: since = now.toISOString(), ...poller } = feed.poller;
  if (!seen.unreadable.some(isUnidentified)) return { feed: { ...feed, poller }, logins: seen };

  const isOver = now.getTime() - Date.parse(since) > unidentifiedForMs;
  const unreadable = isOver ? seen.unreadable.filter((record) => !isUnidentified(record)) : seen.unreadable;
  return { feed: { ...feed, poller: { ...poller, unidentifiedSince: since } }, logins: { ...seen, unreadable } };
};
