import { eventSource } from '../../lib/contract/envelope.ts';
import type { EventType } from '../../lib/contract/event-schemas.ts';

/** A pattern of EventBridge, as far as the page uses them. */
export interface RulePattern {
  readonly source: readonly [typeof eventSource];
  readonly 'detail-type': readonly EventType[];
  readonly detail?: object;
}

/** What the page says of an event beside its fields. */
interface EventGuide {
  readonly when: string;
  /** Part of a rule that takes only some of these events, and what those are. */
  readonly narrowed: { readonly to: string; readonly detail: object };
}

/** Selects every event of a type. */
export const selecting = (type: EventType): RulePattern => ({ source: [eventSource], 'detail-type': [type] });

/** Selects some of them. */
export const narrowing = (type: EventType): RulePattern => ({
  ...selecting(type),
  detail: eventGuides[type].narrowed.detail,
});

/**
 * Selects the calls that nobody took, whenever that becomes known: the service may say of a call first that it was, and
 * only later what became of it, or of which type it is; or never.
 */
export const missedCalls: RulePattern = {
  source: [eventSource],
  'detail-type': ['Call Summary Recorded', 'Call Summary Revised'],
  detail: { call: { status: ['not-answered'], type: ['inbound', { exists: false }] } },
};

/** When each event is told, and an example of a narrower rule. */
export const eventGuides: Readonly<Record<EventType, EventGuide>> = {
  'Call Summary Recorded': {
    when:
      'A call, or a leg of one, is heard of for the first time: usually some seconds after it ended. ' +
      '`occurredAt` is its end, else its start, else the receipt.',
    narrowed: {
      to: 'answered calls of the skill General',
      detail: { call: { status: ['answered'], skillName: ['General'] } },
    },
  },
  'Call Summary Revised': {
    when:
      'A later delivery changed what is known of a call: often the agent’s disposition, minutes after the call. ' +
      '`occurredAt` is the receipt of that delivery. The call is there in full, as it is now.',
    narrowed: { to: 'calls of which the disposition is new or another', detail: { changedFields: ['dispositions'] } },
  },
  'Call Participant Recorded': {
    when:
      'A participant of a call is heard of (`revision` 1) or changed (above 1). Only accounts with advanced callbacks ' +
      'have them.',
    narrowed: { to: 'participants when they are heard of first', detail: { revision: [1] } },
  },
  'Agent Logged In': {
    when: 'An agent appears in the list of those logged in. How long they had been away is not known.',
    narrowed: { to: 'agents with the skill General', detail: { current: { skills: ['General'] } } },
  },
  'Agent State Changed': {
    when: 'An agent’s state is another than at the poll before.',
    narrowed: { to: 'agents who have gone into a call', detail: { current: { state: ['in-call'] } } },
  },
  'Agent Details Changed': {
    when:
      'An agent’s name, number or skills are others than at the poll before. The state may go on, so that these ' +
      '`secondsInPreviousState` are not to be added up. Where the state has changed too, there are two events with one ' +
      '`version`.',
    narrowed: { to: 'agents whose skills have changed', detail: { changedFields: ['skills'] } },
  },
  'Agent Logged Out': {
    when: 'An agent is in the list no more. A poll that failed logs nobody out.',
    narrowed: { to: 'agents who were idle', detail: { previous: { state: ['idle'] } } },
  },
  'Agent Feed Interrupted': {
    when:
      'The picture of the floor has become 30 seconds old, as polls failed or nobody polled; told once. Until it is ' +
      'restored, who is logged in is not known.',
    narrowed: { to: 'times when the service did not answer', detail: { reason: ['connection', 'timeout'] } },
  },
  'Agent Feed Restored': {
    when: 'A poll succeeds again; told once.',
    narrowed: {
      to: 'interruptions of at least 30 seconds',
      detail: { secondsInterrupted: [{ numeric: ['>=', 30] }] },
    },
  },
};
