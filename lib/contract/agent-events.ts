import * as z from 'zod/mini';
import { Agent } from '../agents/schema.ts';
import { serviceProblems } from '../service/service.ts';
import { eventKind } from '../storage/event.ts';
import { field, instant, nonEmpty, seconds } from '../storage/field.ts';
import { loggedOut } from '../telephony/vocabularies.ts';

const agentId = field(nonEmpty, 'The agent, by login id.');
const version = field(
  z.int().check(z.positive()),
  'Counts the changes of the agent since the log-in, from 1, without a gap.',
);
const current = field(Agent, 'The agent from now on.');
const previous = field(Agent, 'The agent until now.');
const secondsInPreviousState = field(seconds, 'How long the agent had been in `previous.state`.');

/** Published when an agent appears in the list. How long they had been away is not known. */
export const AgentLoggedIn = eventKind(
  'Agent Logged In',
  {
    agentId,
    version,
    previous: field(z.strictObject({ state: z.literal(loggedOut) }), 'The agent was not logged in.'),
    current,
  },
  {
    when: 'An agent appears in the list of logged-in agents. How long they had been logged out is not known.',
    narrowed: { to: 'agents with a skill', detail: { current: { skills: ['General'] } } },
  },
);
export type AgentLoggedIn = z.infer<typeof AgentLoggedIn>;

/** Published when an agent's state changes. `occurredAt` is the poll that saw it: up to 15 seconds late. */
export const AgentStateChanged = eventKind(
  'Agent State Changed',
  { agentId, version, previous, current, secondsInPreviousState },
  {
    when: 'An agent’s state differs from the poll before.',
    narrowed: { to: 'into a call', detail: { current: { state: ['in-call'] } } },
  },
);
export type AgentStateChanged = z.infer<typeof AgentStateChanged>;

/** Published when an agent's name, number or skills change, in addition to a change of state. */
export const AgentDetailsChanged = eventKind(
  'Agent Details Changed',
  {
    agentId,
    version,
    changedFields: field(
      z.readonly(z.array(z.enum(['name', 'phoneNumber', 'skills']))),
      'The fields that are different.',
    ),
    previous,
    current,
    secondsInPreviousState,
  },
  {
    when:
      'An agent’s name, number or skills differ from the poll before. Another order of the skills or another value in ' +
      '`extra` is no difference. The state may be unchanged, so do not add up `secondsInPreviousState` of these events. ' +
      'If the state changed too, there are two events with one `version`.',
    narrowed: { to: 'other skills', detail: { changedFields: ['skills'] } },
  },
);
export type AgentDetailsChanged = z.infer<typeof AgentDetailsChanged>;

/** Published when an agent is no longer in the list. A failed poll logs nobody out. */
export const AgentLoggedOut = eventKind(
  'Agent Logged Out',
  { agentId, version, previous, current, secondsInPreviousState },
  {
    when: 'An agent is no longer in the list. A failed poll logs nobody out.',
    narrowed: { to: 'agents who were idle', detail: { previous: { state: ['idle'] } } },
  },
);
export type AgentLoggedOut = z.infer<typeof AgentLoggedOut>;

const asOf = field(z.optional(instant), 'For which instant the rows of agents are true; absent if there are none.');

/** Published once when the agents' rows are stale, and two polls or more have failed or were not made. */
export const AgentFeedInterrupted = eventKind(
  'Agent Feed Interrupted',
  { asOf, reason: field(z.optional(z.enum(serviceProblems)), 'Why the latest poll failed.') },
  {
    when:
      'No poll has succeeded for 30 seconds, because two or more failed or nobody polled. Published once. Until the feed ' +
      'is restored, nobody knows who is logged in.',
    narrowed: { to: 'no answer', detail: { reason: ['connection', 'timeout'] } },
    replayedFrom: 'agents',
  },
);
export type AgentFeedInterrupted = z.infer<typeof AgentFeedInterrupted>;

/** Published once when polls succeed again. */
export const AgentFeedRestored = eventKind(
  'Agent Feed Restored',
  {
    asOf,
    interruptedAt: field(instant, 'When the interruption began.'),
    secondsInterrupted: field(seconds, 'How long the interruption lasted.'),
  },
  {
    when: 'A poll succeeds again. Published once.',
    narrowed: { to: '30 seconds or more', detail: { secondsInterrupted: [{ numeric: ['>=', 30] }] } },
    replayedFrom: 'agents',
  },
);
export type AgentFeedRestored = z.infer<typeof AgentFeedRestored>;

export const agentEvents = {
  'Agent Logged In': AgentLoggedIn,
  'Agent State Changed': AgentStateChanged,
  'Agent Details Changed': AgentDetailsChanged,
  'Agent Logged Out': AgentLoggedOut,
  'Agent Feed Interrupted': AgentFeedInterrupted,
  'Agent Feed Restored': AgentFeedRestored,
} as const;

export type AgentEventType = keyof typeof agentEvents;
