import type { AgentEventType } from '../contract/agent-events.ts';
import { FeedChange } from '../feed/feed-change.ts';
import { secondsBetween } from '../floor/stretch.ts';
import { contentHash } from '../json/canonical-json.ts';
import { present } from '../present.ts';
import { replayedAt } from './replayed-at.ts';
import type { BusEvent, RowChange } from './row-change.ts';

/** What the `detail-type` of a feed's change is, by what it became. */
export const feedEventTypes = {
  live: 'Agent Feed Restored',
  interrupted: 'Agent Feed Interrupted',
} as const satisfies Record<FeedChange['status'], AgentEventType>;

/** The event that a new row about the feed makes; the row never changes, but may be marked to be told again. */
export const feedEventOf = (change: RowChange): BusEvent | undefined => {
  const { before, after } = change;
  const again = replayedAt(change);
  if (after === undefined || (before !== undefined && again === undefined)) return undefined;

  const { account, status, at, asOf, previousSince, reason, recordedAt } = FeedChange.parse(after);
  const about = status === 'interrupted' ? { reason } : restoration(previousSince, at);
  const id = contentHash(['feed', account, status, at]);
  return {
    type: feedEventTypes[status],
    key: `feed ${account}`,
    detail: present({ schemaVersion: 1, id, account, occurredAt: at, recordedAt, replayedAt: again, asOf, ...about }),
  };
};

const restoration = (interruptedAt: string, at: string) => ({
  interruptedAt,
  secondsInterrupted: Math.round(secondsBetween(interruptedAt, at)),
});
