import { type Agent, type Engagement, type Floor, withEngagements } from './floor.ts';
import { intervalAt, isReadyThroughout, type Shifts } from './shifts.ts';

/** What an agent does in a call, in the words of the service. */
export type BusyState = 'calling' | 'INCALL' | 'ACW';

/** What an engagement has its agent do at an instant; undefined before and after it. */
export const busyStateOf = ({ ringsAt, talksAt, leavesAt, readyAt }: Engagement, at: number): BusyState | undefined => {
  if (at < ringsAt || at >= readyAt) return undefined;
  if (at < talksAt) return 'calling';
  return at < leavesAt ? 'INCALL' : 'ACW';
};

/** Who is busy at an instant, and with what. */
const busyAt = ({ engagements }: Floor, at: number): ReadonlyMap<string, BusyState> =>
  new Map(
    engagements.flatMap((engagement) => {
      const state = busyStateOf(engagement, at);
      return state === undefined ? [] : [[engagement.agent.id, state] as const];
    }),
  );

/** Somebody who is logged in. */
export interface LoggedIn extends Pick<Agent, 'id' | 'name' | 'number' | 'skills'> {
  /** As the service would say it. */
  readonly state: string;
}

/** The floor of an account in the course of time: what its traffic plans on, and what getAgentLogins shows. */
export interface LiveFloor {
  /** The floor for planning calls. */
  readonly planned: () => Floor;
  /** Plans calls; `at` is now. */
  readonly engage: (engagements: readonly Engagement[], at: number) => void;
  readonly loggedInAt: (at: number) => readonly LoggedIn[];
  /** Whoever has an id, logged in or not, as far as the account's own life knows them. */
  readonly known: (agentId: string) => Agent | undefined;
  /** Says what is so from now on: undefined is logged out. Whoever is named leaves the account's own life for good. */
  readonly script: (changes: ReadonlyMap<string, LoggedIn | undefined>) => void;
}

/** Nobody: the floor of an account that has no life of its own. */
export const emptyFloor: Floor = { agents: [], campaigns: [], engagements: [], isThere: () => false };

/** A floor whose agents live by their shifts; those without are not there. */
export const createLiveFloor = (floor: Floor, shifts: ReadonlyMap<string, Shifts> = new Map()): LiveFloor => {
  const agents = new Map(floor.agents.map((agent) => [agent.id, agent]));
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
    loggedInAt(at) {
      const busy = busyAt(planned, at);
      const living = floor.agents.flatMap((agent): LoggedIn[] => {
        const own = scripted.has(agent.id) ? undefined : shifts.get(agent.id);
        const state = own && intervalAt(own, at).state;
        return state === undefined ? [] : [{ ...agent, state: busy.get(agent.id) ?? state }];
      });
      return [...living, ...[...scripted.values()].filter((agent) => agent !== undefined)];
    },
    known: (agentId) => agents.get(agentId),
    script(changes) {
      for (const [agentId, agent] of changes) scripted.set(agentId, agent);
    },
  };
};
