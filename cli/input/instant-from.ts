import { InvalidArgumentError } from 'commander';
import { isRealDay } from './day-from.ts';

const allowed =
  'Expected an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30, or a day';

const shape = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** An instant as rows hold it, from what was typed; a day means its beginning in UTC. */
export const instantFrom = (typed: string): string => {
  const instant = shape.test(typed) ? new Date(typed) : new Date(Number.NaN);
  if (Number.isNaN(instant.getTime()) || !isRealDay(typed.slice(0, 10)))
    throw new InvalidArgumentError(`${allowed} (2026-11-20, in UTC).`);
  return instant.toISOString();
};
