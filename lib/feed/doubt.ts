import { isNameless, type SeenFloor } from '../agent-login/seen-floor.ts';
import type { Feed } from './feed.ts';

/** So long a record without an id may be somebody's; one that is in every answer is evidently nobody's. */
const longestMs = 5 * 60_000;

/** What is to be believed of an answer, and the feed that remembers since when there is a doubt. */
export interface Believed {
  readonly feed: Feed;
  readonly seen: SeenFloor;
}

/** An answer as it is believed: once every answer of some minutes has had records without an id, they count for nobody. */
export const believed = (feed: Feed, seen: SeenFloor, now: Date): Believed => {
  const { doubtSince: since = now.toISOString(), ...poller } = feed.poller;
  if (!seen.unreadable.some(isNameless)) return { feed: { ...feed, poller }, seen };

  const isOver = now.getTime() - Date.parse(since) > longestMs;
  const unreadable = isOver ? seen.unreadable.filter((record) => !isNameless(record)) : seen.unreadable;
  return { feed: { ...feed, poller: { ...poller, doubtSince: since } }, seen: { ...seen, unreadable } };
};
