import { type CallFigures, callFigures, type DayCall, type FigureSettings } from '../lib/client/index.ts';
import { addDays } from '../lib/core/time.ts';
import type { AccountDay } from './reader.ts';

/** The figures of the same weekday a week before. */
export interface WeekBefore {
  readonly day: string;
  /** The instant up to which its calls are counted; undefined for a whole day. */
  readonly upTo: string | undefined;
  readonly figures: CallFigures;
}

/** The same weekday a week before. */
export const weekBefore = (day: string): string => addDays(day, -7);

/** What of a day a week before compares with a day as of an instant: if that is not over, the calls up to the same time. */
export const comparedWeek = (
  before: Pick<AccountDay, 'day' | 'start' | 'end'> & { readonly calls: readonly DayCall[] },
  day: Pick<AccountDay, 'start'>,
  { asOf, ...settings }: FigureSettings & { readonly asOf: string },
): WeekBefore => {
  const sameTimeMs = Date.parse(before.start) + Date.parse(asOf) - Date.parse(day.start);
  const isWhole = sameTimeMs >= Date.parse(before.end);
  const upTo = isWhole ? undefined : new Date(sameTimeMs).toISOString();
  const calls = upTo === undefined ? before.calls : before.calls.filter(({ listedAt }) => listedAt < upTo);
  return { day: before.day, upTo, figures: callFigures(calls, settings) };
};
