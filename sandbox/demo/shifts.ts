import { addDays } from '../../lib/core/time.ts';
import type { SimulatedAgent } from '../simulator/centre.ts';
import { between, pick, type Random, shuffled } from '../simulator/random.ts';
import { ready } from '../simulator/shifts.ts';
import { instantOn, isWeekend, randomOfDay, staff } from './centre.ts';

/** What an agent does between two instants while no call keeps the agent busy. Between two of them the agent is logged out. */
export interface Stretch {
  readonly agent: SimulatedAgent;
  readonly from: number;
  readonly until: number;
  readonly state: string;
}

/** The hour in which most agents are away from their desks at once, on the day that has one. */
export const badHour = { from: '16:00', until: '17:00' } as const;

const breakWords = ['PAUSE', 'AUX'] as const;
const minute = 60_000;

/** One of them has the night that begins on a date, and neither that day nor the next one. */
const nightAgents = ['li', 'karl', 'yusuf', 'nora'] as const;
const dayNumber = (date: string): number => Date.parse(date) / 86_400_000;
const nightAgentOf = (date: string): string => nightAgents[dayNumber(date) % nightAgents.length] ?? nightAgents[0];

interface Shift {
  readonly agent: SimulatedAgent;
  readonly begins: string;
  readonly ends: string;
}

/** Half of the agents begin early and half late, by turns from week to week. At a weekend three of four work. */
const shiftsOn = (date: string): readonly Shift[] => {
  const before = nightAgentOf(addDays(date, -1));
  const after = nightAgentOf(date);
  const day = dayNumber(date);
  const week = Math.floor(day / 7);
  const works = (index: number): boolean => !isWeekend(date) || index % 4 !== day % 4;
  return [
    ...staff.filter(({ id }) => id === before).map((agent) => ({ agent, begins: '00:00', ends: '07:00' })),
    ...staff
      .filter(({ id }, index) => works(index) && id !== before && id !== after)
      .map((agent, index) => ({ agent, isEarly: (index + week) % 2 === 0 }))
      .map(({ agent, isEarly }) => ({
        agent,
        begins: isEarly ? '07:00' : '12:30',
        ends: isEarly ? '15:30' : '21:00',
      })),
    ...staff.filter(({ id }) => id === after).map((agent) => ({ agent, begins: '21:00', ends: '24:00' })),
  ];
};

interface Pause {
  readonly from: number;
  readonly until: number;
}

/** When every agent of a date is there and on a break. A night is ready at midnight, so that two days fit together. */
export const stretchesOn = (seed: number, date: string, timeZone: string, hasBadHour: boolean): readonly Stretch[] => {
  const random = randomOfDay(seed, date, 1);
  const shifts = shiftsOn(date);
  const away = new Set(
    shuffled(random, shifts)
      .slice(0, Math.ceil(0.8 * shifts.length))
      .map(({ agent }) => agent.id),
  );
  const meeting = {
    from: instantOn(date, badHour.from, timeZone) + 2 * minute,
    until: instantOn(date, badHour.until, timeZone) - 4 * minute,
  };

  return shifts.flatMap(({ agent, begins, ends }) => {
    const isNight = ends === '24:00' || begins === '00:00';
    const from = instantOn(date, begins, timeZone) + (isNight ? 0 : between(random, -300, 420) * 1000);
    const until = instantOn(date, ends, timeZone) + (isNight ? 0 : between(random, -120, 600) * 1000);
    const own = pausesIn(random, from, until);
    const isAway = hasBadHour && away.has(agent.id) && from < meeting.from && until > meeting.until;
    const pauses = isAway ? [...own.filter((one) => !overlaps(one, meeting)), meeting] : own;
    return stretchesOf(random, { agent, from, until }, pauses);
  });
};

const overlaps = (one: Pause, other: Pause): boolean => one.from < other.until && other.from < one.until;

/** A meal around the middle, not all at once, and a short break in each half. */
const pausesIn = (random: Random, from: number, until: number): readonly Pause[] => {
  const half = (until - from) / 2;
  const after = (share: number, least: number, most: number, spread = 15): Pause => {
    const begins =
      from + Math.floor((share * (until - from)) / 1000) * 1000 + between(random, -spread * 60, spread * 60) * 1000;
    return { from: begins, until: begins + between(random, least, most) * minute };
  };
  return half < 2 * 3_600_000 ? [after(0.5, 8, 15)] : [after(0.25, 8, 15), after(0.5, 28, 40, 70), after(0.75, 7, 14)];
};

const stretchesOf = (
  random: Random,
  { agent, from, until }: Pick<Stretch, 'agent' | 'from' | 'until'>,
  pauses: readonly Pause[],
): readonly Stretch[] => {
  let readyFrom = from;
  const stretches: Stretch[] = [];
  for (const pause of pauses.toSorted((one, other) => one.from - other.from)) {
    stretches.push({ agent, from: readyFrom, until: pause.from, state: ready });
    stretches.push({ agent, ...pause, state: pick(random, breakWords) });
    readyFrom = pause.until;
  }
  return [...stretches, { agent, from: readyFrom, until, state: ready }];
};
