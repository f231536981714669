import { addDays, instantOf, startOfDay } from '../../lib/core/time.ts';
import { type Campaign, numberAt, people, type SimulatedAgent } from '../simulator/centre.ts';
import { between, pick, type Random, seededRandom } from '../simulator/random.ts';

/** What the invented contact centre is on every day: its people, what they can, and when they work. Nobody of it exists. */

const skillsOf: Readonly<Record<(typeof people)[number][0], readonly string[]>> = {
  asha: ['Sales', 'Support'],
  zoe: ['Sales', 'Campaign'],
  li: ['Support'],
  omar: ['Support', 'Billing'],
  jose: ['Sales', 'Campaign'],
  nora: ['Support', 'Sales'],
  devi: ['Sales', 'Support'],
  karl: ['Support'],
  mina: ['Sales', 'Campaign'],
  tom: ['Support', 'Billing'],
  ines: ['Sales', 'Support', 'Billing'],
  yusuf: ['Support', 'Sales'],
};

export const staff: readonly SimulatedAgent[] = people.map(([id, name], index) => ({
  id,
  name,
  uniqueId: String(9_700 + ((index * 5) % people.length) * 37),
  number: numberAt('agent', index),
  skills: skillsOf[id],
}));

export const agentNamed = (id: string): SimulatedAgent => {
  const found = staff.find((agent) => agent.id === id);
  if (found === undefined) throw new Error(`The contact centre has no agent ${id}.`);
  return found;
};

/** More people ask about bills than the one or two agents on a shift who know them can answer. */
export const understaffed = 'Billing';

const campaign = (name: string, index: number, skill: string, location: string): Campaign => ({
  name,
  did: numberAt('campaign', 100 + index),
  skill,
  location,
});

export const inboundCampaigns: readonly (Campaign & { readonly share: number })[] = [
  { ...campaign('Orders', 0, 'Sales', 'Leeds'), share: 0.46 },
  { ...campaign('Help', 1, 'Support', 'Pune'), share: 0.4 },
  { ...campaign('Invoices', 2, understaffed, 'Lisbon'), share: 0.14 },
];

/** The campaign for which agents of its skill are given numbers to call. */
export const outboundCampaign: Campaign = campaign('Renewals', 3, 'Campaign', 'Leeds');

export const [orders = outboundCampaign, support = outboundCampaign] = inboundCampaigns;

/**
 * Numbers that a regulator (Ofcom) reserves for fiction, in nine cities a thousand each: hardly anybody calls twice a day by
 * chance. Those of agents are in another city.
 */
const cities = ['113', '114', '116', '117', '118', '131', '141', '151', '161'] as const;

export const callerNumber = (random: Random): string =>
  `44${pick(random, cities)}4960${String(between(random, 0, 999)).padStart(3, '0')}`;

/** Calls of a quarter of an hour as a share of the busiest one, by the hour of the wall clock: two peaks, and quiet nights. */
const curve = [
  0.03, 0.02, 0.02, 0.02, 0.02, 0.03, 0.06, 0.16, 0.42, 0.74, 1, 0.92, 0.66, 0.6, 0.72, 0.86, 0.93, 0.8, 0.52, 0.36,
  0.24, 0.15, 0.08, 0.05,
] as const;

export const demandAt = (hour: number): number => curve[hour] ?? 0;

/** Inbound calls of a day, by the day of the week from Sunday on; repeated attempts, callbacks and the campaign come on top. */
const inboundOf = [105, 262, 250, 240, 246, 254, 150] as const;

export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

export const isWeekend = (date: string): boolean => [0, 6].includes(weekdayOf(date));

export const inboundCallsOn = (date: string): number => inboundOf[weekdayOf(date)] ?? 0;

/** The generator of a day for one purpose. The same seed and date always draw the same. */
export const randomOfDay = (seed: number, date: string, purpose: number): Random =>
  seededRandom(seed * 1_000_003 + (Date.parse(date) / 86_400_000) * 101 + purpose);

/** A time of the wall clock on a day, in milliseconds since the epoch. One that clocks skip is moved later. */
export const instantOn = (date: string, time: string, timeZone: string): number => {
  const at = time === '24:00' ? startOfDay(addDays(date, 1), timeZone) : instantOf(`${date} ${time}:00`, timeZone)?.at;
  if (at === undefined) throw new Error(`${date} ${time} is no time.`);
  return Date.parse(at);
};
