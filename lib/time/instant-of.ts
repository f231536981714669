import { offsetAt } from './time-zone.ts';

/** How a local time relates to the zone's clock changes. */
export type LocalTimeNote = 'ambiguous-local-time' | 'skipped-local-time';

/** An instant in UTC as ISO 8601 with milliseconds, so that text order is time order. */
export interface Instant {
  readonly at: string;
  readonly note?: LocalTimeNote;
}

/** Practice: colons between date parts occur on paper, `T` and a zone (`Z`, `+05:30`) in the wild. */
const form =
  /^((?!00)\d{4})[-:/](\d{2})[-:/](\d{2})[ T]+(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d*)?\s*(?:(Z)|([+-])(\d{2}):?(\d{2}))?$/i;

const dayMs = 86_400_000;

/**
 * The instant that a sent time means, or undefined if it is no time.
 * A time without a zone is read in the account's. Where clocks go back, the first of the two instants is taken; where
 * they go forward, a time that never was is moved on by the length of the gap. Both are noted.
 */
export const instantOf = (text: string, zone: string): Instant | undefined => {
  const parts = form.exec(text);
  if (parts === null) return undefined;

  const [, year, month, day, hour, minute, second, fraction = '', utc, sign, offsetHours, offsetMinutes] = parts;
  const wallMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`);
  // 31 February would be a day in March, hour 24 the next day; hour 25 is no date at all.
  if (new Date(wallMs).getUTCDate() !== Number(day)) return undefined;

  if (utc !== undefined) return instant(wallMs);
  if (sign === undefined) return fromLocal(wallMs, zone);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return instant(sign === '-' ? wallMs + offsetMs : wallMs - offsetMs);
};

const fromLocal = (wallMs: number, zone: string): Instant | undefined => {
  const before = wallMs - offsetAt(zone, wallMs - dayMs);
  const after = wallMs - offsetAt(zone, wallMs + dayMs);
  if (before === after) return instant(before);

  const isReal = (ms: number) => ms + offsetAt(zone, ms) === wallMs;
  if (isReal(before) && isReal(after)) return instant(Math.min(before, after), 'ambiguous-local-time');
  if (isReal(before)) return instant(before);
  if (isReal(after)) return instant(after);
  return instant(before, 'skipped-local-time');
};

/** Beyond year 9999 the text form changes, and text order would no longer be time order. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const instant = (ms: number, note?: LocalTimeNote): Instant | undefined =>
  ms > lastMs ? undefined : { at: new Date(ms).toISOString(), ...(note !== undefined && { note }) };
