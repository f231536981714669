import { eventSource } from '../../lib/contract/call-events.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { RowName } from './schemas.ts';

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

/** What the page says of a row beside its attributes. */
export interface RowGuide {
  readonly where: string;
  readonly description: string;
  /** Which of the examples is shown. */
  readonly isExample: (row: Readonly<Record<string, unknown>>) => boolean;
}

const hasKind = (kind: string) => (row: Readonly<Record<string, unknown>>) => row['kind'] === kind;

/** The rows of the Calls table. */
export const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: '`pk = account#callId`, `sk = leg#leg`',
    description:
      'One for each call, or for each leg of a call that has several; `main` is the leg of a call that has only one.',
    isExample: (row) => row['kind'] === 'call' && row['revision'] === 2,
  },
  CallParticipant: {
    where: '`pk = account#callId`, `sk = participant#participantId`',
    description: 'One for each participant, beside the call.',
    isExample: hasKind('participant'),
  },
  ListedCall: {
    where: 'in the indexes `byTime`, `byCustomer` and `byAgent`',
    description:
      'What a list shows of a call without a second read; the call’s row has the rest. In the table itself such a row ' +
      'exists for each further agent of a call (`kind` `agent-entry`); long texts in it are truncated to 150 characters. ' +
      'Read it through the index.',
    isExample: hasKind('agent-entry'),
  },
};

/** The rows of the Agents table. */
export const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: '`pk = account`, `sk = agent#agentId`',
    description: 'One for each agent who is logged in, true for the feed’s `asOf`.',
    isExample: hasKind('agent'),
  },
  AgentInState: {
    where: 'in the index `byState`',
    description: 'The same agents by what they are doing.',
    isExample: hasKind('agent'),
  },
  FeedNow: {
    where: '`pk = account`, `sk = feed`',
    description: 'How old the picture is. Look here before you believe an agent’s row.',
    isExample: hasKind('feed'),
  },
  AgentInterval: {
    where: '`pk = account#agent#agentId`, `sk = from`',
    description: 'A piece of an agent’s day in one state. Through an interruption of the feed it goes on as it was.',
    isExample: (row) => row['kind'] === 'interval' && row['state'] === 'in-call',
  },
  FloorSnapshot: {
    where: '`pk = account#floor`, `sk = at#part`, the part in three digits',
    description:
      'Everybody who was logged in from an instant on. A floor is kept whenever something changes, when a day begins, and ' +
      'when the feed is interrupted or restored.',
    isExample: (row) => row['kind'] === 'floor' && row['status'] === 'interrupted',
  },
  FeedChange: {
    where: '`pk = account#feed`, `sk = at`',
    description: 'One for each interruption of the feed, and one for its end.',
    isExample: (row) => row['kind'] === 'feed-change' && row['status'] === 'interrupted',
  },
};
