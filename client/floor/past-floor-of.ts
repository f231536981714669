import type { PastFloor } from '../../lib/contract/rows.ts';
import { staleAfterSeconds } from '../../lib/feed/feed.ts';
import type { FloorAt } from '../picture.ts';

/** While polls succeed, a floor is kept at least once on every day of the account's calendar: one has 25 hours. */
const longestLiveMs = (25 * 3600 + staleAfterSeconds) * 1000;

/** The floor at a moment, from the parts of the newest one that was kept by then; undefined if there are none. */
export const pastFloorOf = (parts: readonly PastFloor[], moment: string): FloorAt | undefined => {
  const [floor] = parts;
  if (floor === undefined) return undefined;

  const { at, asOf, status } = floor;
  const agents = parts.flatMap((part) => part.agents);
  const isKeptUp = Date.parse(moment) - Date.parse(at) <= longestLiveMs;
  return status === 'live' && asOf !== undefined && isKeptUp
    ? { freshness: 'live', at, asOf, agents }
    : { freshness: 'stale', at, asOf, lastKnownAgents: agents };
};
