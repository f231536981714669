import * as z from 'zod/mini';
import { maxListKeyLength } from '../lib/calls/call-keys.ts';
import { addDays, type DayPeriod, datesBetween, isTimeZone, justBefore, startOfDay } from '../lib/core/time.ts';

/**
 * Checks a text that becomes a part of a key. Throws a TypeError for anything but text that is not empty, and a RangeError
 * for text that is too long. Neither message contains the text, which may be a telephone number.
 */
export const textArgument = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || !value.isWellFormed())
    throw new TypeError(`${name}: expected text that is not empty. Ids are text too: numbers lose digits.`);
  if (encodeURIComponent(value).length > maxListKeyLength)
    throw new RangeError(`${name}: expected at most ${maxListKeyLength} characters, as encoded in keys.`);
  return value;
};

/** Checks a number from 1 to a greatest one. Throws a RangeError. */
export const numberArgument = (name: string, value: unknown, max: number, { isWhole = true } = {}): number => {
  const isNumber = typeof value === 'number' && (!isWhole || Number.isInteger(value));
  if (!isNumber || !(value >= 1 && value <= max))
    throw new RangeError(`${name}: expected a ${isWhole ? 'whole ' : ''}number from 1 to ${max}.`);
  return value;
};

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Beyond the year 9999, the order of ISO texts is not the order of time. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Converts an instant to the form that rows hold. Throws a TypeError for anything else, such as a local time: without a
 * zone it could be any of some forty instants.
 */
export const instantArgument = (name: string, value: unknown): string => {
  const ms = value instanceof Date ? value.getTime() : Date.parse(instant.safeParse(value).data ?? '');
  if (Number.isNaN(ms) || ms < 0 || ms > lastMs)
    throw new TypeError(
      `${name}: expected a Date or an ISO instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30.`,
    );
  return new Date(ms).toISOString();
};

/** How far the caller's clock may be ahead of the client's. */
const clockDifferenceMs = 60_000;

/** Converts an instant in the past. Throws a TypeError as `instantArgument` does, and a RangeError for the future. */
export const pastArgument = (name: string, value: unknown, now: Date): string => {
  const instant = instantArgument(name, value);
  if (Date.parse(instant) > now.getTime() + clockDifferenceMs)
    throw new RangeError(`${name}: expected an instant in the past.`);
  return instant;
};

const date = z.iso.date();

/** The first instants of a day and of the next day: 23 or 25 hours apart when clocks change. */
export interface DayBounds {
  readonly start: string;
  readonly end: string;
}

/** The bounds of a day in a time zone. Throws a RangeError for an unknown date or zone. */
export const dayArgument = (day: string, timeZone: string): DayBounds => {
  if (!date.safeParse(day).success) throw new RangeError('day: expected a date such as 2026-11-20.');
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone))
    throw new RangeError('timeZone: expected an IANA time zone such as Asia/Kolkata, or UTC.');

  const next = addDays(day, 1);
  if (!date.safeParse(next).success) throw new RangeError('day: expected a date before 9999-12-31.');
  return { start: startOfDay(day, timeZone), end: startOfDay(next, timeZone) };
};

export interface BoundedDay extends DayBounds {
  readonly day: string;
}

export interface BoundedPeriod extends DayPeriod, DayBounds {
  readonly days: readonly BoundedDay[];
}

/** A month is the longest: figures rest on the row of every call, and SQL answers for years. */
export const maxPeriodDays = 31;

/** The bounds of a period and of its days. Throws a RangeError for an unknown date or zone, and for no day or too many. */
export const periodArgument = ({ from, to }: DayPeriod, timeZone: string): BoundedPeriod => {
  const { start } = dayArgument(from, timeZone);
  const { end } = dayArgument(to, timeZone);
  if (start >= end || addDays(from, maxPeriodDays) <= to)
    throw new RangeError(`from, to: expected 1 to ${maxPeriodDays} days, the first day first.`);
  const days = datesBetween(from, to).map((day) => ({ day, ...dayArgument(day, timeZone) }));
  return { from, to, start, end, days };
};

/** Checks one of some words. Throws a RangeError that names them. */
export const wordArgument = <Word extends string>(name: string, words: readonly Word[], value: unknown): Word => {
  const word = words.find((known) => known === value);
  if (word === undefined) throw new RangeError(`${name}: expected one of ${words.join(', ')}.`);
  return word;
};

/**
 * Limits a list of calls by `listedAt`: the start of the call, else its end, else its first receipt. Both limits are
 * inclusive and optional. Each is a Date, or an ISO instant with its zone.
 */
export interface CallRange {
  readonly from?: Date | string | undefined;
  readonly to?: Date | string | undefined;
}

/**
 * Limits a list to the calls that started on a day, such as 2026-11-21. The day is one of an IANA time zone, mostly the
 * account's.
 */
export interface CallDay {
  readonly day: string;
  readonly timeZone: string;
}

export interface InstantRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Converts a range or a day. Throws a TypeError for what is not an instant. Throws a RangeError for an unknown day or
 * zone, for a day together with a range, and for a range that ends before it begins.
 */
export const rangeArgument = (range: CallRange | CallDay): InstantRange => {
  const { from, to, day, timeZone }: CallRange & Partial<CallDay> = range;
  if (day === undefined && timeZone === undefined) return instantsArgument(['from', from], ['to', to]);

  if (from !== undefined || to !== undefined)
    throw new RangeError('day, from, to: expected a day or a range, not both.');
  const { start, end } = dayArgument(day ?? '', timeZone ?? '');
  return { from: start, to: justBefore(end) };
};

/** Checks both ends of a range, either of which may be absent. Throws a RangeError if they are in the wrong order. */
export const instantsArgument = (
  [fromName, first]: readonly [string, Date | string | undefined],
  [toName, last]: readonly [string, Date | string | undefined],
): InstantRange => {
  const from = first === undefined ? undefined : instantArgument(fromName, first);
  const to = last === undefined ? undefined : instantArgument(toName, last);
  if (from !== undefined && to !== undefined && from > to)
    throw new RangeError(`${fromName}, ${toName}: expected a range that does not end before it begins.`);
  return { from, to };
};

/**
 * Limits a list by when calls were first recorded, whatever their start. Both limits are inclusive; `recordedTo` is optional.
 * Each is a Date, or an ISO instant with its zone. A call may appear up to a minute after its recording.
 */
export interface RecordedRange {
  readonly recordedFrom: Date | string;
  readonly recordedTo?: Date | string | undefined;
}

export const isRecordedRange = (range: CallRange | CallDay | RecordedRange): range is RecordedRange =>
  'recordedFrom' in range || 'recordedTo' in range;
