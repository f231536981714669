import { type Agent, type Engagement, type Floor, withEngagements } from './floor.ts';
import { intervalAt, isReadyThroughout, type Shifts } from './shifts.ts';

/** An agent who is logged in. */
export interface LoggedIn extends Pick<Agent, 'id' | 'name' | 'number' | 'skills'> {
  /** As the service writes it. */
  readonly state: string;
}

/** The floor of an account over time. Traffic plans its calls on it, and getAgentLogins shows it. */
export interface LiveFloor {
  /** The floor that calls are planned on. */
  readonly planned: () => Floor;
  /** Adds planned calls. `at` is the current time. */
  readonly engage: (engagements: readonly Engagement[], at: number) => void;
  /** Removes planned calls. */
  readonly cancel: (engagements: readonly Engagement[]) => void;
  /** Replaces the simulated agents and their shifts. Those who leave during a call end it first. */
  readonly staff: (agents: readonly Agent[], shifts: ReadonlyMap<string, Shifts>) => void;
  readonly loggedInAt: (at: number) => readonly LoggedIn[];
  /** The account's own agent with an id, logged in or not. */
  readonly known: (agentId: string) => Agent | undefined;
  /** Sets agents from now on; undefined means logged out. The simulation no longer changes these agents. */
  readonly script: (changes: ReadonlyMap<string, LoggedIn | undefined>) => void;
}

/** A floor whose agents follow their shifts. Agents without shifts are not logged in. */
export const createLiveFloor = (floor: Floor, initialShifts: ReadonlyMap<string, Shifts> = new Map()): LiveFloor => {
  let shifts = initialShifts;
  let agents = new Map(floor.agents.map((agent) => [agent.id, agent]));
  let leaving: readonly Agent[] = [];
  const scripted = new Map<string, LoggedIn | undefined>();
  let planned: Floor = {
    ...floor,
    isThere(agentId, from, until) {
      const own = scripted.has(agentId) ? undefined : shifts.get(agentId);
      return own !== undefined && isReadyThroughout(own, from, until);
    },
  };

  return {
    planned: () => planned,
    engage(engagements, at) {
      planned = withEngagements(planned, engagements, at);
    },
    cancel(engagements) {
      const cancelled = new Set(engagements);
      planned = { ...planned, engagements: planned.engagements.filter((one) => !cancelled.has(one)) };
    },
    staff(next, nextShifts) {
      const ids = new Set(next.map(({ id }) => id));
      leaving = [...leaving, ...agents.values()].filter(({ id }) => !ids.has(id));
      agents = new Map(next.map((agent) => [agent.id, agent]));
      shifts = nextShifts;
      planned = { ...planned, agents: next };
    },
    loggedInAt(at) {
      const busy = busyAt(planned, at);
      const stillBusy = leaving.flatMap((agent): LoggedIn[] => {
        const state = scripted.has(agent.id) ? undefined : busy.get(agent.id);
        return state === undefined ? [] : [{ ...agent, state }];
      });
      const simulated = [...agents.values()].flatMap((agent): LoggedIn[] => {
        const own = scripted.has(agent.id) ? undefined : shifts.get(agent.id);
        const state = own && intervalAt(own, at).state;
        return state === undefined ? [] : [{ ...agent, state: busy.get(agent.id) ?? state }];
      });
      return [...simulated, ...stillBusy, ...[...scripted.values()].filter((agent) => agent !== undefined)];
    },
    known: (agentId) => agents.get(agentId),
    script(changes) {
      for (const [agentId, agent] of changes) scripted.set(agentId, agent);
    },
  };
};

/** The floor of an account without simulated agents. */
export const emptyFloor: Floor = { agents: [], campaigns: [], engagements: [], isThere: () => false };

/** The state of an agent during a call, as the service writes it. */
export type BusyState = 'calling' | 'INCALL' | 'ACW';

/** The state of the engaged agent at an instant; undefined before and after the engagement. */
export const busyStateOf = ({ ringsAt, talksAt, leavesAt, readyAt }: Engagement, at: number): BusyState | undefined => {
  if (at < ringsAt || at >= readyAt) return undefined;
  if (at < talksAt) return 'calling';
  return at < leavesAt ? 'INCALL' : 'ACW';
};

/** The states of all busy agents at an instant. */
const busyAt = ({ engagements }: Floor, at: number): ReadonlyMap<string, BusyState> =>
  new Map(
    engagements.flatMap((engagement) => {
      const state = busyStateOf(engagement, at);
      return state === undefined ? [] : [[engagement.agent.id, state] as const];
    }),
  );
