import { between, fork, pick, type Random, seededRandom, shuffled } from '../random.ts';
import { type Agent, type Engagement, type Floor, withEngagements } from './floor.ts';

/** An agent who is logged in. */
export interface LoggedIn extends Pick<Agent, 'id' | 'name' | 'number' | 'skills'> {
  /** As the service writes it. */
  readonly state: string;
}

/**
 * The floor of an account over time. Traffic plans its calls on it, and getAgentLogins shows it. Its agents follow their
 * shifts; agents without shifts are not logged in.
 */
export const createLiveFloor = (floor: Floor, initialShifts: ReadonlyMap<string, Shifts> = new Map()) => {
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
    /** The floor that calls are planned on. */
    planned: () => planned,
    /** Adds planned calls. `at` is the current time. */
    engage(engagements: readonly Engagement[], at: number) {
      planned = withEngagements(planned, engagements, at);
    },
    /** Removes planned calls. */
    cancel(engagements: readonly Engagement[]) {
      const cancelled = new Set(engagements);
      planned = { ...planned, engagements: planned.engagements.filter((one) => !cancelled.has(one)) };
    },
    /** Replaces the simulated agents and their shifts. Those who leave during a call end it first. */
    staff(next: readonly Agent[], nextShifts: ReadonlyMap<string, Shifts>) {
      const ids = new Set(next.map(({ id }) => id));
      leaving = [...leaving, ...agents.values()].filter(({ id }) => !ids.has(id));
      agents = new Map(next.map((agent) => [agent.id, agent]));
      shifts = nextShifts;
      planned = { ...planned, agents: next };
    },
    loggedInAt(at: number): readonly LoggedIn[] {
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
    /** The account's own agent with an id, logged in or not. */
    known: (agentId: string) => agents.get(agentId),
    /** Sets agents from now on; undefined means logged out. The simulation no longer changes these agents. */
    script(changes: ReadonlyMap<string, LoggedIn | undefined>) {
      for (const [agentId, agent] of changes) scripted.set(agentId, agent);
    },
  };
};

/** The floor of an account over time. */
export type LiveFloor = ReturnType<typeof createLiveFloor>;

/** The floor of an account without simulated agents. */
export const emptyFloor: Floor = { agents: [], campaigns: [], engagements: [], isThere: () => false };

/** The state of an engaged agent, as the service writes it; undefined before and after the engagement. */
const busyStateOf = ({ ringsAt, talksAt, leavesAt, readyAt }: Engagement, at: number): string | undefined => {
  if (at < ringsAt || at >= readyAt) return undefined;
  if (at < talksAt) return 'calling';
  return at < leavesAt ? 'INCALL' : 'ACW';
};

/** The states of all busy agents at an instant. */
const busyAt = ({ engagements }: Floor, at: number): ReadonlyMap<string, string> =>
  new Map(
    engagements.flatMap((engagement) => {
      const state = busyStateOf(engagement, at);
      return state === undefined ? [] : [[engagement.agent.id, state] as const];
    }),
  );

/** An interval of an agent's shift, in milliseconds since the epoch. */
interface ShiftInterval {
  readonly from: number;
  readonly until: number;
  /** Undefined while logged out. */
  readonly state: string | undefined;
}

/** The shifts of an agent, with breaks. Lengths are in milliseconds. */
export interface Shifts {
  readonly seed: number;
  /** When one of the shifts begins. Others precede and follow it. */
  readonly beginsAt: number;
  readonly shift: number;
  readonly pauseBetween: number;
  /** From log-in to the first ready state. */
  readonly preparation: number;
  /** Work and the break after it. */
  readonly block: number;
  readonly rest: number;
}

/** The state of available agents without a call. */
export const ready = 'READY';

/** States during a break that the service was seen to use, in their letter cases. */
const breakWords = ['PAUSE', 'Pause', 'AUX', 'Aux', 'Idle', 'IDLE', 'BUSY', 'Busy', 'release'] as const;

const seconds = 1000;
const minutes = 60 * seconds;

/**
 * A shift takes about twenty minutes, so that a user sees agents log in, pause and log out within two minutes.
 * Shifts are staggered evenly, so that most agents stay logged in at any time.
 */
export const shiftsFor = (random: Random, agents: readonly Agent[], startsAt: number): ReadonlyMap<string, Shifts> => {
  const places = shuffled(random, [...agents.keys()]);

  return new Map(
    agents.map(({ id }, index) => [id, shiftsOf(fork(random), startsAt, ((places[index] ?? 0) + 0.5) / agents.length)]),
  );
};

const shiftsOf = (random: Random, startsAt: number, share: number): Shifts => {
  const shift = between(random, 16 * 60, 28 * 60) * seconds;
  const pauseBetween = between(random, 60, 150) * seconds;
  const past = Math.round((share * (shift + pauseBetween)) / seconds) * seconds;

  return {
    seed: between(random, 0, 2 ** 31),
    beginsAt: Math.floor(startsAt / seconds) * seconds - past,
    shift,
    pauseBetween,
    preparation: between(random, 10, 30) * seconds,
    block: between(random, 8, 13) * minutes,
    rest: between(random, 25, 80) * seconds,
  };
};

/** The interval of the shift that contains an instant. */
const intervalAt = (
  { seed, beginsAt, shift, pauseBetween, preparation, block, rest }: Shifts,
  at: number,
): ShiftInterval => {
  const cycle = shift + pauseBetween;
  const day = Math.floor((at - beginsAt) / cycle);
  const loggedIn = beginsAt + day * cycle;
  const loggedOut = loggedIn + shift;
  const prepared = loggedIn + preparation;

  if (at >= loggedOut) return { from: loggedOut, until: loggedIn + cycle, state: undefined };
  if (at < prepared) return { from: loggedIn, until: prepared, state: 'Idle' };

  const number = Math.floor((at - prepared) / block);
  const blockBegins = prepared + number * block;
  const restBegins = Math.min(blockBegins + block - rest, loggedOut);
  if (at < restBegins) return { from: blockBegins, until: restBegins, state: ready };

  const word = pick(seededRandom(seed + 101 * day + number), breakWords);
  return { from: restBegins, until: Math.min(blockBegins + block, loggedOut), state: word };
};

/** Whether the agent is ready from one instant to another. */
const isReadyThroughout = (shifts: Shifts, from: number, until: number): boolean => {
  const interval = intervalAt(shifts, from);
  return interval.state === ready && until <= interval.until;
};
