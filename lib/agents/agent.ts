import { withoutUndefined } from '../core/collections.ts';
import { compare } from '../core/text.ts';
import { midnights } from '../core/time.ts';
import { loggedOut } from '../telephony/agent-fields.ts';
import type { Agent, AgentFacts, Interval } from './schema.ts';

/**
 * What an agent's details are compared by. Skills are a set: another order is no change. `extra` is not compared. It may
 * hold anything, such as a counter that differs in every answer, and then every poll would write and publish each agent.
 */
export const detailsOf = ({ name, phoneNumber, skills }: Pick<AgentFacts, 'name' | 'phoneNumber' | 'skills'>) => ({
  name,
  phoneNumber,
  skills: skills?.toSorted(compare),
});

/** An agent's row without its keys. */
export interface CurrentAgent extends Readonly<Agent> {
  /** Counts the agent's published changes since the log-in, from 1. */
  readonly version: number;
  /** The poll that found the latest published change (ISO instant). */
  readonly changedAt: string;
  /** When that change was written (ISO instant). */
  readonly recordedAt: string;
  /** When the open interval of the timeline begins: with the state, or at the latest local midnight. */
  readonly intervalFrom: string;
}

/** What readers see of an agent. */
export const agentIn = (current: CurrentAgent): Agent => {
  const { agentId, name, phoneNumber, state, stateAsSent, skills, extra, since, loggedInSince } = current;
  return withoutUndefined({ agentId, name, phoneNumber, state, stateAsSent, skills, extra, since, loggedInSince });
};

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
