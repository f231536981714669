import { addDays, justBefore, localDate, startOfDay } from '../../lib/core/time.ts';

/** Which calls are asked for: of a day or from one instant to another, up to a moment. */
export interface AskedCalls {
  readonly day: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly at?: string | undefined;
}

export interface ListedRange {
  readonly days: { readonly from: string; readonly to: string };
  /** The first and the last instant. */
  readonly from: string;
  readonly to: string;
  /** The past moment that the list shows, if any. */
  readonly asOf: string | undefined;
}

/** An instant with its zone, in UTC. In a link a raw `+` arrives as a blank, and is read as it was meant. */
export const instantIn = (text: string): string | undefined => {
  const [, local, zone] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[ +-]\d\d:\d\d)$/.exec(text) ?? [];
  const ms = Date.parse(`${local}${zone?.replace(' ', '+')}`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

/** Whether a text is a date. Rows end before the year 10000. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text < '9999-12-31' && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The date of a day on an account's clocks; undefined for what is no day. */
export const dateOf = (day: string, timeZone: string, now: Date): string | undefined => {
  const present = localDate(now.toISOString(), timeZone);
  if (day === 'today') return present;
  if (day === 'yesterday') return addDays(present, -1);
  return isDate(day) ? day : undefined;
};

/** The range of a list, for the server that reads it and for the page that names it; undefined for no day, and where it ends before it begins. */
export const listedRange = (
  { day: asked, from, to, at }: AskedCalls,
  timeZone: string,
  now: Date,
): ListedRange | undefined => {
  const day = from === undefined ? dateOf(asked, timeZone, now) : localDate(from, timeZone);
  if (day === undefined || !isDate(day)) return undefined;
  const start = from ?? startOfDay(day, timeZone);
  const last = to ?? justBefore(startOfDay(addDays(day, 1), timeZone));
  if (start > last) return undefined;
  // A moment before the range leaves no call.
  const moment = at === undefined || at > start ? at : start;
  const end = moment === undefined || moment > last ? last : moment;
  return {
    days: { from: day, to: localDate(end, timeZone) },
    from: start,
    to: end,
    asOf: moment !== undefined && moment < now.toISOString() ? moment : undefined,
  };
};

/** A list as options of `callfeed calls`, whether it was read or not; undefined where it cannot be read. */
export const rangeParameters = (
  asked: AskedCalls & { readonly state?: string | undefined },
  timeZone: string,
  now: Date,
): readonly string[] | undefined => {
  const range = listedRange(asked, timeZone, now);
  if (range === undefined) return undefined;
  const { days, from, to, asOf } = range;
  return [
    ...((asked.at ?? asked.from) === undefined ? ['--day', days.from] : ['--from', from, '--to', to]),
    // What became of missed calls depends on the moment; which calls are listed does not.
    ...(asOf === undefined || asked.state === undefined ? [] : ['--as-of', asOf]),
  ];
};
