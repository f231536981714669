export type Clock = () => Date;

/** How far a zone is ahead of UTC at an instant, in milliseconds. Undefined for a zone that this source does not know. */
export type ZoneOffsets = (zone: string, instantMs: number) => number | undefined;

let fasterOffsets: ZoneOffsets = () => undefined;

/** Asks another source before `Intl`, whose first use in a process takes 10 ms or more. Only the deployed receiver has one. */
export const askForOffsetsFirst = (offsets: ZoneOffsets): void => {
  fasterOffsets = offsets;
};

const formats = new Map<string, Intl.DateTimeFormat>();

const formatIn = (zone: string): Intl.DateTimeFormat => {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
};

/** The name under which `Intl` has a zone. Aliases have the one of their zone. */
export const resolvedZone = (zone: string): string => formatIn(zone).resolvedOptions().timeZone;

/** `Intl` writes an offset as GMT+05:30, or with seconds as GMT+05:21:10 where clocks showed the local solar time. */
const intlOffset = (zone: string, instantMs: number): number => {
  const text = formatIn(zone).format(instantMs).split(' ').at(-1) ?? '';
  const [hours = 0, minutes = 0, seconds = 0] = text.slice('GMT+'.length).split(':').map(Number);
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  return text.startsWith('GMT-') ? -ms : ms;
};

/** The IANA's names of zones that are the name of a country or a place there. All others without a slash are of hours. */
const zonesOfCountries = (
  'Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya Navajo NZ NZ-CHAT Poland Portugal PRC ROC ' +
  'ROK Singapore Turkey'
).split(' ');

/** Neither offsets nor short names: an offset has no daylight saving, and IST means India, Israel or Ireland. */
export const isTimeZone = (zone: string): boolean => {
  if (zone !== 'UTC' && !zone.includes('/') && !zonesOfCountries.includes(zone)) return false;
  try {
    return Number.isFinite(offsetAt(zone, 0));
  } catch {
    return false;
  }
};

/** In the IANA's letter case, which other languages need. Where `Intl` renames (Asia/Calcutta), words get capitals. */
export const zoneName = (zone: string): string => {
  const short = ['UTC', ...zonesOfCountries].find((name) => name.toLowerCase() === zone.toLowerCase());
  if (short !== undefined) return short;
  // The faster source knows a zone only by its right name.
  if (fasterOffsets(zone, 0) !== undefined || !isTimeZone(zone)) return zone;
  const timeZone = resolvedZone(zone);
  if (timeZone.toLowerCase() === zone.toLowerCase()) return timeZone;
  return zone.replace(/(?<![A-Za-z])(?:[a-z]+|[A-Z]{4,})(?![A-Za-z])/g, capitalised).replace(/^us(?=\/)/i, 'US');
};

const capitalised = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase()}`;

export const quarterHourMs = 15 * 60_000;
/** Bounds the cache of each zone: 10,000 quarters of an hour are some hundred days. */
const maxCachedOffsets = 10_000;
const offsets = new Map<string, Map<number, number>>();

/** In milliseconds. Since 2012 zones change their offset only on a quarter of an hour: each has one cached offset. */
export const offsetAt = (zone: string, instantMs: number): number => {
  if (zone === 'UTC') return 0;
  const quarterMs = Math.floor(instantMs / quarterHourMs) * quarterHourMs;
  const ofZone = offsets.get(zone) ?? new Map<number, number>();
  const cached = ofZone.get(quarterMs);
  if (cached !== undefined) return cached;

  const offset = fasterOffsets(zone, quarterMs) ?? intlOffset(zone, quarterMs);
  if (ofZone.size >= maxCachedOffsets) ofZone.clear();
  offsets.set(zone, ofZone.set(quarterMs, offset));
  return offset;
};

const secondsPerDay = 86_400;
const msPerDay = secondsPerDay * 1000;

/** Some hours more than a year at most. */
export const yearSeconds = 366 * secondsPerDay;

interface Instant {
  /** In UTC as ISO 8601 with milliseconds, so that text order is time order. */
  readonly at: string;
  readonly note?: 'ambiguous-local-time' | 'skipped-local-time';
  /** A local time that never occurs, in one spelling: nothing else shows it. */
  readonly local?: string;
}

/** The vendor's documents have colons between the parts of a date; callbacks have `T` and a zone (`Z`, `+05:30`). */
const instantPattern =
  /^((?!00)\d{4})[-:/](\d{2})[-:/](\d{2})[ T]+(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;

/**
 * The instant of a time as the sender writes it, or undefined if the text is no time. A time without a zone is read in
 * the account's zone. A time that occurs twice, because clocks go back, means the first of its two instants. A time
 * that never occurs, because clocks go forward, is moved later by the length of the gap. Both cases are noted. A time with
 * a zone has the note of the same time without one, so that the spelling makes no difference.
 */
export const instantOf = (text: string, zone: string): Instant | undefined => readingsOf(text, zone)[0];

/** Every instant that a time may mean, the one of `instantOf` first. A clock may not be changed yet. */
export const readingsOf = (text: string, zone: string): readonly Instant[] => {
  const parts = instantPattern.exec(text);
  if (parts === null) return [];

  const [, year, month, day, hour, minute, second, fraction = '', utc, sign, offsetHours, offsetMinutes] = parts;
  const wallMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`);
  // Date.parse moves 31 February into March and hour 24 to the next day; hour 25 gives NaN.
  if (new Date(wallMs).getUTCDate() !== Number(day)) return [];

  if (utc !== undefined) return fromExact(wallMs, zone);
  if (sign === undefined) return fromLocal(wallMs, zone);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return [];
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return fromExact(sign === '-' ? wallMs + offsetMs : wallMs - offsetMs, zone);
};

const fromExact = (ms: number, zone: string): readonly Instant[] => {
  const exact = toInstants(ms);
  const local = fromLocal(ms + offsetAt(zone, ms), zone).slice(0, 1);
  return local[0]?.at === exact[0]?.at ? local : exact;
};

const fromLocal = (wallMs: number, zone: string): readonly Instant[] => {
  const before = wallMs - offsetAt(zone, wallMs - msPerDay);
  const after = wallMs - offsetAt(zone, wallMs + msPerDay);
  if (before === after) return toInstants(before);

  const isReal = (ms: number) => ms + offsetAt(zone, ms) === wallMs;
  const real = [before, after].filter(isReal);
  const [only, other] = real;
  if (only !== undefined && other === undefined) return toInstants(only);
  const first = Math.min(before, after);
  const last = Math.max(before, after);
  if (real.length === 2)
    return toInstants(first, last).map((instant) => ({ ...instant, note: 'ambiguous-local-time' }));
  const local = localText(wallMs);
  return toInstants(last, first).map((instant) => ({ ...instant, note: 'skipped-local-time', local }));
};

/** An instant as the service would write it, by the zone's clock. */
export const documentedTime = (at: string, zone: string): string => localText(Date.parse(localTime(at, zone)));

export const documentedDuration = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

/** A time in the documented spelling, by the clock that it was read from; any other text as it is. */
export const clockText = (text: string): string => {
  const read = instantOf(text, 'UTC');
  return read === undefined ? text : localText(Date.parse(read.at));
};

const localText = (wallMs: number): string =>
  new Date(wallMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.000)?Z$/, '');

/** After the year 9999 the text form changes, and text order would no longer be time order. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const toInstants = (...all: readonly number[]): readonly Instant[] =>
  all.filter((ms) => ms <= lastMs).map((ms) => ({ at: new Date(ms).toISOString() }));

const secondsPattern = /^\d{1,9}(?:\.\d{1,3})?$/;
const clockPattern = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/;

/** The seconds of a duration: `HH:MM:SS`, `MM:SS` or a plain number. @example secondsFrom('01:02:03') // 3723 */
export const secondsFrom = (text: string): number | undefined => {
  if (secondsPattern.test(text)) return Number(text);

  const [, hours, minutes, rest] = clockPattern.exec(text) ?? [];
  if (minutes === undefined || Number(rest) > 59 || (hours !== undefined && Number(minutes) > 59)) return undefined;
  return Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(rest);
};

/** A row's time-to-live, in seconds since the epoch as DynamoDB expects. */
export const expiresAt = (from: string, days: number): number =>
  Math.floor(Date.parse(from) / 1000) + days * secondsPerDay;

/** What a clock on the wall of the zone shows at an instant, written as if it were an instant in UTC. */
export const localTime = (at: string, zone: string): string => {
  const ms = Date.parse(at);
  return new Date(ms + offsetAt(zone, ms)).toISOString();
};

export const localDate = (at: string, zone: string): string => localTime(at, zone).slice(0, 10);

/** When the hour of an instant, or its quarter, begins by the zone's clock. An hour that occurs twice is two periods. */
export const beginOfPeriod = (ms: number, minutes: 60 | 15, zone: string): string => {
  const lengthMs = minutes * 60_000;
  const offset = offsetAt(zone, ms);
  return new Date(Math.floor((ms + offset) / lengthMs) * lengthMs - offset).toISOString();
};

/** Bounds the search. Hardly any state lasts for 31 days; if one does, its first interval is longer than a day. */
const maxMidnights = 31;

/** The zone's midnights after one instant and up to another, that one included; at most the last 31. */
export const midnights = (after: string, until: string, zone: string): readonly string[] => {
  const found: string[] = [];
  for (let date = localDate(until, zone); found.length < maxMidnights; date = addDays(date, -1)) {
    const midnight = startOfDay(date, zone);
    if (midnight <= after) break;
    found.unshift(midnight);
  }
  return found;
};

/** The first instant of a day: midnight, or the end of the gap where clocks skip midnight. */
export const startOfDay = (date: string, zone: string): string =>
  instantOf(`${date} 00:00:00`, zone)?.at ?? `${date}T00:00:00.000Z`;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * msPerDay).toISOString().slice(0, 10);

/** The dates from one to another, both included. */
export const datesBetween = (first: string, last: string): readonly string[] => {
  const dates: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
};

/** Consecutive days by the first and the last one, both included, such as from 2026-11-01 to 2026-11-30. */
export interface DayPeriod {
  readonly from: string;
  readonly to: string;
}

export const isOneDay = ({ from, to }: DayPeriod): boolean => from === to;

export const periodText = (period: DayPeriod): string =>
  isOneDay(period) ? period.from : `${period.from} to ${period.to}`;

/** The last instant before another. The key range of a day needs it: BETWEEN includes both of its ends. */
export const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();

export const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;
