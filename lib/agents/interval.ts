import * as z from 'zod';
import { midnights } from '../core/instant.ts';
import { field, instant, seconds } from '../schema/field.ts';
import { AgentFacts, type CurrentAgent } from './agent.ts';

/** The time of a poll, and the zone whose midnights divide timelines. */
export interface PollMoment {
  /** When the request was sent: an ISO instant in whole seconds. */
  readonly at: string;
  /** When its changes are written (ISO instant). */
  readonly recordedAt: string;
  readonly timeZone: string;
}

/**
 * A piece of an agent's timeline in one state. It ends when the state changes or the day ends, so the intervals of a day
 * add up to the time logged in on that day. The last one is open.
 */
export const Interval = z
  .object({
    agentId: AgentFacts.shape.agentId,
    state: AgentFacts.shape.state,
    stateAsSent: AgentFacts.shape.stateAsSent,
    since: field(instant, 'When the agent entered the state: before `from` on a later day.'),
    from: field(instant, 'When the interval begins: with the state, or at midnight in the account’s zone.'),
    to: field(instant.optional(), 'When the interval ended; absent while it is open, and then known up to `asOf`.'),
    seconds: field(seconds.optional(), 'How long the interval was; absent while it is open.'),
  })
  .meta({ title: 'Interval' });
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
