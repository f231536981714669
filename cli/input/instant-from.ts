import { InvalidArgumentError } from 'commander';
import { isRealDay } from './day-from.ts';

const allowed = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30';

const day = /^\d{4}-\d\d-\d\d$/;
const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** An instant as rows hold it, from what was typed. A day is none: which one is meant, is another in each zone. */
export const instantFrom = (typed: string): string => {
  const advice = day.test(typed) ? '; a day has no zone, and only “callfeed calls” takes one, by --day' : '';
  return read(typed) ?? refused(`${allowed}${advice}.`);
};

/** The same, or a day, which means its beginning in UTC. */
export const instantOrDayFrom = (typed: string): string =>
  read(day.test(typed) ? `${typed}T00:00Z` : typed) ?? refused(`${allowed}, or a day (2026-11-20, in UTC).`);

const read = (typed: string): string | undefined => {
  const instant = shape.test(typed) ? new Date(typed) : new Date(Number.NaN);
  return Number.isNaN(instant.getTime()) || !isRealDay(typed.slice(0, 10)) ? undefined : instant.toISOString();
};

const refused = (why: string): never => {
  throw new InvalidArgumentError(why);
};
