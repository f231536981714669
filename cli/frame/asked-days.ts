import { type DayBounds, dayArgument, type InstantRange, maxPeriodDays } from '../../client/arguments.ts';
import type { DayPeriod } from '../../client/index.ts';
import { findAccount } from '../../lib/accounts/account-index.ts';
import { addDays, datesBetween, justBefore, localDate } from '../../lib/core/time.ts';
import { type RangeOptions, sinceInstant, today, yesterday } from './options.ts';
import { Problem } from './problem.ts';
import { type Reader, storedAccounts } from './reader.ts';
import { printable, type Terminal } from './terminal.ts';

export type AskedRange = Partial<Pick<RangeOptions, 'day' | 'timeZone' | 'since' | 'from' | 'to'>>;

export const rejectZoneWithoutDay = ({ day, timeZone }: AskedRange): void => {
  if (day === undefined && timeZone !== undefined)
    throw new Problem('--time-zone needs --day: an instant has its own zone.', 2);
};

export const requestedRange = async (
  reader: Reader,
  { day, timeZone, since, from, to }: AskedRange,
  now: Date,
): Promise<InstantRange> => {
  if (since !== undefined) return { from: sinceInstant(since, now), to: undefined };
  if (day === undefined) return { from, to };
  const { start, end } = await accountDay(reader, { day, timeZone }, now);
  return { from: start, to: justBefore(end) };
};

export const accountDay = async (
  reader: Reader,
  options: { readonly day: string; readonly timeZone?: string | undefined },
  now: Date,
) => {
  const timeZone = options.timeZone ?? (await zoneOf(reader));
  const present = localDate(now.toISOString(), timeZone);
  const named: Readonly<Record<string, string>> = { [today]: present, [yesterday]: addDays(present, -1) };
  const day = named[options.day] ?? options.day;
  return { day, timeZone, ...dayArgument(day, timeZone) };
};

export interface AccountPeriod extends DayPeriod, DayBounds {
  readonly timeZone: string;
}

/** One day, or several that have begun. */
export const accountPeriod = async (
  reader: Reader,
  { from, to, timeZone: zone }: DayPeriod & { readonly timeZone?: string | undefined },
  now: Date,
): Promise<AccountPeriod> => {
  const { day: first, start, timeZone, end: endOfFirst } = await accountDay(reader, { day: from, timeZone: zone }, now);
  if (from === to) return { from: first, to: first, timeZone, start, end: endOfFirst };
  const { day: last, start: startOfLast, end } = await accountDay(reader, { day: to, timeZone }, now);
  if (first > last) throw new Problem(`The period ends before it begins: ${first} to ${last}.`, 2);
  if (startOfLast > now.toISOString()) throw new Problem(`${last} has not begun in ${timeZone}.`, 2);
  const { length } = datesBetween(first, last);
  if (length > maxPeriodDays)
    throw new Problem(`A period has up to ${maxPeriodDays} days, and ${first} to ${last} has ${length}.`, 2);
  return { from: first, to: last, timeZone, start, end };
};

/** The account’s zone; undefined where nobody who is asked knows the accounts. */
export const zoneIfKnown = async ({ accounts, account }: Reader): Promise<string | undefined> => {
  const known = accounts().catch((error: unknown) => {
    if (error instanceof Problem) return [];
    throw error;
  });
  return findAccount(await known, account)?.timeZone;
};

const zoneOf = async ({ accounts, account }: Reader): Promise<string> => {
  const zone = findAccount(await accounts(), account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The deployment has no such account. Give its time zone with --time-zone.', 2);
};

/** The zone for times that people read: from the options, or of the account. Nobody needs the secret for it. */
export const shownZone = async (
  terminal: Pick<Terminal, 'note'>,
  { deployment, account }: Reader,
  { timeZone }: Pick<RangeOptions, 'timeZone'>,
): Promise<string> => {
  const zone = timeZone ?? findAccount((await storedAccounts(deployment)) ?? [], account)?.timeZone;
  if (zone === undefined)
    terminal.note(`Times are in UTC: no poll of ${printable(account)} has noted its time zone yet.`);
  return zone ?? 'UTC';
};
