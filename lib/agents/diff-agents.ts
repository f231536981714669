import { canonicalJson } from '../core/canonical-json.ts';
import { loggedOut } from '../telephony/agent-fields.ts';
import { type AgentFacts, type CurrentAgent, isLoggedOut } from './agent.ts';
import { closedIntervals, type Interval, openInterval, type PollMoment, splitAtMidnights } from './interval.ts';
import { type AgentLogins, mayStillBeLoggedIn } from './normalise-agent.ts';

/** What a poll changes of one agent: the row that is to be, none if it is to go, and what is new on the timeline. */
export interface AgentChange {
  readonly agentId: string;
  readonly after: CurrentAgent | undefined;
  readonly timeline: readonly Interval[];
}

/**
 * How one agent goes on from what is known and what a poll has seen; undefined where nothing is to be written. It
 * depends on nothing else, so that a step that was cut before it was written is the same when it is taken again.
 */
export const changeOf = (
  before: CurrentAgent | undefined,
  seen: AgentFacts | undefined,
  moment: PollMoment,
): AgentChange | undefined => {
  if (before === undefined || isLoggedOut(before)) {
    if (seen !== undefined) return logIn(seen, moment);
    return before && { agentId: before.agentId, after: undefined, timeline: [] };
  }
  if (seen === undefined) return logOut(before, moment);
  return isSameState(before, seen) ? updateDetails(before, seen, moment) : changeState(before, seen, moment);
};

const logIn = (seen: AgentFacts, moment: PollMoment): AgentChange => {
  const { at, recordedAt } = moment;
  const after = { ...seen, since: at, loggedInSince: at, version: 1, changedAt: at, recordedAt, intervalFrom: at };
  return { agentId: seen.agentId, after, timeline: [openInterval(after)] };
};

const logOut = (before: CurrentAgent, moment: PollMoment): AgentChange => {
  const { stateAsSent: _sent, ...known } = before;
  const after = { ...known, ...nextVersion(before, moment), state: loggedOut, since: moment.at } as const;
  return { agentId: before.agentId, after, timeline: closedIntervals(before, moment) };
};

const changeState = (before: CurrentAgent, seen: AgentFacts, moment: PollMoment): AgentChange => {
  const { at } = moment;
  const { loggedInSince } = before;
  const after = { ...seen, ...nextVersion(before, moment), since: at, loggedInSince, intervalFrom: at };
  return { agentId: seen.agentId, after, timeline: [...closedIntervals(before, moment), openInterval(after)] };
};

/** In the same state: what can be new is the name, the number, the skills, or the day. */
const updateDetails = (before: CurrentAgent, seen: AgentFacts, moment: PollMoment): AgentChange | undefined => {
  const { name: _name, phoneNumber: _number, skills: _skills, ...rest } = before;
  const { state: _state, stateAsSent: _sent, ...details } = seen;
  const isNew = detailsOf(before) !== detailsOf(seen);
  const { intervalFrom, timeline } = splitAtMidnights(before, moment);
  if (!isNew && timeline.length === 0) return undefined;

  const after = { ...rest, ...details, ...(isNew && nextVersion(before, moment)), intervalFrom };
  return { agentId: before.agentId, after, timeline };
};

const nextVersion = ({ version }: CurrentAgent, { at, recordedAt }: PollMoment) => ({
  version: version + 1,
  changedAt: at,
  recordedAt,
});

/** Words nobody knows are different states, if they differ in more than letter case. */
const isSameState = (a: AgentFacts, b: AgentFacts): boolean =>
  a.state === b.state && (a.state !== 'unknown' || a.stateAsSent?.toLowerCase() === b.stateAsSent?.toLowerCase());

const detailsOf = ({ name, phoneNumber, skills }: AgentFacts): string =>
  canonicalJson([name ?? null, phoneNumber ?? null, skills ?? null]);

/** The agents of an account by id. */
export type AgentsById = ReadonlyMap<string, CurrentAgent>;

/**
 * Who is there after a poll: those whom the answer lists, and those whom it may mean with a record that cannot be read,
 * as they were.
 */
export const loggedInAgents = (known: AgentsById, { agents, unreadable }: AgentLogins): readonly AgentFacts[] => {
  const listed = new Set(agents.map(({ agentId }) => agentId));
  const isMeant = mayStillBeLoggedIn(unreadable);
  const kept = [...known.values()].filter(
    (agent) => !listed.has(agent.agentId) && !isLoggedOut(agent) && isMeant(agent),
  );
  return [...agents, ...kept.map(factsOf)];
};

/** The steps from what is known to who is there, one for each agent of whom something is to be written. */
export const diffAgents = (
  known: AgentsById,
  there: readonly AgentFacts[],
  moment: PollMoment,
): readonly AgentChange[] => {
  const seen = new Map(there.map((agent) => [agent.agentId, agent]));
  const ids = [...new Set([...known.keys(), ...seen.keys()])].sort();
  return ids.map((id) => changeOf(known.get(id), seen.get(id), moment)).filter((step) => step !== undefined);
};

/** The agents once steps are taken. */
export const applyChanges = (known: AgentsById, steps: readonly AgentChange[]): AgentsById => {
  const agents = new Map(known);
  for (const step of steps) {
    if (step.after === undefined) agents.delete(step.agentId);
    else agents.set(step.agentId, step.after);
  }
  return agents;
};

/** How many agents are in each state. */
export const countsByState = (agents: AgentsById): Readonly<Record<string, number>> => {
  const states = [...agents.values()].filter((agent) => !isLoggedOut(agent)).map(({ state }) => state);
  return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]));
};

const factsOf = ({ agentId, name, phoneNumber, state, stateAsSent, skills }: CurrentAgent): AgentFacts => ({
  agentId,
  name,
  phoneNumber,
  state,
  stateAsSent,
  skills,
});
