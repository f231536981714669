import { InvalidArgumentError } from 'commander';

/** What is typed for the day on which the command is run. */
export const today = 'today';

/** Whether the calendar has this day: Date takes February 30 for the 2nd of March. */
export const isRealDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);

/** A day, as it was typed. */
export const dayFrom = (typed: string): string => {
  if (typed === today || (/^\d{4}-\d\d-\d\d$/.test(typed) && isRealDay(typed))) return typed;
  throw new InvalidArgumentError(`Expected a day such as 2026-11-20, or ${today}.`);
};
