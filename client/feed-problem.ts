import type { FeedNow } from '../lib/contract/rows.ts';
import type { ServiceProblem } from '../lib/service/service.ts';

/**
 * Where to look for a problem of the feed. While the poller cannot write to the table it cannot report that either. A
 * reader then concludes from the age of the last attempt that nothing is written, but not why: `poller-or-table`.
 * `unknown`: the last attempt is recent, and its result is not written yet.
 */
export type FeedSide = 'service' | 'credentials' | 'rate-limit' | 'poller' | 'poller-or-table' | 'unknown';

export interface FeedProblem {
  readonly side: FeedSide;
  /** Why the latest poll failed; absent where the poller has not written it. */
  readonly reason?: ServiceProblem;
  /** When it began, as an ISO instant. Of a problem that is over: when it was last met. Absent if the feed has no row. */
  readonly since?: string;
}

/** What is wrong with the feed, and what was wrong before. */
export interface FeedDiagnosis {
  /** Undefined while polls succeed, and until the first poll is over. */
  readonly now: FeedProblem | undefined;
  /** The last problem that the poller has written, if it is not the present one. */
  readonly before: FeedProblem | undefined;
}

/** Every other problem is the service's. */
const sides: Partial<Record<ServiceProblem, FeedSide>> = {
  unsendable: 'credentials',
  unauthorised: 'credentials',
  rejected: 'credentials',
  'no-token': 'credentials',
  'rate-limited': 'rate-limit',
  'token-limit': 'rate-limit',
  'token-renewed': 'rate-limit',
  aborted: 'poller',
  'not-polled': 'poller-or-table',
};

/** Attempts are 15 seconds apart, or a minute while the rate limit is used up. An older one was not followed by another. */
const attemptOverdueMs = 90_000;

/**
 * What is wrong with the feed now, since when, and on which side; and what was wrong before. A feed is undefined if it
 * has no row, as the poller has never written one.
 * @example
 * const { feed } = await callfeed.feed();
 * const { now } = diagnoseFeed(feed, new Date());
 * if (now?.side === 'credentials') remind('The key of the telephony service is rejected');
 */
export const diagnoseFeed = (feed: FeedNow | undefined, now: Date): FeedDiagnosis => {
  if (feed === undefined) return { now: { side: 'poller-or-table' }, before: undefined };

  const { failingSince, lastProblem, asOf } = feed;
  const before = lastProblem && { ...feedProblemOf(lastProblem.reason), since: lastProblem.at };
  const writtenAt = lastWrittenAt(feed);
  if (writtenAt !== undefined && now.getTime() - Date.parse(writtenAt) > attemptOverdueMs)
    return { now: { side: 'poller-or-table', since: writtenAt }, before };
  if (failingSince !== undefined && lastProblem !== undefined)
    return { now: { ...feedProblemOf(lastProblem.reason), since: failingSince }, before: undefined };

  const isStale = feed.staleAt !== undefined && now.toISOString() > feed.staleAt;
  return { now: isStale && asOf !== undefined ? { side: 'unknown', since: asOf } : undefined, before };
};

/** The problem of which a poll failed for this reason. */
export const feedProblemOf = (reason: ServiceProblem): FeedProblem => ({ side: sides[reason] ?? 'service', reason });

/** The last sign that the poller writes to the table, or will after a pause. Its results come after the attempt. */
const lastWrittenAt = ({ attemptedAt, pausedUntil, asOf, failingSince, lastProblem }: FeedNow): string | undefined =>
  [attemptedAt, pausedUntil, asOf, failingSince, lastProblem?.at]
    .filter((instant) => instant !== undefined)
    .sort()
    .at(-1);

const sentences: Readonly<Record<FeedSide, string>> = {
  service: 'the telephony service does not answer as it should',
  credentials: 'the telephony service rejects the key or gives no token',
  'rate-limit': 'the telephony service’s limit of requests is used up',
  poller: 'the poller does not finish its polls',
  'poller-or-table': 'the poller writes nothing: it does not run, has no accounts, or cannot use the table',
  unknown: 'polls bring no answer; the reason is known within a minute and a half',
};

/**
 * A problem for people.
 * @example feedProblemText({ side: 'service', reason: 'timeout' }) // 'the telephony service does not answer … (timeout)'
 */
export const feedProblemText = ({ side, reason }: FeedProblem): string =>
  reason === undefined ? sentences[side] : `${sentences[side]} (${reason})`;
