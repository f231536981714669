import { between, chance, pick, type Random, shuffled } from '../random.ts';

/** Ranges a regulator (Ofcom) keeps for fiction, a thousand numbers each: nobody answers them. */
const ranges = { customer: '447700900', agent: '441632960', campaign: '442079460' } as const;

/** The number at an index of a fictitious range; the index wraps after a thousand. */
export const numberAt = (range: keyof typeof ranges, index: number): string =>
  `${ranges[range]}${String(index % 1000).padStart(3, '0')}`;

/** Some customer's number. */
export const customerNumber = (random: Random): string => numberAt('customer', between(random, 0, 999));

/** Login and name of invented agents; some names test that text survives its encoding. */
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

/** What an agent may be good at. */
export const skills = ['Sales', 'Support', 'Billing', 'Returns', 'Premium Support'] as const;

/** Where a skill may sit; some have no place. */
const locations = ['Leeds', 'Lisbon', 'Pune', ''] as const;

/** Somebody who takes calls. */
export interface Agent {
  readonly id: string;
  /** Digits, given when the agent was created. */
  readonly uniqueId: string;
  readonly name: string;
  readonly number: string;
  readonly skills: readonly string[];
}

/** What a call comes in, or goes out, through. */
export interface Campaign {
  readonly name: string;
  readonly did: string;
  readonly skill: string;
  readonly location: string;
}

/** An agent's part in a call. Instants in milliseconds: ringing, then talking, then wrapping up, then ready again. */
export interface Engagement {
  readonly agent: Agent;
  readonly callId: string;
  readonly ringsAt: number;
  readonly talksAt: number;
  readonly leavesAt: number;
  readonly readyAt: number;
}

/** Everybody who takes calls, and what they are, were and will be busy with. */
export interface Floor {
  readonly agents: readonly Agent[];
  readonly campaigns: readonly Campaign[];
  readonly engagements: readonly Engagement[];
  /** Whether somebody is logged in and on no break, from an instant until another. */
  readonly isThere: (agentId: string, from: number, until: number) => boolean;
}

const minAgents = 4 * skills.length;
const maxAgents = 1000;

/** A floor of about `size` agents, always there and free; never fewer than every kind of call needs. */
export const createFloor = (random: Random, size: number): Floor => {
  const count = Math.min(maxAgents, Math.max(minAgents, Math.ceil(size)));
  // Neither in the order of the ids nor of equal length, so that no list of them happens to line up with another.
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

/** The agents with a skill who are there and have nothing to do with any call between two instants. */
export const freeAgents = (floor: Floor, skill: string, from: number, until: number): readonly Agent[] => {
  const busy = new Set(
    floor.engagements.filter(({ ringsAt, readyAt }) => ringsAt < until && readyAt > from).map(({ agent }) => agent.id),
  );

  return floor.agents.filter(
    ({ id, skills: own }) => own.includes(skill) && !busy.has(id) && floor.isThere(id, from, until),
  );
};

const retainedMilliseconds = 15 * 60_000;

/** The floor once the engagements are arranged; what is long over is forgotten. */
export const withEngagements = (floor: Floor, engagements: readonly Engagement[], at: number): Floor => ({
  ...floor,
  engagements: [...floor.engagements.filter(({ readyAt }) => readyAt > at - retainedMilliseconds), ...engagements],
});
