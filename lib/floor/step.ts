import type { AgentFacts } from '../agent-login/model.ts';
import { loggedOut } from '../agent-login/states.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import { type CurrentAgent, hasLeft } from './current-agent.ts';
import { type Moment, opening, rolledOver, type Stretch, stretches } from './stretch.ts';

/** What a poll changes of one agent: the row that is to be, none if it is to go, and what is new on the timeline. */
export interface Step {
  readonly agentId: string;
  readonly after: CurrentAgent | undefined;
  readonly timeline: readonly Stretch[];
}

/**
 * How one agent goes on from what is known and what a poll has seen; undefined where nothing is to be written. It
 * depends on nothing else, so that a step that was cut before it was written is the same when it is taken again.
 */
export const stepOf = (
  before: CurrentAgent | undefined,
  seen: AgentFacts | undefined,
  moment: Moment,
): Step | undefined => {
  if (before === undefined || hasLeft(before)) {
    if (seen !== undefined) return logIn(seen, moment);
    return before && { agentId: before.agentId, after: undefined, timeline: [] };
  }
  if (seen === undefined) return logOut(before, moment);
  return isSameState(before, seen) ? stay(before, seen, moment) : changeState(before, seen, moment);
};

const logIn = (seen: AgentFacts, moment: Moment): Step => {
  const { at, recordedAt } = moment;
  const after = { ...seen, since: at, loggedInSince: at, version: 1, changedAt: at, recordedAt, stretchFrom: at };
  return { agentId: seen.agentId, after, timeline: [opening(after)] };
};

const logOut = (before: CurrentAgent, moment: Moment): Step => {
  const { stateAsSent: _sent, ...known } = before;
  const after = { ...known, ...told(before, moment), state: loggedOut, since: moment.at } as const;
  return { agentId: before.agentId, after, timeline: stretches(before, moment) };
};

const changeState = (before: CurrentAgent, seen: AgentFacts, moment: Moment): Step => {
  const { at } = moment;
  const { loggedInSince } = before;
  const after = { ...seen, ...told(before, moment), since: at, loggedInSince, stretchFrom: at };
  return { agentId: seen.agentId, after, timeline: [...stretches(before, moment), opening(after)] };
};

/** In the same state: what can be new is the name, the number, the skills, or the day. */
const stay = (before: CurrentAgent, seen: AgentFacts, moment: Moment): Step | undefined => {
  const { name: _name, phoneNumber: _number, skills: _skills, ...rest } = before;
  const { state: _state, stateAsSent: _sent, ...details } = seen;
  const isNew = detailsOf(before) !== detailsOf(seen);
  const { stretchFrom, timeline } = rolledOver(before, moment);
  if (!isNew && timeline.length === 0) return undefined;

  const after = { ...rest, ...details, ...(isNew && told(before, moment)), stretchFrom };
  return { agentId: before.agentId, after, timeline };
};

const told = ({ version }: CurrentAgent, { at, recordedAt }: Moment) => ({
  version: version + 1,
  changedAt: at,
  recordedAt,
});

/** Words nobody knows are different states, if they differ in more than letter case. */
const isSameState = (a: AgentFacts, b: AgentFacts): boolean =>
  a.state === b.state && (a.state !== 'unknown' || a.stateAsSent?.toLowerCase() === b.stateAsSent?.toLowerCase());

const detailsOf = ({ name, phoneNumber, skills }: AgentFacts): string =>
  canonicalJson([name ?? null, phoneNumber ?? null, skills ?? null]);
