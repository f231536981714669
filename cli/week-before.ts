import { type CallFigures, callFigures, type DayCall, type FigureSettings } from '../lib/client/index.ts';
import { addDays, instantOf, localTime } from '../lib/core/time.ts';
import type { AccountDay } from './reader.ts';

export interface WeekBefore {
  readonly day: string;
  /** The instant up to which its calls are counted; undefined for a whole day. */
  readonly upTo: string | undefined;
  readonly figures: CallFigures;
}

export const weekBefore = (day: string): string => addDays(day, -7);

/**
 * The figures of a week before, to compare a day with. If the day is not over at `asOf`, they are of the calls up to the same
 * local time: the clocks may have changed in between.
 */
export const comparedWeek = (
  before: Pick<AccountDay, 'day'> & { readonly calls: readonly DayCall[] },
  { day, timeZone }: Pick<AccountDay, 'day' | 'timeZone'>,
  { asOf, ...settings }: FigureSettings & { readonly asOf: string },
): WeekBefore => {
  const [date, time = ''] = localTime(asOf, timeZone).split(/[TZ]/);
  const upTo = date === day ? instantOf(`${before.day} ${time}`, timeZone)?.at : undefined;
  const calls = upTo === undefined ? before.calls : before.calls.filter(({ listedAt }) => listedAt < upTo);
  return { day: before.day, upTo, figures: callFigures(calls, settings) };
};
