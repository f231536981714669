import { type DayBounds, dayFrom } from '../client/arguments/day-from.ts';
import { localDate } from '../lib/time/days.ts';
import { today } from './input/day-from.ts';
import { Problem } from './problem.ts';
import type { Reader } from './reader.ts';

/** A day of an account's zone, as in 2026-11-21, and its bounds. */
export interface AccountDay extends DayBounds {
  readonly day: string;
  readonly timeZone: string;
}

/** What was typed of it. */
export interface AskedDay {
  readonly day: string;
  readonly timeZone?: string | undefined;
}

/** The day that is meant. The accounts' secret is read only where the zone was not typed. */
export const accountDay = async (reader: Reader, asked: AskedDay, now: Date): Promise<AccountDay> => {
  const timeZone = asked.timeZone ?? (await zoneOf(reader));
  const day = asked.day === today ? localDate(now.toISOString(), timeZone) : asked.day;
  return { day, timeZone, ...dayFrom(day, timeZone) };
};

const zoneOf = async ({ deployment, account }: Reader): Promise<string> => {
  const zone = (await deployment.accounts()).named(account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The secret has no such account; say its zone with --time-zone.', 2);
};
