import * as z from 'zod';
import { AgentFacts } from '../agent-login/model.ts';
import { field, instant, seconds } from '../contract/field.ts';
import { midnights } from '../time/days.ts';
import type { CurrentAgent } from './current-agent.ts';

/** A poll's instant, when it is written down, and the zone whose midnights cut timelines. */
export interface Moment {
  /** ISO instant in whole seconds: when the service was asked. */
  readonly at: string;
  readonly recordedAt: string;
  readonly timeZone: string;
}

/**
 * A piece of an agent's timeline in one state. It lasts until the state changes or the day ends, so that each day's
 * pieces begin in it and add up to the time logged in. The last one is open.
 */
export const Stretch = z
  .object({
    agentId: AgentFacts.shape.agentId,
    state: AgentFacts.shape.state,
    stateAsSent: AgentFacts.shape.stateAsSent,
    since: field(instant, 'Since when the agent had been in the state: earlier than `from` on a later day.'),
    from: field(instant, 'When the stretch begins: with the state, or at midnight in the account’s zone.'),
    to: field(instant.optional(), 'When it ended; absent while it lasts, and then known up to the feed’s `asOf`.'),
    seconds: field(seconds.optional(), 'How long it was; absent while it lasts.'),
  })
  .meta({ title: 'Agent stretch' });
export type Stretch = Readonly<z.infer<typeof Stretch>>;

/** How long from one instant to another, in seconds. */
export const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** The open piece with which a state, or its next day, begins. */
export const opening = ({ agentId, state, stateAsSent, since, stretchFrom }: CurrentAgent): Stretch => ({
  agentId,
  state,
  stateAsSent,
  since,
  from: stretchFrom,
});

const closed = (agent: CurrentAgent, from: string, to: string): Stretch => ({
  ...opening(agent),
  from,
  to,
  seconds: secondsBetween(from, to),
});

/** The pieces that end with the agent's state, the open one and any that a midnight since then has cut off. */
export const stretches = (agent: CurrentAgent, { at, timeZone }: Moment): readonly Stretch[] => {
  const ends = [...midnights(agent.stretchFrom, at, timeZone).filter((midnight) => midnight < at), at];
  return ends.map((to, index) => closed(agent, ends[index - 1] ?? agent.stretchFrom, to));
};

/** The pieces of days that are over, and a new open one, if the state goes on into another day; else none. */
export const rolledOver = (agent: CurrentAgent, { at, timeZone }: Moment) => {
  const ends = midnights(agent.stretchFrom, at, timeZone);
  const stretchFrom = ends.at(-1) ?? agent.stretchFrom;
  const days = ends.map((to, index) => closed(agent, ends[index - 1] ?? agent.stretchFrom, to));
  return {
    stretchFrom,
    timeline: days.length === 0 ? [] : [...days, opening({ ...agent, stretchFrom })],
  };
};
