import type { Json } from '../core/json.ts';
import { nonBlank } from '../core/text.ts';
import { addDays, secondsFrom } from '../core/time.ts';
import type { Fields } from './fold-keys.ts';

/**
 * Fields of the call report that a callback has under another name, by lower-case spelling. CallID there is
 * the id that callbacks send as monitorUCID. Fields that differ in letter case only need no entry.
 */
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

/** The fields of a record of the call report as a callback would send them. */
export const asCallback = (fields: Fields): Fields => {
  const times = datedTimes(fields);
  const isReplaced = (name: string) => times.size > 0 && timeFields.has(name);

  return [
    ...fields
      .filter(([name]) => !isReplaced(name.toLowerCase()))
      .map(([name, value]) => {
        const lower = name.toLowerCase();
        return [callbackNames.get(lower) ?? name, plusFields.has(lower) ? withBlanks(value) : value] as const;
      }),
    ...times,
  ];
};

const timeFields = new Set(['calldate', 'starttime', 'endtime']);

/**
 * Start and end with their date. The report has the date of a call beside times of day, and an end past midnight is
 * smaller than the start. None if these fields have another form: they then stay as they are.
 */
const datedTimes = (fields: Fields): ReadonlyMap<string, string> => {
  const [date = '', start = '', end = ''] = [...timeFields].map((name) => {
    const value = fields.find(([field]) => field.toLowerCase() === name)?.[1];
    return (typeof value === 'string' && nonBlank(value)) || '';
  });
  if (!datePattern.test(date) || !timePattern.test(start) || !(end === '' || timePattern.test(end))) return new Map();

  const started = [['StartTime', `${date} ${start}`]] as const;
  if (end === '') return new Map(started);
  return new Map([...started, ['EndTime', `${isPastMidnight(start, end) ? addDays(date, 1) : date} ${end}`]]);
};

const halfADay = 12 * 3600;

/**
 * An end may also precede its start by a moment, or when clocks go back. Read as past midnight, such a call would last for
 * most of a day, while one that passed midnight is short.
 */
const isPastMidnight = (start: string, end: string): boolean =>
  end < start && (secondsFrom(end) ?? 0) + 2 * halfADay - (secondsFrom(start) ?? 0) < halfADay;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^\d{2}:\d{2}:\d{2}$/;

/** A text with a blank in it was not encoded, so its plus signs are what somebody wrote. */
const withBlanks = (value: Json): Json =>
  typeof value !== 'string' || /\s/.test(value) ? value : value.replaceAll(/(?<=\S)\+(?=\S)/g, ' ');
