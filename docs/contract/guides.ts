import { eventSource } from '../../lib/contract/call-events.ts';
import type { EventType } from '../../lib/contract/events.ts';
import type { RowName } from './schemas.ts';

interface EventGuide {
  readonly when: string;
  /** An example of a rule that selects some of the events, by their detail. */
  readonly narrowed: { readonly to: string; readonly detail: object };
}

/** Selects some events of a type, as the example of its guide. */
export const narrowing = (type: EventType) => ({
  source: [eventSource],
  'detail-type': [type],
  detail: eventGuides[type].narrowed.detail,
});

export const eventGuides: Readonly<Record<EventType, EventGuide>> = {
  'Call Summary Recorded': {
    when:
      'A call is stored for the first time, usually some seconds after it ended. ' +
      '`occurredAt` is its end, else its start, else `approximateAt`, else the receipt.',
    narrowed: {
      to: 'answered calls of a skill',
      detail: { call: { status: ['answered'], skillName: ['General'] } },
    },
  },
  'Call Summary Revised': {
    when:
      'A later delivery changed a call, often by the disposition, minutes after the call. ' +
      '`occurredAt` is the receipt of that delivery. The event has the full call.',
    narrowed: { to: 'another disposition', detail: { changedFields: ['dispositions'] } },
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
      '`recordings=archive`, once for each recording.',
    narrowed: { to: 'recordings in MP3', detail: { recording: { contentType: ['audio/mpeg'] } } },
  },
  'Agent Logged In': {
    when: 'An agent appears in the list of logged-in agents. How long they had been logged out is not known.',
    narrowed: { to: 'agents with a skill', detail: { current: { skills: ['General'] } } },
  },
  'Agent State Changed': {
    when: 'An agent’s state differs from the poll before.',
    narrowed: { to: 'into a call', detail: { current: { state: ['in-call'] } } },
  },
  'Agent Details Changed': {
    when:
      'An agent’s name, number or skills differ from the poll before. Another order of the skills or another value in ' +
      '`extra` is no difference. The state may be unchanged, so do not add up `secondsInPreviousState` of these events. ' +
      'If the state changed too, there are two events with one `version`.',
    narrowed: { to: 'other skills', detail: { changedFields: ['skills'] } },
  },
  'Agent Logged Out': {
    when: 'An agent is no longer in the list. A failed poll logs nobody out.',
    narrowed: { to: 'agents who were idle', detail: { previous: { state: ['idle'] } } },
  },
  'Agent Feed Interrupted': {
    when:
      'No poll has succeeded for 30 seconds, because two or more failed or nobody polled. Published once. Until the feed ' +
      'is restored, nobody knows who is logged in.',
    narrowed: { to: 'no answer', detail: { reason: ['connection', 'timeout'] } },
  },
  'Agent Feed Restored': {
    when: 'A poll succeeds again. Published once.',
    narrowed: { to: '30 seconds or more', detail: { secondsInterrupted: [{ numeric: ['>=', 30] }] } },
  },
};

interface RowGuide {
  readonly where: string;
  readonly description: string;
}

/** The rows of the Calls table. */
export const callRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  Call: {
    where: 'At `pk = account#callId`, `sk = call`',
    description: 'one for each call, however it was posted, and however many legs it has.',
  },
  CallParticipant: {
    where: 'At `pk = account#callId`, `sk = participant#participantId`',
    description: 'one for each participant, in the call’s partition.',
  },
  ListedCall: {
    where: 'In the indexes `byTime`, `byCustomer`, `byAgent` and `byLateRecording`',
    description:
      'the fields that lists need, without a second read. The table itself has such a row for each further agent of a ' +
      'call (`kind` `agent-entry`), with long texts truncated to 150 characters. Read it through the index.',
  },
  Recording: {
    where: 'At `pk = account#callId#recordings`, `sk = recordingId`',
    description:
      'what became of each recording of a call, in a partition of its own. Only with `recordings=archive`. The index ' +
      '`byTime` lists recordings that were asked for in vain at `accountCalls = account#recordings#status`.',
  },
};

/** The rows of the Agents table. */
export const agentRows: Readonly<Partial<Record<RowName, RowGuide>>> = {
  AgentNow: {
    where: 'At `pk = account`, `sk = agent#agentId`',
    description: 'one for each logged-in agent, true for the feed’s `asOf`.',
  },
  AgentInState: { where: 'In the index `byState`', description: 'the same agents, by their state.' },
  FeedNow: {
    where: 'At `pk = account`, `sk = feed`',
    description: 'how old the rows of agents are. Check it before you rely on an agent’s row.',
  },
  AgentInterval: {
    where: 'At `pk = account#agent#agentId`, `sk = from`',
    description: 'a part of an agent’s day in one state. It continues unchanged through an interruption of the feed.',
  },
  FloorSnapshot: {
    where: 'At `pk = account#floor`, `sk = at#part`, the part in three digits',
    description:
      'all agents who were logged in from an instant on. A snapshot is written whenever something changes, when a day ' +
      'begins, and when the feed is interrupted or restored.',
  },
  FeedChange: {
    where: 'At `pk = account#feed`, `sk = at`',
    description: 'one for each start and each end of an interruption of the feed.',
  },
};
