import type { Account } from '../../lib/accounts/accounts.ts';
import { addDays, localDate } from '../../lib/core/time.ts';
import type { LoggedIn } from '../simulator/centre.ts';
import { isWeekend } from './centre.ts';
import { type DayEvents, type DayPlan, planDay } from './day-plan.ts';
import { type DuePost, loggedInAt, postsOf } from './day-posts.ts';

export interface CalendarSettings {
  readonly seed: number;
  /** The day on which the demonstration was started first: what is special about a day depends on it. */
  readonly startedOn: string;
  readonly account: Account;
}

/** So many that yesterday too has a day of the week before to be compared with. */
export const daysBefore = 8;

/** The days of the contact centre, past and to come, each planned when it is needed. */
export const createCalendar = ({ seed, startedOn, account }: CalendarSettings) => {
  const { timeZone } = account;
  const planned = new Map<string, DayPlan & { readonly posts: readonly DuePost[] }>();
  const dayOf = (date: string) => {
    const events = eventsOn(date, startedOn);
    const found = planned.get(date) ?? withPosts(planDay({ seed, date, timeZone, events }), account);
    planned.set(date, found);
    return found;
  };
  const dateAt = (at: number): string => localDate(new Date(at).toISOString(), timeZone);

  return {
    timeZone,
    dayOf,
    dateAt,
    loggedIn: (at: number): readonly LoggedIn[] => loggedInAt(dayOf(dateAt(at)), at),
    /** What is posted after an instant and up to another, in the order of time. A post may come on the day after its call. */
    postsBetween(after: number, until: number): readonly DuePost[] {
      const found: DuePost[] = [];
      for (let date = addDays(dateAt(after), -1); date <= dateAt(until); date = addDays(date, 1))
        found.push(...dayOf(date).posts.filter(({ at }) => after < at && at <= until));
      return found.toSorted((one, other) => one.at - other.at);
    },
  };
};

export type Calendar = ReturnType<typeof createCalendar>;

const withPosts = (plan: DayPlan, account: Account) => ({ ...plan, posts: postsOf(plan, account) });

/** The day before the start has most of what there is to look at, as it is there first. */
const eventsOn = (date: string, startedOn: string): DayEvents => {
  const isLast = date === addDays(startedOn, -1);
  return {
    badHour: isLast,
    transferChain: isLast,
    campaign: !isWeekend(date) && (Date.parse(date) / 86_400_000) % 2 === 0,
  };
};
