import { instantOf } from './instant-of.ts';
import { offsetAt } from './time-zone.ts';

const dayMs = 86_400_000;

/** More midnights than anybody's state lasts; beyond it the first stretch is longer than a day. */
const mostMidnights = 31;

/** The date on the zone's calendar at an instant, as in 2026-11-21. */
export const localDate = (at: string, zone: string): string => {
  const ms = Date.parse(at);
  return new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 10);
};

/** The zone's midnights after one instant and not after another, in order; at most the last 31. */
export const midnights = (after: string, until: string, zone: string): readonly string[] => {
  const found: string[] = [];
  for (let date = localDate(until, zone); found.length < mostMidnights; date = dayBefore(date)) {
    const midnight = startOfDay(date, zone);
    if (midnight <= after) break;
    if (midnight <= until) found.unshift(midnight);
  }
  return found;
};

/** The instant at which a day begins: where clocks skip midnight, the first one after it. */
export const startOfDay = (date: string, zone: string): string =>
  instantOf(`${date} 00:00:00`, zone)?.at ?? `${date}T00:00:00.000Z`;

const dayBefore = (date: string): string => new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);

/** The next date of the calendar. */
export const dayAfter = (date: string): string => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);

/** The last instant before another: a range of keys includes both of its ends, and the end of a day is the next one's. */
export const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();
