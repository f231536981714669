import { localTime } from '../../lib/core/time.ts';
import type { PlannedCall } from '../simulator/call.ts';
import type { Campaign } from '../simulator/centre.ts';
import { between, type Random } from '../simulator/random.ts';
import { callerNumber, demandAt, inboundCallsOn, inboundCampaigns, instantOn, support } from './centre.ts';
import { badHour } from './shifts.ts';

const second = 1000;
const minute = 60 * second;

/** A caller to whom nobody speaks yet. */
export interface Arrival {
  readonly customer: string;
  readonly campaign: Campaign;
  readonly since: number;
  readonly givesUpAt: number;
  readonly attempt: number;
  readonly follows?: PlannedCall;
  readonly isChain?: boolean;
}

interface ArrivalDay {
  readonly date: string;
  readonly timeZone: string;
  readonly events: { readonly badHour?: boolean };
  readonly from: number;
  readonly until: number;
}

/** Who calls by their own will, in the order of time: more in the bad hour, and at night for support alone. */
export const arrivalsOf = (random: Random, { date, timeZone, events, from, until }: ArrivalDay): readonly Arrival[] => {
  const quarter = 15 * minute;
  const count = Math.round((until - from) / quarter);
  const bad = [badHour.from, badHour.until].map((time) => instantOn(date, time, timeZone));
  const weights = Array.from({ length: count }, (_, index) => {
    const at = from + index * quarter;
    const hour = Number(localTime(new Date(at).toISOString(), timeZone).slice(11, 13));
    const isBad = events.badHour === true && at >= Number(bad[0]) && at < Number(bad[1]);
    return { at, isNight: hour < 7 || hour >= 21, weight: demandAt(hour) * (isBad ? 1.7 : 1) };
  });
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  const arrivals = weights.flatMap(({ at, isNight, weight }) => {
    const expected = (inboundCallsOn(date) * weight) / sum;
    const calls = Math.floor(expected + random() * 1.6 - 0.3);
    return Array.from({ length: Math.max(0, calls) }, () =>
      newCaller(random, at + between(random, 0, 899) * second, isNight),
    );
  });
  return arrivals.toSorted((one, other) => one.since - other.since);
};

export const newCaller = (random: Random, since: number, isNight: boolean): Arrival => ({
  customer: callerNumber(random),
  campaign: isNight ? support : pickShare(random, inboundCampaigns),
  since,
  givesUpAt: since + patienceOf(random),
  attempt: 1,
});

const pickShare = (random: Random, campaigns: typeof inboundCampaigns): Campaign => {
  let drawn = random();
  const found = campaigns.find(({ share }) => {
    drawn -= share;
    return drawn < 0;
  });
  return found ?? support;
};

export const patienceOf = (random: Random): number =>
  Math.min(300, Math.round(8 - 140 * Math.log(1 - random()))) * second;
