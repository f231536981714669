import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import * as z from 'zod/mini';
import { type EventType, eventSchemas, isEventType } from '../../lib/contract/events.ts';
import { isTimeZone, zoneName } from '../../lib/core/time.ts';
import type { BareCommand, OptionsOf } from './command.ts';
import { Problem } from './problem.ts';

export const today = 'today';
export const yesterday = 'yesterday';

const isDay = (typed: string): boolean => z.iso.date().safeParse(typed).success;

export const dayFrom = (typed: string): string => {
  if (typed === today || typed === yesterday || isDay(typed)) return typed;
  return reject(`Expected a day such as 2026-11-20, ${today} or ${yesterday}.`);
};

const allowed = 'Expected an instant with its zone, such as 2026-11-20T06:00:00Z or 2026-11-20T11:30:00+05:30';

/** Parses an instant into the form that rows hold. Rejects a day, because it begins at another instant in each zone. */
export const instantFrom = (typed: string): string =>
  parseInstant(typed) ??
  reject(`${allowed}${isDay(typed) ? '. A day has no zone; “callfeed calls” has --day for one' : ''}.`);

export const instantOrDayFrom = (typed: string): string =>
  parseInstant(isDay(typed) ? `${typed}T00:00Z` : typed) ?? reject(`${allowed}, or a day (2026-11-20, in UTC).`);

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export type Since = { readonly at: string } | { readonly agoMs: number };

export const sinceFrom = (typed: string): Since => {
  const agoMs = durationMs(typed);
  if (agoMs !== undefined) return { agoMs };
  return { at: parseInstant(typed) ?? reject(`${allowed}, or how long ago, such as 90m, 2h or 3d.`) };
};

/** The instant of `--since`, as rows have it. */
export const sinceInstant = (since: Since, now: Date): string =>
  'at' in since ? since.at : new Date(now.getTime() - since.agoMs).toISOString();

const durationMs = (typed: string): number | undefined => {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(typed) ?? [];
  return unit === 'm' || unit === 'h' || unit === 'd' ? Number(count) * unitMs[unit] : undefined;
};

/** A duration in seconds, of at most `maxDays` days. */
export const durationFrom =
  (maxDays: number) =>
  (typed: string): number => {
    const ms = durationMs(typed);
    if (ms !== undefined && ms <= maxDays * unitMs.d) return ms / 1_000;
    return reject(`Expected how long, such as 90m, 2h or 3d, up to ${maxDays}d.`);
  };

/** To the minute, or with seconds. */
const Instant = z.union([z.iso.datetime({ offset: true, precision: -1 }), z.iso.datetime({ offset: true })]);

const parseInstant = (typed: string): string | undefined =>
  Instant.safeParse(typed).success ? new Date(typed).toISOString() : undefined;

export const reject = (message: string): never => {
  throw new InvalidArgumentError(message);
};

export const zoneFrom = (typed: string): string => {
  const zone = zoneName(typed);
  if (isTimeZone(zone)) return zone;
  return reject('Expected an IANA time zone such as Asia/Kolkata.');
};

export const wholeNumber =
  (min: number, max: number) =>
  (typed: string): number => {
    const number = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
    if (number >= min && number <= max) return number;
    return reject(`Expected a whole number from ${min} to ${max}.`);
  };

export const accountOption = new Option(
  '--account <name>',
  'the account, spelt as in the secret (default: the only one)',
);
export const dryRunOption = new Option('--dry-run', 'only say what would be done, and write nothing').default(false);
export const csvOption = new Option('--csv', 'print CSV for spreadsheets instead of a table').default(false);

export const dayText = 'a day in the account’s time zone, such as 2026-11-20, today or yesterday';
/** A new Option per command, because `conflicts` changes it. */
export const dayOption = () => new Option('--day <day>', dayText).argParser(dayFrom);
export const timeZoneOption = new Option(
  '--time-zone <zone>',
  'the account’s time zone (default: from the secret)',
).argParser(zoneFrom);
export const sinceOption = new Option('--since <time>', 'the last 90m, 2h or 3d, or since an instant')
  .argParser(sinceFrom)
  .conflicts(['from', 'to']);

export const readerOptions = (command: BareCommand) =>
  command
    .addOption(accountOption)
    .option('--show-personal', 'show names, numbers and other personal fields (default: hidden)', false)
    .option('--verbose', 'print what each request to DynamoDB read, on the standard error', false);
export type ReaderOptions = OptionsOf<typeof readerOptions>;

export const rangeOptions = (command: BareCommand) =>
  readerOptions(command)
    .addOption(dayOption().conflicts(['since', 'from', 'to']))
    .addOption(timeZoneOption)
    .addOption(sinceOption)
    .option('--from <instant>', 'that started at this instant or later', instantFrom)
    .option('--to <instant>', 'that started at this instant or earlier (inclusive)', instantFrom);
export type RangeOptions = OptionsOf<typeof rangeOptions>;

const eventTypes = (typed: string, previous: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...previous, typed];
  return reject(`There is no such event. Events are: ${Object.keys(eventSchemas).join(', ')}.`);
};

export const eventTypesOption = new Option(
  '--type <type>',
  'only this detail-type; may be given several times',
).argParser(eventTypes);

export const rejectTwoFormats = ({ json, csv }: { readonly json: boolean; readonly csv: boolean }): void => {
  if (json && csv) throw new Problem('Give --json or --csv, not both.', 2);
};
