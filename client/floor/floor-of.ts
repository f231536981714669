import type { AgentNow, FeedNow } from '../../lib/contract/rows.ts';
import type { Floor } from '../picture.ts';
import { freshnessOf } from './freshness-of.ts';

/** What a floor's rows say, however old they are. */
export interface FloorRows {
  readonly feed: FeedNow | undefined;
  readonly agents: readonly AgentNow[];
}

/** The floor by a reader's clock. */
export const floorOf = ({ feed, agents }: FloorRows, now: Date): Floor => {
  const picture = freshnessOf(feed, now);
  switch (picture.freshness) {
    case 'none':
      return picture;
    case 'live':
      return { ...picture, agents };
    case 'stale':
      return { ...picture, lastKnownAgents: agents };
  }
};
