import * as z from 'zod';
import { maxKeyLength } from '../calls/call-keys.ts';
import { dayAfter, startOfDay } from '../core/instant.ts';
import { isTimeZone } from '../core/time-zone.ts';
import { type LoggedInState, loggedInStates } from '../telephony/agent-fields.ts';

/**
 * A text by which something is looked up. Throws a TypeError for anything but a text that says something, and a
 * RangeError for one that is too long to be a key; neither repeats the text.
 */
export const textFrom = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${name}: expected text that is not empty. Ids are text too: numbers lose digits.`);
  if (encodeURIComponent(value).length > maxKeyLength)
    throw new RangeError(`${name}: expected at most ${maxKeyLength} characters, as encoded in keys.`);
  return value;
};

/** A number, and what it counts, that an argument may be. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

/** Throws a RangeError that says what is allowed. */
export const numberFrom = (name: string, value: unknown, { least, most, isWhole }: Bounds): number => {
  const isNumber = typeof value === 'number' && (!isWhole || Number.isInteger(value));
  if (!isNumber || !(value >= least && value <= most))
    throw new RangeError(`${name}: expected a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
  return value;
};

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Text order is time order only within these. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * An instant as rows hold it. Throws a TypeError for what is no instant: a local time without a zone could be any of
 * some forty.
 */
export const instantFrom = (name: string, value: unknown): string => {
  const ms = millisecondsOf(value);
  if (!(ms >= 0 && ms <= lastMs))
    throw new TypeError(
      `${name}: expected a Date or an ISO instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30.`,
    );
  return new Date(ms).toISOString();
};

const millisecondsOf = (value: unknown): number => {
  if (value instanceof Date) return value.getTime();
  return instant.safeParse(value).success ? Date.parse(String(value)) : Number.NaN;
};

/** By how much the clock of who named the moment may be ahead of the reader's. */
const clockDifferenceMs = 60_000;

/** An instant that has passed, as rows hold it. Throws a TypeError for what is no instant, and a RangeError for one to come. */
export const pastFrom = (name: string, value: unknown, now: Date): string => {
  const instant = instantFrom(name, value);
  if (Date.parse(instant) > now.getTime() + clockDifferenceMs)
    throw new RangeError(`${name}: expected an instant that has passed.`);
  return instant;
};

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

/** Throws a RangeError for a word that is no state of an agent who is logged in. */
export const stateFrom = (value: unknown): LoggedInState => {
  const state = loggedInStates.find((known) => known === value);
  if (state === undefined) throw new RangeError(`state: expected one of ${loggedInStates.join(', ')}.`);
  return state;
};
