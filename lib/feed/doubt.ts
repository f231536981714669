import { type SeenFloor, tellsNothing } from '../agent-login/seen-floor.ts';
import type { Feed } from './feed.ts';

/** So long a record that tells nothing may be anybody's; one that is in every answer is evidently nobody's. */
const longestMs = 5 * 60_000;

/** What is to be believed of an answer, and the feed that remembers since when there is a doubt. */
export interface Believed {
  readonly feed: Feed;
  readonly seen: SeenFloor;
}

/** An answer as it is believed: records that have told nothing in every answer for minutes count for nobody. */
export const believed = (feed: Feed, seen: SeenFloor, now: Date): Believed => {
  const { doubtSince: since = now.toISOString(), ...poller } = feed.poller;
  if (!seen.unreadable.some(tellsNothing)) return { feed: { ...feed, poller }, seen };

  const isOver = now.getTime() - Date.parse(since) > longestMs;
  const unreadable = isOver ? seen.unreadable.filter((record) => !tellsNothing(record)) : seen.unreadable;
  return { feed: { ...feed, poller: { ...poller, doubtSince: since } }, seen: { ...seen, unreadable } };
};
