import * as z from 'zod/mini';
import { Agent } from '../agents/schema.ts';
import { serviceProblems } from '../service/service.ts';
import { field, instant, nonEmpty, seconds } from '../storage/field.ts';
import { loggedOut } from '../telephony/vocabularies.ts';
import { Envelope } from './call-events.ts';

const agentId = field(nonEmpty, 'The agent, by login id.');
const version = field(
  z.int().check(z.positive()),
  'Counts the changes of the agent since the log-in, from 1, without a gap.',
);
const current = field(Agent, 'The agent from now on.');
const previous = field(Agent, 'The agent until now.');
const secondsInPreviousState = field(seconds, 'How long the agent had been in `previous.state`.');

/** Published when an agent appears in the list. How long they had been away is not known. */
export const AgentLoggedIn = z
  .strictObject({
    ...Envelope,
    agentId,
    version,
    previous: field(z.strictObject({ state: z.literal(loggedOut) }), 'The agent was not logged in.'),
    current,
  })
  .register(z.globalRegistry, { title: 'Agent Logged In' });
export type AgentLoggedIn = z.infer<typeof AgentLoggedIn>;

/** Published when an agent's state changes. `occurredAt` is the poll that saw it: up to 15 seconds late. */
export const AgentStateChanged = z
  .strictObject({ ...Envelope, agentId, version, previous, current, secondsInPreviousState })
  .register(z.globalRegistry, { title: 'Agent State Changed' });
export type AgentStateChanged = z.infer<typeof AgentStateChanged>;

/** Published when an agent's name, number or skills change, in addition to a change of state. */
export const AgentDetailsChanged = z
  .strictObject({
    ...Envelope,
    agentId,
    version,
    changedFields: field(
      z.readonly(z.array(z.enum(['name', 'phoneNumber', 'skills']))),
      'The fields that are different.',
    ),
    previous,
    current,
    secondsInPreviousState,
  })
  .register(z.globalRegistry, { title: 'Agent Details Changed' });
export type AgentDetailsChanged = z.infer<typeof AgentDetailsChanged>;

/** Published when an agent is no longer in the list. A failed poll logs nobody out. */
export const AgentLoggedOut = z
  .strictObject({ ...Envelope, agentId, version, previous, current, secondsInPreviousState })
  .register(z.globalRegistry, { title: 'Agent Logged Out' });
export type AgentLoggedOut = z.infer<typeof AgentLoggedOut>;

const asOf = field(z.optional(instant), 'For which instant the rows of agents are true; absent if there are none.');

/** Published once when the agents' rows are stale, and two polls or more have failed or were not made. */
export const AgentFeedInterrupted = z
  .strictObject({
    ...Envelope,
    asOf,
    reason: field(z.optional(z.enum(serviceProblems)), 'Why the latest poll failed.'),
  })
  .register(z.globalRegistry, { title: 'Agent Feed Interrupted' });
export type AgentFeedInterrupted = z.infer<typeof AgentFeedInterrupted>;

/** Published once when polls succeed again. */
export const AgentFeedRestored = z
  .strictObject({
    ...Envelope,
    asOf,
    interruptedAt: field(instant, 'When the interruption began.'),
    secondsInterrupted: field(seconds, 'How long the interruption lasted.'),
  })
  .register(z.globalRegistry, { title: 'Agent Feed Restored' });
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
