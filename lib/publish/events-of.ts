import { agentEventsOf } from './agent-events-of.ts';
import { callEventOf } from './call-event-of.ts';
import { feedEventOf } from './feed-event-of.ts';
import type { BusEvent, RowChange } from './row-change.ts';

/**
 * The events that a change of a row makes, if any. They follow from the row's images alone, so a change that is read
 * twice makes the same events twice, with the same ids. Throws if the row was written by something else.
 */
export const eventsOf = (change: RowChange): readonly BusEvent[] => {
  const kind = change.after?.['kind'];
  if (kind === 'agent') return agentEventsOf(change);
  const event = kind === 'feed-change' ? feedEventOf(change) : callEventOf(change);
  return event === undefined ? [] : [event];
};
