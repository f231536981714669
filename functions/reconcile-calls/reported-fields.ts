import type { Json } from '../../lib/core/json.ts';
import { addDays, instantOf, localDate, secondsFrom } from '../../lib/core/time.ts';
import { nonBlank, type PostedFields } from '../../lib/telephony/posted-fields.ts';

/** Other names in callbacks, by lower-case spelling: CallID there is monitorUCID. Letter case alone needs no entry. */
const callbackNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    callid: 'monitorUCID',
    callaudio: 'AudioFile',
    customerdialstatus: 'CustomerStatus',
    agentdialstatus: 'AgentStatus',
    conferenceduration: 'ConfDuration',
    duration: 'CallDuration',
    talktime: 'Duration',
  }),
);

/** Fields that people fill in. In the report a blank in them may be a plus sign. */
const plusFields = new Set(['agentname', 'campaignname', 'comments', 'disposition', 'location', 'skill']);

export interface ReportedFields {
  readonly fields: PostedFields;
  /** Near which local time the call took place, in the documented spelling, where neither its start nor its end can be read. */
  readonly near: string | undefined;
  /** Whether the record alone does not say on which day the call took place, or not in the documented spelling. */
  readonly needsDay: boolean;
}

/** The fields of a record of the call report as a callback would send them. It is in the report of `day`, if that is known. */
export const asCallback = (fields: PostedFields, timeZone: string, day?: string): ReportedFields => {
  const [callDate, startTime, pickupTime, endTime] = timeFields.map((name) => textOf(fields, name));
  const date = dateIn(callDate, timeZone, day) ?? day;
  const [start, pickup, end] = [startTime, pickupTime, endTime].map((text) => dated(text, timeZone, date));
  const isMade = (time: DatedTime | undefined): time is DatedTime => time?.isReadable === false;
  /** In place of times that no callback has like this. */
  const made = new Map<string, readonly [string, string]>();
  if (isMade(start)) made.set('starttime', ['StartTime', documented(start)]);
  if (isMade(end)) made.set('endtime', ['EndTime', documented(afterMidnight(end, start ?? pickup))]);
  // What was sent as the date stays, unless times got it.
  const isInTimes = [start, end].some((time) => isMade(time) && time.date === callDate);
  const isReplaced = (name: string) => made.has(name) || (name === 'calldate' && isInTimes);
  const isDated = start !== undefined || end !== undefined || [startTime, endTime].some(isTime);

  return {
    fields: [...fields.filter(([name]) => !isReplaced(name.toLowerCase())).map(renamed), ...made.values()],
    near: isDated ? undefined : ((pickup && documented(pickup)) ?? (date && `${date} 00:00:00`)),
    needsDay: callDate === undefined || callDate !== dateIn(callDate, timeZone),
  };
};

const renamed = ([name, value]: PostedFields[number]): PostedFields[number] => {
  const lower = name.toLowerCase();
  return [callbackNames.get(lower) ?? name, plusFields.has(lower) ? withBlanks(value) : value];
};

const timeFields = ['calldate', 'starttime', 'pickuptime', 'endtime'] as const;

const textOf = (fields: PostedFields, name: string): string | undefined => {
  const value = fields.find(([field]) => field.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? nonBlank(value) : undefined;
};

interface DatedTime {
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
const dated = (text: string | undefined, timeZone: string, date: string | undefined): DatedTime | undefined => {
  const [, ownDate, hour = '', rest = ''] = timePattern.exec(text ?? '') ?? [];
  const of = ownDate === undefined ? date : dateIn(ownDate, timeZone, date);
  if (of === undefined || rest === '' || Number(hour) > 23) return undefined;
  const time = `${hour.padStart(2, '0')}${rest}`;
  return { date: of, time, hasOwnDate: ownDate !== undefined, isReadable: isTime(text) };
};

const documented = ({ date, time }: DatedTime): string => `${date} ${time}`;

/** Whether a text is a time in a spelling of callbacks, and not one that stands for none. */
const isTime = (text = ''): boolean => isDate(instantOf(text, 'UTC')?.at ?? '');

/** Before and after these years are the dates that databases write where none was set. */
const isDate = (text: string): boolean => text >= '2000' && text < '9999';

const yearFirst = /^(\d{4})[-/:](\d{1,2})[-/:](\d{1,2})(?![^ T])/;
const yearLast = /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?![^ T])/;
const ownZone = /\d(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * The date at the beginning of a text, if any, with the year first or last. With the year last the day comes before the month,
 * unless only the other order gives the call's date. An instant with a zone has the account's date, unless its text has the call's.
 */
const dateIn = (text = '', timeZone: string, callDate?: string): string | undefined => {
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
const afterMidnight = (end: DatedTime, begin: DatedTime | undefined): DatedTime => {
  if (begin === undefined || end.hasOwnDate || end.date !== begin.date) return end;
  const seconds = (secondsFrom(end.time) ?? 0) + 2 * halfADay - (secondsFrom(begin.time) ?? 0);
  return seconds < halfADay ? { ...end, date: addDays(end.date, 1) } : end;
};

/** A text with a blank in it was not encoded, so its plus signs are what somebody wrote. */
const withBlanks = (value: Json): Json =>
  typeof value !== 'string' || /\s/.test(value) ? value : value.replaceAll(/(?<=\S)\+(?=\S)/g, ' ');
