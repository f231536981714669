import * as z from 'zod';

const instant = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Text order is time order only within these. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * An instant as rows hold it. Throws a TypeError for what is no instant: a local time without a zone could be any of
 * some forty.
 */
export const instantFrom = (name: string, value: unknown): string => {
  const ms = millisecondsOf(value);
  if (!(ms >= 0 && ms <= lastMs))
    throw new TypeError(
      `${name}: expected a Date or an ISO instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30.`,
    );
  return new Date(ms).toISOString();
};

const millisecondsOf = (value: unknown): number => {
  if (value instanceof Date) return value.getTime();
  return instant.safeParse(value).success ? Date.parse(String(value)) : Number.NaN;
};
