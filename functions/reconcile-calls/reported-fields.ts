import type { Json } from '../../lib/core/json.ts';
import { nonBlank, type PostedFields } from '../../lib/telephony/posted-fields.ts';
import { afterMidnight, type DatedTime, dateIn, documentedSpelling, isTime, timeWithDate } from './report-times.ts';

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
  /** The local time or the midnight near which the call took place; undefined if its start or end can be read. */
  readonly near: string | undefined;
  /** Whether the record needs the report's day, because it has no date in the documented spelling. */
  readonly needsDay: boolean;
}

/** The fields of a record of the call report as a callback would send them. It is in the report of `day`, if that is known. */
export const asCallback = (fields: PostedFields, timeZone: string, day?: string): ReportedFields => {
  const [callDate, startTime, pickupTime, endTime] = timeFields.map((name) => textOf(fields, name));
  const date = dateIn(callDate, timeZone, day) ?? day;
  const [start, pickup, end] = [startTime, pickupTime, endTime].map((text) => timeWithDate(text, timeZone, date));
  const needsRewriting = (time: DatedTime | undefined): time is DatedTime => time?.isReadable === false;
  /** Times that a callback would spell otherwise. */
  const rewritten = new Map<string, readonly [string, string]>();
  if (needsRewriting(start)) rewritten.set('starttime', ['StartTime', documentedSpelling(start)]);
  if (needsRewriting(end))
    rewritten.set('endtime', ['EndTime', documentedSpelling(afterMidnight(end, start ?? pickup))]);
  // CallDate stays, unless a rewritten time contains it.
  const isInTimes = [start, end].some((time) => needsRewriting(time) && time.date === callDate);
  const isReplaced = (name: string) => rewritten.has(name) || (name === 'calldate' && isInTimes);
  const isDated = start !== undefined || end !== undefined || [startTime, endTime].some(isTime);

  return {
    fields: [...fields.filter(([name]) => !isReplaced(name.toLowerCase())).map(renamed), ...rewritten.values()],
    near: isDated ? undefined : ((pickup && documentedSpelling(pickup)) ?? (date && `${date} 00:00:00`)),
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

/** A text with a blank in it was not encoded, so its plus signs are what somebody wrote. */
const withBlanks = (value: Json): Json =>
  typeof value !== 'string' || /\s/.test(value) ? value : value.replaceAll(/(?<=\S)\+(?=\S)/g, ' ');
