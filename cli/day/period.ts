import {
  type CallFigures,
  type CallGrouping,
  callFigures,
  type DayCall,
  type DayGroup,
  type FigureSettings,
  isTimeGrouping,
  type PeriodRecords,
  type TooManyCalls,
} from '../../client/index.ts';
import {
  addDays,
  type DayPeriod,
  datesBetween,
  instantOf,
  isOneDay,
  justBefore,
  localTime,
  periodText,
} from '../../lib/core/time.ts';
import type { AccountPeriod } from '../frame/asked-days.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../frame/deployment.ts';
import { localText, offsetText } from '../frame/texts.ts';

/** A day is read however many calls it has. */
export const readLimit = (period: DayPeriod) => (isOneDay(period) ? { maxCalls: Number.POSITIVE_INFINITY } : {});

/** A date with its weekday: days of a period are compared by it. */
const dayWithWeekday = (date: string): string =>
  `${date} ${new Date(date).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })}`;

/**
 * The weekday of each day; the local time of each hour or quarter, with the offset from UTC where clocks go back and two of
 * them have the same time. Over several days it is the key.
 */
export const labelsOf = (
  by: CallGrouping | undefined,
  groups: readonly DayGroup[],
  { timeZone, ...period }: Pick<PeriodRecords, 'from' | 'to' | 'timeZone'>,
): ReadonlyMap<string | undefined, string> => {
  if (by === 'day') return new Map(groups.map(({ key = '' }) => [key, dayWithWeekday(key)]));
  if (by === undefined || !isTimeGrouping(by) || !isOneDay(period)) return new Map();
  const times = groups.map(({ key = '' }) => localText(key, timeZone).slice(11, 16));
  return new Map(
    groups.map(({ key = '' }, index) => {
      const time = times[index] ?? '';
      const occursTwice = times.indexOf(time) !== times.lastIndexOf(time);
      return [key, occursTwice ? `${time} ${offsetText(timeZone, Date.parse(key))}` : time];
    }),
  );
};

/** As many whole weeks earlier as the period touches: the weekdays are the same, and no day belongs to both. */
export const weeksBefore = ({ from, to }: DayPeriod) => {
  const weeks = Math.ceil(datesBetween(from, to).length / 7);
  return { from: addDays(from, -7 * weeks), to: addDays(to, -7 * weeks), weeks };
};

export interface WeeksBefore extends ReturnType<typeof weeksBefore> {
  /** The instant up to which its calls are counted; undefined for whole days. */
  readonly upTo: string | undefined;
  /** Undefined where it has more calls than are read. */
  readonly figures: CallFigures | undefined;
}

/** The figures of weeks before; of days not over, up to the same local time, as the clocks may have changed in between. */
export const comparedWeeks = (
  before: { readonly calls: readonly DayCall[] } | TooManyCalls,
  period: Pick<AccountPeriod, 'from' | 'to' | 'timeZone'>,
  { asOf, ...settings }: FigureSettings & { readonly asOf: string },
): WeeksBefore => {
  const weeks = weeksBefore(period);
  const [date, time = ''] = localTime(asOf, period.timeZone).split(/[TZ]/);
  const upTo = date === period.to ? instantOf(`${weeks.to} ${time}`, period.timeZone)?.at : undefined;
  if ('moreThan' in before) return { ...weeks, upTo, figures: undefined };
  const calls = upTo === undefined ? before.calls : before.calls.filter(({ listedAt }) => listedAt < upTo);
  return { ...weeks, upTo, figures: callFigures(calls, settings) };
};

/** Says on how many days agents' time is stored, if not on all. */
export const agentDaysText = ({ agents, ...period }: Pick<PeriodRecords, 'from' | 'to' | 'agents'>): string => {
  const stored = new Set(agents.flatMap(({ secondsByDay = {} }) => Object.keys(secondsByDay)));
  const { length } = datesBetween(period.from, period.to);
  if (isOneDay(period) || stored.size === length) return '';
  return `Agents’ time is of ${stored.size} of ${length} days: of the others no interval is stored.`;
};

/** The question in SQL that has the same rows. */
export const questionsInSql: Readonly<Record<CallGrouping, string>> = {
  agent: 'agents-by-day',
  skill: 'service-level-by-hour-and-skill',
  campaign: 'abandonment-by-campaign',
  hour: 'service-level-by-hour-and-skill',
  quarter: 'service-level-by-hour-and-skill',
  day: 'calls-by-day',
};

const thousands = (count: number): string => `${Math.ceil(count / 1_000).toLocaleString('en-GB')},000`;

export const tooManyText = ({ moreThan, since }: TooManyCalls, timeZone: string): string =>
  `has more than ${thousands(moreThan)} calls: so many have started since ${localText(since, timeZone)} alone.`;

/** What figures would have to read, and what answers instead. Its command asks for days in UTC, as tables in S3 have them. */
export const tooManyCalls = (
  found: TooManyCalls,
  period: AccountPeriod & { readonly by: CallGrouping },
  { deployment, location, now }: { deployment: Pick<Deployment, 'analytics'>; location: DeploymentLocation; now: Date },
) => {
  const { start, end, timeZone, by } = period;
  const pastUntil = Math.min(Date.parse(end), now.getTime());
  const share = (pastUntil - Date.parse(found.since)) / (pastUntil - Date.parse(start));
  const answer = deployment.analytics === undefined ? 'With analytics (docs/analytics.md), SQL answers' : 'SQL answers';
  const days = ['--from', start.slice(0, 10), '--to', justBefore(end).slice(0, 10)];
  return {
    text:
      `${periodText(period)} ${tooManyText(found, timeZone)} ` +
      `Figures would read the row of every call, some ${thousands(found.moreThan / share)}, at a read unit or more each. ` +
      `No row was read. Ask for fewer days. ${answer} for any number of them:`,
    command: commandLine(location, 'query', questionsInSql[by], ...days),
  };
};
