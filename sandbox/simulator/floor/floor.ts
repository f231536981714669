import { between, chance, pick, type Random, shuffled } from '../random.ts';

/** An agent who takes calls. */
export interface Agent {
  readonly id: string;
  /** Digits. */
  readonly uniqueId: string;
  readonly name: string;
  readonly number: string;
  readonly skills: readonly string[];
}

/** The campaign of a call. */
export interface Campaign {
  readonly name: string;
  readonly did: string;
  readonly skill: string;
  readonly location: string;
}

/** An agent's part in a call: ringing, talking, wrapping up, ready again. Instants are in milliseconds. */
export interface Engagement {
  readonly agent: Agent;
  readonly callId: string;
  readonly ringsAt: number;
  readonly talksAt: number;
  readonly leavesAt: number;
  readonly readyAt: number;
}

/** All agents of a contact centre, with their past, current and planned calls. */
export interface Floor {
  readonly agents: readonly Agent[];
  readonly campaigns: readonly Campaign[];
  readonly engagements: readonly Engagement[];
  /** Whether an agent is logged in and not on a break between two instants. */
  readonly isThere: (agentId: string, from: number, until: number) => boolean;
}

/** The skills of agents. */
export const skills = ['Sales', 'Support', 'Billing', 'Returns', 'Premium Support'] as const;

/** The locations of skills; some skills have none. */
const locations = ['Leeds', 'Lisbon', 'Pune', ''] as const;

/** With fewer agents some kinds of calls could not happen. */
export const minAgents = 4 * skills.length;
export const maxAgents = 1000;

/** A floor of about `size` agents who are always available. It has enough agents for every kind of call. */
export const createFloor = (random: Random, size: number): Floor => {
  const count = Math.min(maxAgents, Math.max(minAgents, Math.ceil(size)));
  // Unique ids differ from ids in order and length, so that sorted lists of both never match by accident.
  const uniqueIds = shuffled(
    random,
    Array.from({ length: count }, (_, index) => String(9_700 + index * 37)),
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

/** The floor with another number of agents. Agents that are in both stay as they are. */
export const resized = (random: Random, floor: Floor, count: number): Floor => ({
  ...floor,
  agents: Array.from(
    { length: count },
    (_, index) => floor.agents[index] ?? agentAt(random, index, String(9_700 + index * 37)),
  ),
});

const agentAt = (random: Random, index: number, uniqueId: string): Agent => {
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

/** Number ranges that a regulator (Ofcom) reserves for fiction, a thousand numbers each. */
const ranges = { customer: '447700900', agent: '441632960', campaign: '442079460' } as const;

/** The number at an index of a fictitious range; the index wraps after a thousand. */
export const numberAt = (range: keyof typeof ranges, index: number): string =>
  `${ranges[range]}${String(index % 1000).padStart(3, '0')}`;

/** A random customer's number. */
export const customerNumber = (random: Random): string => numberAt('customer', between(random, 0, 999));

/** The agents with a skill who are available and have no call between two instants. */
export const freeAgents = (floor: Floor, skill: string, from: number, until: number): readonly Agent[] => {
  const busy = new Set(
    floor.engagements.filter(({ ringsAt, readyAt }) => ringsAt < until && readyAt > from).map(({ agent }) => agent.id),
  );

  return floor.agents.filter(
    ({ id, skills: own }) => own.includes(skill) && !busy.has(id) && floor.isThere(id, from, until),
  );
};

const retainedMilliseconds = 15 * 60_000;

/** The floor with further engagements. Those that ended long ago are removed. */
export const withEngagements = (floor: Floor, engagements: readonly Engagement[], at: number): Floor => ({
  ...floor,
  engagements: [...floor.engagements.filter(({ readyAt }) => readyAt > at - retainedMilliseconds), ...engagements],
});
