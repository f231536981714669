import type { FeedNow } from '../../lib/contract/rows.ts';
import { staleAfterSeconds } from '../../lib/feed/feed.ts';
import type { Freshness } from '../picture.ts';

/** After which millisecond since the epoch a picture is stale. */
export const staleAfterMs = ({ staleAt }: FeedNow, asOf: string): number =>
  staleAt === undefined ? Date.parse(asOf) + staleAfterSeconds * 1000 : Date.parse(staleAt);

/**
 * How old the picture is, by the reader's own clock: whoever should have noted that it is kept up no more may have
 * stopped too. A clock that is behind finds no picture of the future, but one of no age.
 */
export const freshnessOf = (feed: FeedNow | undefined, now: Date): Freshness => {
  if (feed?.asOf === undefined) return { freshness: 'none', feed };

  const { asOf, status } = feed;
  const isStale = status !== 'live' || now.getTime() > staleAfterMs(feed, asOf);
  const ageSeconds = Math.max(0, (now.getTime() - Date.parse(asOf)) / 1000);
  return { freshness: isStale ? 'stale' : 'live', feed, asOf, ageSeconds };
};
