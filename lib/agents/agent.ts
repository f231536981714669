import * as z from 'zod/mini';
import { compare } from '../core/text.ts';
import { midnights } from '../core/time.ts';
import { field, instant, seconds, text, texts } from '../schema/field.ts';
import { loggedInStates, loggedOut } from '../telephony/agent-fields.ts';

/** What one answer reports about an agent. Blank fields are absent. */
export const AgentFacts = z
  .strictObject({
    agentId: field(text, 'The login id, as in calls.', { origin: 'AgentId' }),
    name: field(z.optional(text), 'The agent’s name.', { origin: 'AgentName', personal: true }),
    phoneNumber: field(z.optional(text), 'The phone number of the log-in.', {
      origin: 'PhoneNumber',
      personal: true,
    }),
    state: field(z.enum([...loggedInStates, loggedOut]), 'What the agent is doing.', {
      origin: 'AgentState',
    }),
    stateAsSent: field(z.optional(text), 'The state as sent; absent after the log-out.', {
      origin: 'AgentState',
      personal: true,
    }),
    skills: field(z.optional(texts), 'The skills in the order sent, each once.', { origin: 'SkillName' }),
    extra: field(
      z.optional(z.record(z.string(), text)),
      'Undocumented fields, as sent with the latest change; no change by themselves.',
      { personal: true },
    ),
  })
  .register(z.globalRegistry, { title: 'Agent facts' });
export type AgentFacts = z.infer<typeof AgentFacts>;

/**
 * What an agent's details are compared by. Skills are a set: another order is no change. `extra` is not compared. It may
 * hold anything, such as a counter that differs in every answer, and then every poll would write and publish each agent.
 */
export const detailsOf = ({ name, phoneNumber, skills }: Pick<AgentFacts, 'name' | 'phoneNumber' | 'skills'>) => ({
  name,
  phoneNumber,
  skills: skills?.toSorted(compare),
});

/** An agent and the times of its state. Instants are those of polls, so they are up to 15 seconds late. */
export const Agent = z
  .strictObject({
    ...AgentFacts.shape,
    since: field(instant, 'When the agent entered this state.'),
    loggedInSince: field(instant, 'When the agent logged in.'),
  })
  .register(z.globalRegistry, { title: 'Agent' });
export type Agent = z.infer<typeof Agent>;

/** An agent's row without its keys. */
export const CurrentAgent = z.object({
  ...Agent.shape,
  /** Counts the agent's published changes since the log-in, from 1. */
  version: z.int().check(z.positive()),
  /** The poll that found the latest published change (ISO instant). */
  changedAt: z.string(),
  /** When that change was written (ISO instant). */
  recordedAt: z.string(),
  /** When the open interval of the timeline begins: with the state, or at the latest local midnight. */
  intervalFrom: z.string(),
});
export type CurrentAgent = Readonly<z.infer<typeof CurrentAgent>>;

/** Whether the agent has logged out. Its row stays for one write, so that the stream carries the log-out. */
export const isLoggedOut = ({ state }: Pick<CurrentAgent, 'state'>): boolean => state === loggedOut;

/** The time of a poll, and the zone whose midnights divide timelines. */
export interface PollMoment {
  /** When the request was sent: an ISO instant in whole seconds. */
  readonly at: string;
  /** When its changes are written (ISO instant). */
  readonly recordedAt: string;
  readonly timeZone: string;
}

/**
 * A piece of an agent's timeline in one state. It ends when the state changes or the day ends. So the intervals of a
 * day add up to the time logged in on that day. The last one is open.
 */
export const Interval = z
  .object({
    agentId: AgentFacts.shape.agentId,
    state: AgentFacts.shape.state,
    stateAsSent: AgentFacts.shape.stateAsSent,
    since: field(instant, 'When the state began, perhaps on an earlier day.'),
    from: field(instant, 'When it begins: with the state or at midnight.'),
    to: field(z.optional(instant), 'When it ended; absent while it is open.'),
    seconds: field(z.optional(seconds), 'How long it lasted; absent while it is open.'),
  })
  .register(z.globalRegistry, { title: 'Interval' });
export type Interval = Readonly<z.infer<typeof Interval>>;

/** The open interval in which the agent is now. */
export const openInterval = ({ agentId, state, stateAsSent, since, intervalFrom }: CurrentAgent): Interval => ({
  agentId,
  state,
  stateAsSent,
  since,
  from: intervalFrom,
});

/** The intervals that end with the agent's state: the open one, divided at every midnight since it began. */
export const closedIntervals = (agent: CurrentAgent, { at, timeZone }: PollMoment): readonly Interval[] => {
  const ends = [...midnights(agent.intervalFrom, at, timeZone).filter((midnight) => midnight < at), at];
  return ends.map((to, index) => closedInterval(agent, ends[index - 1] ?? agent.intervalFrom, to));
};

/** Where a state lasts into another day: the intervals of the days before, and a new open one. Otherwise none. */
export const splitAtMidnights = (agent: CurrentAgent, { at, timeZone }: PollMoment) => {
  const ends = midnights(agent.intervalFrom, at, timeZone);
  const intervalFrom = ends.at(-1) ?? agent.intervalFrom;
  const days = ends.map((to, index) => closedInterval(agent, ends[index - 1] ?? agent.intervalFrom, to));
  return {
    intervalFrom,
    timeline: days.length === 0 ? [] : [...days, openInterval({ ...agent, intervalFrom })],
  };
};

const closedInterval = (agent: CurrentAgent, from: string, to: string): Interval => ({
  ...openInterval(agent),
  from,
  to,
  seconds: secondsBetween(from, to),
});

/** The seconds from one instant to another. */
export const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
