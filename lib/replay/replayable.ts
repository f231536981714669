import type { EventType } from '../contract/event-schemas.ts';
import { callEventType } from '../publish/call-event-of.ts';
import { feedEventTypes } from '../publish/feed-event-of.ts';
import type { Facts } from '../record/delivery.ts';

/** The types of event that rows of calls make. */
const callTypes = [callEventType('call', 1), callEventType('call', 2), callEventType('participant', 1)];

/** And those that rows about the feed make. */
const feedTypes = Object.values(feedEventTypes);

/**
 * Of which table's rows events can be told again. Those of an agent's log-in, log-out and changes tell of moments, of which
 * there is no row.
 */
export const replayableTypes: Readonly<Record<'calls' | 'agents', readonly EventType[]>> = {
  calls: callTypes,
  agents: feedTypes,
};

/** The event that a row makes as it stands, by its `detail-type`; undefined if it makes none. */
export const eventTypeOfRow = ({ kind, revision, status }: Facts): EventType | undefined => {
  if (kind === 'call' || kind === 'participant') return callEventType(kind, Number(revision));
  return kind === 'feed-change' && (status === 'live' || status === 'interrupted') ? feedEventTypes[status] : undefined;
};
