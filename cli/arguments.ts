import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { type EventType, eventSchemas, isEventType } from '../lib/contract/events.ts';
import { isTimeZone, zoneName } from '../lib/core/time.ts';

export const today = 'today';
export const yesterday = 'yesterday';

/** Whether the calendar has this day: `Date` reads February 30 as the 2nd of March. */
const isRealDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

export const dayFrom = (typed: string): string => {
  if (typed === today || typed === yesterday || (dayPattern.test(typed) && isRealDay(typed))) return typed;
  return reject(`Expected a day such as 2026-11-20, ${today} or ${yesterday}.`);
};

const allowed = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30';

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Parses an instant into the form that rows hold. Rejects a day, because it begins at another instant in each zone. */
export const instantFrom = (typed: string): string => {
  const advice = dayPattern.test(typed) ? '. A day has no zone; “callfeed calls” has --day for one' : '';
  return parseInstant(typed) ?? reject(`${allowed}${advice}.`);
};

/** Parses an instant, or a day, which means its first instant in UTC. */
export const instantOrDayFrom = (typed: string): string =>
  parseInstant(dayPattern.test(typed) ? `${typed}T00:00Z` : typed) ??
  reject(`${allowed}, or a day (2026-11-20, in UTC).`);

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A point of time that the user names: an instant, or how long ago it is, in milliseconds. */
export type Since = { readonly at: string } | { readonly agoMs: number };

/** Parses an instant, or how long ago it is: so many minutes, hours or days. */
export const sinceFrom = (typed: string): Since => {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(typed) ?? [];
  if (unit === 'm' || unit === 'h' || unit === 'd') return { agoMs: Number(count) * unitMs[unit] };
  return { at: parseInstant(typed) ?? reject(`${allowed}, or how long ago, such as 90m, 2h or 3d.`) };
};

const parseInstant = (typed: string): string | undefined => {
  const instant = instantPattern.test(typed) ? new Date(typed) : new Date(Number.NaN);
  return Number.isNaN(instant.getTime()) || !isRealDay(typed.slice(0, 10)) ? undefined : instant.toISOString();
};

export const reject = (message: string): never => {
  throw new InvalidArgumentError(message);
};

export const zoneFrom = (typed: string): string => {
  const zone = zoneName(typed);
  if (isTimeZone(zone)) return zone;
  return reject('Expected an IANA time zone such as Asia/Kolkata.');
};

export const wholeNumber =
  (min: number, max: number) =>
  (typed: string): number => {
    const number = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (number >= min && number <= max) return number;
    return reject(`Expected a whole number from ${min} to ${max}.`);
  };

const eventTypes = (typed: string, previous: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...previous, typed];
  return reject(`There is no such event. Events are: ${Object.keys(eventSchemas).join(', ')}.`);
};

export const eventTypesOption = new Option(
  '--type <type>',
  'only this detail-type; may be given several times',
).argParser(eventTypes);
