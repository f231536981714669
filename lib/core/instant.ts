import { offsetAt } from './time-zone.ts';

/** How a local time relates to the zone's clock changes. */
export type LocalTimeNote = 'ambiguous-local-time' | 'skipped-local-time';

/** An instant in UTC as ISO 8601 with milliseconds, so that text order is time order. */
export interface Instant {
  readonly at: string;
  readonly note?: LocalTimeNote;
}

/** Practice: colons between date parts occur on paper, `T` and a zone (`Z`, `+05:30`) in the wild. */
const instantPattern =
  /^((?!00)\d{4})[-:/](\d{2})[-:/](\d{2})[ T]+(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;

const dayMs = 86_400_000;

/**
 * The instant that a sent time means, or undefined if it is no time.
 * A time without a zone is read in the account's. Where clocks go back, the first of the two instants is taken; where
 * they go forward, a time that never was is moved on by the length of the gap. Both are noted.
 */
export const instantOf = (text: string, zone: string): Instant | undefined => {
  const parts = instantPattern.exec(text);
  if (parts === null) return undefined;

  const [, year, month, day, hour, minute, second, fraction = '', utc, sign, offsetHours, offsetMinutes] = parts;
  const wallMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`);
  // 31 February would be a day in March, hour 24 the next day; hour 25 is no date at all.
  if (new Date(wallMs).getUTCDate() !== Number(day)) return undefined;

  if (utc !== undefined) return toInstant(wallMs);
  if (sign === undefined) return fromLocal(wallMs, zone);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return toInstant(sign === '-' ? wallMs + offsetMs : wallMs - offsetMs);
};

const fromLocal = (wallMs: number, zone: string): Instant | undefined => {
  const before = wallMs - offsetAt(zone, wallMs - dayMs);
  const after = wallMs - offsetAt(zone, wallMs + dayMs);
  if (before === after) return toInstant(before);

  const isReal = (ms: number) => ms + offsetAt(zone, ms) === wallMs;
  if (isReal(before) && isReal(after)) return toInstant(Math.min(before, after), 'ambiguous-local-time');
  if (isReal(before)) return toInstant(before);
  if (isReal(after)) return toInstant(after);
  return toInstant(before, 'skipped-local-time');
};

/** Beyond year 9999 the text form changes, and text order would no longer be time order. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const toInstant = (ms: number, note?: LocalTimeNote): Instant | undefined =>
  ms > lastMs ? undefined : { at: new Date(ms).toISOString(), ...(note !== undefined && { note }) };

const secondsPattern = /^\d{1,9}(?:\.\d{1,3})?$/;
const clockPattern = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/;

/**
 * Seconds in a duration, or undefined if it is none. Practice: `HH:MM:SS`, `MM:SS` and a plain number of seconds arrive.
 * @example secondsFrom('01:02:03') // 3723
 */
export const secondsFrom = (text: string): number | undefined => {
  if (secondsPattern.test(text)) return Number(text);

  const [, hours, minutes, rest] = clockPattern.exec(text) ?? [];
  if (minutes === undefined || Number(rest) > 59) return undefined;
  if (hours !== undefined && Number(minutes) > 59) return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest);
};

const secondsPerDay = 86_400;

/** When a row may be deleted that is kept for so many days from an instant, in seconds since the epoch. */
export const expiresAt = (from: string, days: number): number =>
  Math.floor(Date.parse(from) / 1000) + days * secondsPerDay;

const msPerDay = 86_400_000;

/** More midnights than anybody's state lasts; beyond it the first stretch is longer than a day. */
const maxMidnights = 31;

/** The date on the zone's calendar at an instant, as in 2026-11-21. */
export const localDate = (at: string, zone: string): string => {
  const ms = Date.parse(at);
  return new Date(ms + offsetAt(zone, ms)).toISOString().slice(0, 10);
};

/** The zone's midnights after one instant and not after another, in order; at most the last 31. */
export const midnights = (after: string, until: string, zone: string): readonly string[] => {
  const found: string[] = [];
  for (let date = localDate(until, zone); found.length < maxMidnights; date = dayBefore(date)) {
    const midnight = startOfDay(date, zone);
    if (midnight <= after) break;
    if (midnight <= until) found.unshift(midnight);
  }
  return found;
};

/** The instant at which a day begins: where clocks skip midnight, the first one after it. */
export const startOfDay = (date: string, zone: string): string =>
  instantOf(`${date} 00:00:00`, zone)?.at ?? `${date}T00:00:00.000Z`;

const dayBefore = (date: string): string => new Date(Date.parse(date) - msPerDay).toISOString().slice(0, 10);

/** The next date of the calendar. */
export const dayAfter = (date: string): string => new Date(Date.parse(date) + msPerDay).toISOString().slice(0, 10);

/** The last instant before another: a range of keys includes both of its ends, and the end of a day is the next one's. */
export const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();
