import * as z from 'zod';
import { dayAfter, startOfDay } from '../../lib/time/days.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';

const date = z.iso.date();

/** The first instant of a day in a zone and the one at which it is over; 23 or 25 hours lie between them twice a year. */
export interface DayBounds {
  readonly start: string;
  readonly end: string;
}

/** Throws a RangeError for what is no date of the calendar, or no time zone. */
export const dayFrom = (day: string, timeZone: string): DayBounds => {
  if (!date.safeParse(day).success) throw new RangeError('day: expected a date of the calendar, such as 2026-11-20.');
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone))
    throw new RangeError('timeZone: expected an IANA time zone such as Asia/Kolkata, or UTC.');

  const next = dayAfter(day);
  if (!date.safeParse(next).success) throw new RangeError('day: expected one before 9999-12-31.');
  return { start: startOfDay(day, timeZone), end: startOfDay(next, timeZone) };
};
