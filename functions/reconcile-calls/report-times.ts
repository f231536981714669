import { addDays, instantOf, localDate, secondsFrom } from '../../lib/core/time.ts';

export interface DatedTime {
  readonly date: string;
  readonly time: string;
  readonly hasOwnDate: boolean;
  /** Whether a callback may have it as it was sent, so that it stays. */
  readonly isReadable: boolean;
}

/** An optional date, and a time of day, whose hour may have one digit, and whose seconds fractions. */
const timePattern = /^(?:(\d{1,4}[-/:]\d{1,2}[-/:]\d{1,4})[ T]+)?(\d{1,2})(:[0-5]\d:[0-5]\d)(?:\.\d+)?$/;

/**
 * A time of the report with its date. The report has most times without one: then the call's `date` counts, which the report
 * has in a field of its own. Undefined where neither has a date, and for a text that is no time.
 */
export const timeWithDate = (
  text: string | undefined,
  timeZone: string,
  date: string | undefined,
): DatedTime | undefined => {
  const [, ownDate, hour = '', rest = ''] = timePattern.exec(text ?? '') ?? [];
  const ownOrCallDate = ownDate === undefined ? date : dateIn(ownDate, timeZone, date);
  if (ownOrCallDate === undefined || rest === '' || Number(hour) > 23) return undefined;
  const time = `${hour.padStart(2, '0')}${rest}`;
  return { date: ownOrCallDate, time, hasOwnDate: ownDate !== undefined, isReadable: isTime(text) };
};

export const documentedSpelling = ({ date, time }: DatedTime): string => `${date} ${time}`;

/** Whether a text is a time in a spelling of callbacks, and not one that stands for none. */
export const isTime = (text = ''): boolean => isDate(instantOf(text, 'UTC')?.at ?? '');

/** Before and after these years are the dates that databases write where none was set. */
const isDate = (text: string): boolean => text >= '2000' && text < '9999';

const yearFirst = /^(\d{4})[-/:](\d{1,2})[-/:](\d{1,2})(?![^ T])/;
const yearLast = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?![^ T])/;
const ownZone = /\d(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * The date at the beginning of a text, if any, with the year first or last. With the year last the day comes before the month,
 * unless only the other order gives the call's date. An instant with a zone has the account's date, unless its text has the call's.
 */
export const dateIn = (text = '', timeZone: string, callDate?: string): string | undefined => {
  const dates = datesIn(text);
  const instant = ownZone.test(text) ? instantOf(text, timeZone)?.at : undefined;
  if (instant !== undefined && dates.length > 0) dates.unshift(localDate(instant, timeZone));
  return dates.find((date) => date === callDate) ?? dates[0];
};

/** What a date in digits may mean, the likeliest first. A pattern that does not match makes no date. */
const datesIn = (text: string): string[] => {
  const [, firstYear = '', month = '', day = ''] = yearFirst.exec(text) ?? [];
  const [, one = '', two = '', lastYear = ''] = yearLast.exec(text) ?? [];
  const dates = [isoDate(firstYear, month, day), isoDate(lastYear, two, one), isoDate(lastYear, one, two)];
  return dates.filter((date) => isDate(date) && instantOf(`${date} 00:00:00`, 'UTC') !== undefined);
};

const isoDate = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

const halfADay = 12 * 3600;

/**
 * The report has an end past midnight with the date of the start. An end may also precede its start by a moment, or when
 * clocks go back. Read as past midnight, such a call would last for most of a day, while one that passed midnight is short.
 */
export const afterMidnight = (end: DatedTime, begin: DatedTime | undefined): DatedTime => {
  if (begin === undefined || end.hasOwnDate || end.date !== begin.date) return end;
  const seconds = (secondsFrom(end.time) ?? 0) + 2 * halfADay - (secondsFrom(begin.time) ?? 0);
  return seconds < halfADay ? { ...end, date: addDays(end.date, 1) } : end;
};
