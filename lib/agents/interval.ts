import * as z from 'zod';
import { midnights } from '../core/instant.ts';
import { field, instant, seconds } from '../schema/field.ts';
import { AgentFacts, type CurrentAgent } from './agent.ts';

/** A poll's instant, when it is written down, and the zone whose midnights cut timelines. */
export interface PollMoment {
  /** ISO instant in whole seconds: when the service was asked. */
  readonly at: string;
  readonly recordedAt: string;
  readonly timeZone: string;
}

/**
 * A piece of an agent's timeline in one state. It lasts until the state changes or the day ends, so that each day's
 * pieces begin in it and add up to the time logged in. The last one is open.
 */
export const Interval = z
  .object({
    agentId: AgentFacts.shape.agentId,
    state: AgentFacts.shape.state,
    stateAsSent: AgentFacts.shape.stateAsSent,
    since: field(instant, 'Since when the agent had been in the state: earlier than `from` on a later day.'),
    from: field(instant, 'When the interval begins: with the state, or at midnight in the account’s zone.'),
    to: field(instant.optional(), 'When it ended; absent while it lasts, and then known up to the feed’s `asOf`.'),
    seconds: field(seconds.optional(), 'How long it was; absent while it lasts.'),
  })
  .meta({ title: 'Agent interval' });
export type Interval = Readonly<z.infer<typeof Interval>>;

/** How long from one instant to another, in seconds. */
export const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** The open piece with which a state, or its next day, begins. */
export const openInterval = ({ agentId, state, stateAsSent, since, intervalFrom }: CurrentAgent): Interval => ({
  agentId,
  state,
  stateAsSent,
  since,
  from: intervalFrom,
});

const closedInterval = (agent: CurrentAgent, from: string, to: string): Interval => ({
  ...openInterval(agent),
  from,
  to,
  seconds: secondsBetween(from, to),
});

/** The pieces that end with the agent's state, the open one and any that a midnight since then has cut off. */
export const closedIntervals = (agent: CurrentAgent, { at, timeZone }: PollMoment): readonly Interval[] => {
  const ends = [...midnights(agent.intervalFrom, at, timeZone).filter((midnight) => midnight < at), at];
  return ends.map((to, index) => closedInterval(agent, ends[index - 1] ?? agent.intervalFrom, to));
};

/** The pieces of days that are over, and a new open one, if the state goes on into another day; else none. */
export const splitAtMidnights = (agent: CurrentAgent, { at, timeZone }: PollMoment) => {
  const ends = midnights(agent.intervalFrom, at, timeZone);
  const intervalFrom = ends.at(-1) ?? agent.intervalFrom;
  const days = ends.map((to, index) => closedInterval(agent, ends[index - 1] ?? agent.intervalFrom, to));
  return {
    intervalFrom,
    timeline: days.length === 0 ? [] : [...days, openInterval({ ...agent, intervalFrom })],
  };
};
