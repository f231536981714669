import { backOffAfter } from './back-off.ts';
import { type Feed, staleAfterSeconds } from './feed.ts';
import type { PollFailure } from './problem.ts';

/** What is said of the floor in the feed's row. */
export interface Picture {
  /** ISO instant: when the service was asked. */
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly unreadableRecords: number;
}

const later = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();

/** The feed after a poll that showed the floor. */
export const answered = (feed: Feed, { at, counts, unreadableRecords }: Picture): Feed => {
  const { failingSince: _failing, ...rest } = feed;
  const { backOff: _backOff, pendingAt: _pending, ...poller } = feed.poller;
  return {
    ...rest,
    ...(feed.status !== 'live' && { status: 'live' as const, statusSince: at }),
    asOf: at,
    staleAt: later(at, staleAfterSeconds),
    agentCount: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    unreadableRecords,
    version: feed.version + 1,
    poller: { ...poller, unsettled: false },
  };
};

/** The feed after a poll that showed nothing: the picture stays as it was. */
export const failing = (feed: Feed, failure: PollFailure, now: Date): Feed => {
  const at = now.toISOString();
  const backOff = backOffAfter(failure, feed.poller.backOff, now);
  return withInterruption(
    {
      ...feed,
      failingSince: feed.failingSince ?? at,
      lastProblem: { reason: failure.reason, at },
      version: feed.version + 1,
      poller: { ...feed.poller, unsettled: false, ...(backOff && { backOff }) },
    },
    at,
  );
};

/** The feed after a slot in which nothing may be asked, or undefined if there is nothing to write about it. */
export const passedOver = (feed: Feed, now: Date): Feed | undefined => {
  const next = withInterruption(feed, now.toISOString());
  return next.status === feed.status ? undefined : { ...next, version: feed.version + 1 };
};

/** Told once, when the picture has become stale; where there never was one, when polls have failed for as long. */
const withInterruption = (feed: Feed, at: string): Feed => {
  const since = feed.asOf ?? feed.failingSince;
  const isDue = since !== undefined && later(since, staleAfterSeconds) <= at;
  return isDue && feed.status !== 'interrupted' ? { ...feed, status: 'interrupted', statusSince: at } : feed;
};
