import { withoutUndefined } from '../core/collections.ts';
import { canonicalJson } from '../core/json.ts';
import { midnights, secondsBetween } from '../core/time.ts';
import { loggedOut } from '../telephony/vocabularies.ts';
import { type AgentLogins, detailsOf, mayStillBeLoggedIn } from './normalise-agent.ts';
import type { Agent, AgentChange, AgentFacts, CurrentAgent, Interval } from './schema.ts';

export const agentIn = (current: CurrentAgent): Agent => {
  const { version: _version, changedAt: _changed, recordedAt: _recorded, intervalFrom: _from, ...agent } = current;
  return withoutUndefined(agent);
};

/** Whether the agent has logged out. Its row stays for one write, so that the stream carries the log-out. */
export const isLoggedOut = ({ state }: Pick<CurrentAgent, 'state'>): boolean => state === loggedOut;

export interface PollMoment {
  readonly at: string;
  readonly recordedAt: string;
  readonly timeZone: string;
}

export const openInterval = ({ agentId, state, stateAsSent, since, intervalFrom }: CurrentAgent): Interval => ({
  agentId,
  state,
  stateAsSent,
  since,
  from: intervalFrom,
});

/** The intervals that end with the agent's state: the open one, divided at every midnight since it began. */
const closedIntervals = (agent: CurrentAgent, { at, timeZone }: PollMoment): readonly Interval[] =>
  intervalsUntil(agent, [...midnights(agent.intervalFrom, at, timeZone).filter((midnight) => midnight < at), at]);

/** Where a state lasts into another day: the intervals of the days before, and a new open one. Otherwise none. */
const splitAtMidnights = (agent: CurrentAgent, { at, timeZone }: PollMoment) => {
  const ends = midnights(agent.intervalFrom, at, timeZone);
  const intervalFrom = ends.at(-1) ?? agent.intervalFrom;
  const open = ends.length === 0 ? [] : [openInterval({ ...agent, intervalFrom })];
  return { intervalFrom, timeline: [...intervalsUntil(agent, ends), ...open] };
};

/** The intervals of an agent that end at these instants, each beginning where the one before ended. */
const intervalsUntil = (agent: CurrentAgent, ends: readonly string[]): readonly Interval[] =>
  ends.map((to, index) => {
    const from = ends[index - 1] ?? agent.intervalFrom;
    return { ...openInterval(agent), from, to, seconds: secondsBetween(from, to) };
  });

export type AgentsById = ReadonlyMap<string, CurrentAgent>;

/** Who is in the answer, and whom an unreadable record may mean: the latter stay as they were. */
export const loggedInAgents = (known: AgentsById, { agents, unreadable }: AgentLogins): readonly AgentFacts[] => {
  const listed = new Set(agents.map(({ agentId }) => agentId));
  const mayBeMeant = mayStillBeLoggedIn(unreadable);
  const stillLoggedIn = [...known.values()].filter(
    (agent) => !listed.has(agent.agentId) && !isLoggedOut(agent) && mayBeMeant(agent),
  );
  return [...agents, ...stillLoggedIn.map(factsOf)];
};

const factsOf = (current: CurrentAgent): AgentFacts => {
  const { since: _since, loggedInSince: _loggedIn, ...facts } = agentIn(current);
  return facts;
};

/** The changes from the known agents to those who are logged in, at most one for each agent, by id. */
export const diffAgents = (
  known: AgentsById,
  loggedIn: readonly AgentFacts[],
  moment: PollMoment,
): readonly AgentChange[] => {
  const seen = new Map(loggedIn.map((agent) => [agent.agentId, agent]));
  const ids = [...new Set([...known.keys(), ...seen.keys()])].sort();
  return ids.map((id) => changeOf(known.get(id), seen.get(id), moment)).filter((change) => change !== undefined);
};

/** One agent's change, if any. It depends on nothing else, so a run that finishes an aborted one computes the same. */
export const changeOf = (
  before: CurrentAgent | undefined,
  seen: AgentFacts | undefined,
  moment: PollMoment,
): AgentChange | undefined => {
  if (before === undefined || isLoggedOut(before)) {
    if (seen !== undefined) return logIn(before, seen, moment);
    return before && removalOf(before);
  }
  if (seen === undefined) return logOut(before, moment);
  return isSameState(before, seen) ? updateDetails(before, seen, moment) : changeState(before, seen, moment);
};

export const removalOf = (before: CurrentAgent): AgentChange => {
  const { agentId } = before;
  return { agentId, before, after: undefined, timeline: [] };
};

const logIn = (before: CurrentAgent | undefined, seen: AgentFacts, moment: PollMoment): AgentChange => {
  const { at, recordedAt } = moment;
  const after = { ...seen, since: at, loggedInSince: at, version: 1, changedAt: at, recordedAt, intervalFrom: at };
  return { agentId: seen.agentId, before, after, timeline: [openInterval(after)] };
};

const logOut = (before: CurrentAgent, moment: PollMoment): AgentChange => {
  const { stateAsSent: _sent, ...known } = before;
  const after = { ...known, ...nextVersion(before, moment), state: loggedOut, since: moment.at } as const;
  return { agentId: before.agentId, before, after, timeline: closedIntervals(before, moment) };
};

const changeState = (before: CurrentAgent, seen: AgentFacts, moment: PollMoment): AgentChange => {
  const { at } = moment;
  const { loggedInSince } = before;
  const after = { ...seen, ...nextVersion(before, moment), since: at, loggedInSince, intervalFrom: at };
  return { agentId: seen.agentId, before, after, timeline: [...closedIntervals(before, moment), openInterval(after)] };
};

/** The state is the same: only the details or the day can be new. */
const updateDetails = (before: CurrentAgent, seen: AgentFacts, moment: PollMoment): AgentChange | undefined => {
  const isNew = canonicalJson(detailsOf(before)) !== canonicalJson(detailsOf(seen));
  const { intervalFrom, timeline } = splitAtMidnights(before, moment);
  if (!isNew && timeline.length === 0) return undefined;

  const { state, stateAsSent, since, loggedInSince } = before;
  const asBefore = withoutUndefined({ state, stateAsSent, since, loggedInSince });
  const after = isNew ? { ...seen, ...asBefore, ...nextVersion(before, moment) } : before;
  return { agentId: before.agentId, before, after: { ...after, intervalFrom }, timeline };
};

const nextVersion = ({ version }: CurrentAgent, { at: changedAt, recordedAt }: PollMoment) => {
  return { version: version + 1, changedAt, recordedAt };
};

/** Two unknown words are different states if they differ in more than letter case. */
const isSameState = (a: AgentFacts, b: AgentFacts): boolean =>
  a.state === b.state && (a.state !== 'unknown' || a.stateAsSent?.toLowerCase() === b.stateAsSent?.toLowerCase());

export const applyChanges = (known: AgentsById, changes: readonly AgentChange[]): AgentsById => {
  const agents = new Map(known);
  for (const { agentId, after } of changes) {
    if (after === undefined) agents.delete(agentId);
    else agents.set(agentId, after);
  }
  return agents;
};

export const countsByState = (agents: AgentsById): Readonly<Record<string, number>> => {
  const states = [...agents.values()].filter((agent) => !isLoggedOut(agent)).map(({ state }) => state);
  return Object.fromEntries([...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]));
};
