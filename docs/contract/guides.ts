import { eventSource } from '../../lib/contract/call-events.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { RowName } from './schemas.ts';

/** The part of EventBridge's patterns that the page uses. */
export interface RulePattern {
  readonly source: readonly [typeof eventSource];
  readonly 'detail-type': readonly EventType[];
  readonly detail?: object;
}

/** The text of an event's section, besides its fields. */
interface EventGuide {
  readonly when: string;
  /** An example of a narrower rule, and the events that it selects. */
  readonly narrowed: { readonly to: string; readonly detail: object };
}

/** Selects every event of a type. */
export const selecting = (type: EventType): RulePattern => ({ source: [eventSource], 'detail-type': [type] });

/** Selects some events of a type. */
export const narrowing = (type: EventType): RulePattern => ({
  ...selecting(type),
  detail: eventGuides[type].narrowed.detail,
});

/** When each event is published, and an example of a narrower rule. */
export const eventGuides: Readonly<Record<EventType, EventGuide>> = {
  'Call Summary Recorded': {
    when:
      'A call is stored for the first time, usually some seconds after it ended. ' +
      '`occurredAt` is its end, else its start, else `approximateAt`, else the receipt.',
    narrowed: {
      to: 'answered calls of the skill General',
      detail: { call: { status: ['answered'], skillName: ['General'] } },
    },
  },
  'Call Summary Revised': {
    when:
      'A later delivery changed a call. Often it adds the agent’s disposition, minutes after the call. ' +
      '`occurredAt` is the receipt of that delivery. The event has the full call, as it is now.',
    narrowed: { to: 'calls whose disposition changed', detail: { changedFields: ['dispositions'] } },
  },
  'Call Participant Recorded': {
    when:
      'A participant of a call is stored (`revision` 1) or changed (above 1). Only accounts with advanced callbacks ' +
      'have participants.',
    narrowed: { to: 'new participants', detail: { revision: [1] } },
  },
  'Call Recording Archived': {
    when:
      'The recording of a call is whole in the deployment’s bucket, usually seconds after the call’s event. Only with ' +
      '`recordings=archive`. Published once for each recording.',
    narrowed: { to: 'recordings in MP3', detail: { recording: { contentType: ['audio/mpeg'] } } },
  },
  'Agent Logged In': {
    when: 'An agent appears in the list of logged-in agents. How long they had been logged out is not known.',
    narrowed: { to: 'agents with the skill General', detail: { current: { skills: ['General'] } } },
  },
  'Agent State Changed': {
    when: 'An agent’s state differs from the poll before.',
    narrowed: { to: 'agents who went into a call', detail: { current: { state: ['in-call'] } } },
  },
  'Agent Details Changed': {
    when:
      'An agent’s name, number or skills differ from the poll before. Another order of the skills or another value in ' +
      '`extra` is no difference. The state may be unchanged, so do not add up `secondsInPreviousState` of these events. ' +
      'If the state changed too, there are two events with one `version`.',
    narrowed: { to: 'agents whose skills have changed', detail: { changedFields: ['skills'] } },
  },
  'Agent Logged Out': {
    when: 'An agent is no longer in the list. A failed poll logs nobody out.',
    narrowed: { to: 'agents who were idle', detail: { previous: { state: ['idle'] } } },
  },
  'Agent Feed Interrupted': {
    when:
      'No poll has succeeded for 30 seconds, because two or more failed or nobody polled. Published once. Until the feed ' +
      'is restored, it is not known who is logged in.',
    narrowed: { to: 'interruptions because the service did not answer', detail: { reason: ['connection', 'timeout'] } },
  },
  'Agent Feed Restored': {
    when: 'A poll succeeds again. Published once.',
    narrowed: {
      to: 'interruptions of at least 30 seconds',
      detail: { secondsInterrupted: [{ numeric: ['>=', 30] }] },
    },
  },
};

/** The text of a row's section, besides its attributes. */
export interface RowGuide {
  readonly where: string;
  readonly description: string;
  /** Selects the row that is the example. */
  readonly isExample: (row: Readonly<Record<string, unknown>>) => boolean;
}

const hasKind = (kind: string) => (row: Readonly<Record<string, unknown>>) => row['kind'] === kind;

/** The rows of the Calls table. */
export const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: '`pk = account#callId`, `sk = call`',
    description: 'One for each call, however it was posted, and however many legs it has.',
    isExample: (row) => row['kind'] === 'call' && row['revision'] === 2,
  },
  CallParticipant: {
    where: '`pk = account#callId`, `sk = participant#participantId`',
    description: 'One for each participant, in the call’s partition.',
    isExample: hasKind('participant'),
  },
  ListedCall: {
    where: 'in the indexes `byTime`, `byCustomer`, `byAgent` and `byLateRecording`',
    description:
      'The fields that lists need, without a second read; the call’s row has all fields. The table itself has such a row ' +
      'for each further agent of a call (`kind` `agent-entry`), with long texts truncated to 150 characters. ' +
      'Read it through the index.',
    isExample: hasKind('agent-entry'),
  },
  Recording: {
    where: '`pk = account#callId#recordings`, `sk = recordingId`',
    description:
      'What became of each recording of a call, in a partition of its own. Only with `recordings=archive`. The index ' +
      '`byTime` lists those that were asked for in vain at `accountCalls = account#recordings#status`.',
    isExample: hasKind('recording'),
  },
};

/** The rows of the Agents table. */
export const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: '`pk = account`, `sk = agent#agentId`',
    description: 'One for each logged-in agent, true for the feed’s `asOf`.',
    isExample: hasKind('agent'),
  },
  AgentInState: {
    where: 'in the index `byState`',
    description: 'The same agents, by their state.',
    isExample: hasKind('agent'),
  },
  FeedNow: {
    where: '`pk = account`, `sk = feed`',
    description: 'How old the rows of agents are. Check it before you rely on an agent’s row.',
    isExample: hasKind('feed'),
  },
  AgentInterval: {
    where: '`pk = account#agent#agentId`, `sk = from`',
    description: 'A part of an agent’s day in one state. It continues unchanged through an interruption of the feed.',
    isExample: (row) => row['kind'] === 'interval' && row['state'] === 'in-call',
  },
  FloorSnapshot: {
    where: '`pk = account#floor`, `sk = at#part`, the part in three digits',
    description:
      'All agents who were logged in from an instant on. A snapshot is written whenever something changes, when a day ' +
      'begins, and when the feed is interrupted or restored.',
    isExample: (row) => row['kind'] === 'floor' && row['status'] === 'interrupted',
  },
  FeedChange: {
    where: '`pk = account#feed`, `sk = at`',
    description: 'One for each start and each end of an interruption of the feed.',
    isExample: (row) => row['kind'] === 'feed-change' && row['status'] === 'interrupted',
  },
};
