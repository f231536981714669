import { between, chance, pick, type Random, shuffled } from './random.ts';
import { intervalAt, isReadyThroughout, type Shifts } from './shifts.ts';

export interface SimulatedAgent {
  readonly id: string;
  readonly uniqueId: string;
  readonly name: string;
  readonly number: string;
  readonly skills: readonly string[];
}

export interface Campaign {
  readonly name: string;
  readonly did: string;
  readonly skill: string;
  readonly location: string;
}

/** An agent's part in a call: ringing, talking, wrapping up, ready again. Instants are in milliseconds. */
export interface Engagement {
  readonly agent: SimulatedAgent;
  readonly callId: string;
  readonly ringsAt: number;
  readonly talksAt: number;
  readonly leavesAt: number;
  readonly readyAt: number;
}

export interface SimulatedCentre {
  readonly agents: readonly SimulatedAgent[];
  readonly campaigns: readonly Campaign[];
  readonly engagements: readonly Engagement[];
  /** Whether an agent is logged in and not on a break between two instants. */
  readonly isThere: (agentId: string, from: number, until: number) => boolean;
}

export const skills = ['Sales', 'Support', 'Billing', 'Returns', 'Premium Support'] as const;

const locations = ['Leeds', 'Lisbon', 'Pune', ''] as const;

/** With fewer agents some kinds of calls could not happen. */
export const minAgents = 4 * skills.length;
export const maxAgents = 1000;

export const createSimulatedCentre = (random: Random, size: number): SimulatedCentre => {
  const count = Math.min(maxAgents, Math.max(minAgents, Math.ceil(size)));
  // Unique ids differ from ids in order and length, so that sorted lists of both never match by accident.
  const uniqueIds = shuffled(
    random,
    Array.from({ length: count }, (_, index) => uniqueIdAt(index)),
  );

  return {
    agents: uniqueIds.map((uniqueId, index) => agentAt(random, index, uniqueId)),
    campaigns: skills.map((skill, index) => ({
      name: `${skill.replaceAll(' ', '_')}_${index + 1}`,
      did: numberAt('campaign', 100 + index),
      skill,
      location: pick(random, locations),
    })),
    engagements: [],
    isThere: () => true,
  };
};

export const resized = (random: Random, centre: SimulatedCentre, count: number): SimulatedCentre => ({
  ...centre,
  agents: Array.from(
    { length: count },
    (_, index) => centre.agents[index] ?? agentAt(random, index, uniqueIdAt(index)),
  ),
});

const uniqueIdAt = (index: number): string => String(9_700 + index * 37);

const agentAt = (random: Random, index: number, uniqueId: string): SimulatedAgent => {
  const [login, name] = people[index % people.length] ?? people[0];
  const own = skills[index % skills.length] ?? skills[0];
  const others = skills.filter((skill) => skill !== own);

  return {
    id: `${login}${String(index + 1).padStart(2, '0')}`,
    uniqueId,
    name,
    number: numberAt('agent', index),
    skills: chance(random, 0.4) ? [own, ...shuffled(random, others).slice(0, between(random, 1, 2))] : [own],
  };
};

/** Logins and names of invented agents. Some names test the encoding of text. */
export const people = [
  ['asha', 'Asha Rao'],
  ['zoe', 'Zoë Martin'],
  ['li', '李 Wei'],
  ['omar', 'Omar Haddad'],
  ['jose', 'José Peña'],
  ['nora', "Nora O'Neil"],
  ['devi', 'देवी Sharma'],
  ['karl', 'Karl Weiß'],
  ['mina', 'Mina Park'],
  ['tom', 'Tom Baker-Hill'],
  ['ines', 'Inês Rocha'],
  ['yusuf', 'Yusuf Kaya'],
] as const;

/** Number ranges that a regulator (Ofcom) reserves for fiction, a thousand numbers each, and that the tables of numbers know. */
const ranges = { customer: '441614960', agent: '441214960', campaign: '442079460' } as const;

/** The number at an index of a fictitious range; the index wraps after a thousand. */
export const numberAt = (range: keyof typeof ranges, index: number): string =>
  `${ranges[range]}${String(index % 1000).padStart(3, '0')}`;

export const customerNumber = (random: Random): string => numberAt('customer', between(random, 0, 999));

export const idleAgents = (
  centre: SimulatedCentre,
  skill: string,
  from: number,
  until: number,
): readonly SimulatedAgent[] => {
  const busy = new Set(
    centre.engagements.filter(({ ringsAt, readyAt }) => ringsAt < until && readyAt > from).map(({ agent }) => agent.id),
  );

  return centre.agents.filter(
    ({ id, skills: own }) => own.includes(skill) && !busy.has(id) && centre.isThere(id, from, until),
  );
};

const retainedMilliseconds = 15 * 60_000;

export const withEngagements = (
  centre: SimulatedCentre,
  engagements: readonly Engagement[],
  at: number,
): SimulatedCentre => ({
  ...centre,
  engagements: [...centre.engagements.filter(({ readyAt }) => readyAt > at - retainedMilliseconds), ...engagements],
});

export interface LoggedIn extends Pick<SimulatedAgent, 'id' | 'name' | 'number' | 'skills'> {
  readonly state: string;
}

/** Traffic plans its calls on it, and getAgentLogins shows it. Agents without shifts are not logged in. */
export const createLiveCentre = (centre: SimulatedCentre, initialShifts: ReadonlyMap<string, Shifts> = new Map()) => {
  let shifts = initialShifts;
  let agents = new Map(centre.agents.map((agent) => [agent.id, agent]));
  const scripted = new Map<string, LoggedIn | undefined>();
  let planned: SimulatedCentre = {
    ...centre,
    isThere(agentId, from, until) {
      const own = scripted.has(agentId) ? undefined : shifts.get(agentId);
      return own !== undefined && isReadyThroughout(own, from, until);
    },
  };

  return {
    planned: () => planned,
    engage(engagements: readonly Engagement[], now: number) {
      planned = withEngagements(planned, engagements, now);
    },
    cancel(engagements: readonly Engagement[]) {
      const cancelled = new Set(engagements);
      planned = { ...planned, engagements: planned.engagements.filter((one) => !cancelled.has(one)) };
    },
    staff(next: readonly SimulatedAgent[], nextShifts: ReadonlyMap<string, Shifts>) {
      agents = new Map(next.map((agent) => [agent.id, agent]));
      shifts = nextShifts;
      planned = { ...planned, agents: next };
    },
    loggedInAt(at: number): readonly LoggedIn[] {
      const busy = busyAt(planned, at);
      const simulated = [...agents.values()].flatMap((agent) => {
        const own = scripted.has(agent.id) ? undefined : shifts.get(agent.id);
        const state = own && intervalAt(own, at).state;
        return state === undefined ? [] : [{ ...agent, state: busy.get(agent.id) ?? state }];
      });
      return [...simulated, ...[...scripted.values()].filter((agent) => agent !== undefined)];
    },
    known: (agentId: string) => agents.get(agentId),
    /** Sets agents from now on; undefined means logged out. The simulation no longer changes these agents. */
    script(changes: ReadonlyMap<string, LoggedIn | undefined>) {
      for (const [agentId, agent] of changes) scripted.set(agentId, agent);
    },
  };
};

export type LiveCentre = ReturnType<typeof createLiveCentre>;

export const emptyCentre: SimulatedCentre = { agents: [], campaigns: [], engagements: [], isThere: () => false };

const busyAt = ({ engagements }: SimulatedCentre, at: number): ReadonlyMap<string, string> =>
  new Map(
    engagements
      .filter(({ ringsAt, readyAt }) => at >= ringsAt && at < readyAt)
      .map(({ agent, talksAt, leavesAt }) => {
        if (at < talksAt) return [agent.id, 'calling'];
        return [agent.id, at < leavesAt ? 'INCALL' : 'ACW'];
      }),
  );
