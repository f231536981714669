import { InvalidArgumentError } from 'commander';
import { type EventType, eventSchemas, isEventType } from '../lib/contract/events.ts';
import { isTimeZone } from '../lib/core/time-zone.ts';

/** What is typed for the day on which the command is run. */
export const today = 'today';

/** Whether the calendar has this day: Date takes February 30 for the 2nd of March. */
const isRealDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

/** A day, as it was typed. */
export const dayFrom = (typed: string): string => {
  if (typed === today || (/^\d{4}-\d\d-\d\d$/.test(typed) && isRealDay(typed))) return typed;
  throw new InvalidArgumentError(`Expected a day such as 2026-11-20, or ${today}.`);
};

const allowed = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30';

const dayPattern = /^\d{4}-\d\d-\d\d$/;
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An instant as rows hold it, from what was typed. A day is none: which one is meant, is another in each zone. */
export const instantFrom = (typed: string): string => {
  const advice = dayPattern.test(typed) ? '; a day has no zone, and only “callfeed calls” takes one, by --day' : '';
  return parseInstant(typed) ?? reject(`${allowed}${advice}.`);
};

/** The same, or a day, which means its beginning in UTC. */
export const instantOrDayFrom = (typed: string): string =>
  parseInstant(dayPattern.test(typed) ? `${typed}T00:00Z` : typed) ??
  reject(`${allowed}, or a day (2026-11-20, in UTC).`);

const parseInstant = (typed: string): string | undefined => {
  const instant = instantPattern.test(typed) ? new Date(typed) : new Date(Number.NaN);
  return Number.isNaN(instant.getTime()) || !isRealDay(typed.slice(0, 10)) ? undefined : instant.toISOString();
};

const reject = (why: string): never => {
  throw new InvalidArgumentError(why);
};

/** A time zone, as it was typed. */
export const zoneFrom = (typed: string): string => {
  if (isTimeZone(typed)) return typed;
  throw new InvalidArgumentError('Expected an IANA time zone such as Asia/Kolkata.');
};

/** Reads a whole number within bounds. */
export const wholeNumber =
  (least: number, most: number) =>
  (typed: string): number => {
    const number = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };

/** Detail-types, as they were typed. */
export const eventTypes = (typed: string, before: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...before, typed];
  throw new InvalidArgumentError(`There is no such event; there is ${Object.keys(eventSchemas).join(', ')}.`);
};
