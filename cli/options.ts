import { Option } from '@commander-js/extra-typings';
import { type EventType, eventSchemas, isEventType } from '../lib/contract/events.ts';
import { dayFrom, instantFrom, reject, sinceFrom, zoneFrom } from './arguments.ts';
import type { BareCommand, OptionsOf } from './command.ts';

export const accountOption = new Option(
  '--account <name>',
  'the account, spelt as in the secret (default: the only one)',
);
export const dryRunOption = new Option('--dry-run', 'only say what would be done, and write nothing').default(false);
export const csvOption = new Option('--csv', 'print CSV for spreadsheets instead of a table').default(false);

/** An option of its own for each command, as each has other ones that it excludes. */
export const dayOption = () =>
  new Option('--day <day>', 'a day in the account’s time zone, such as 2026-11-20, today or yesterday').argParser(
    dayFrom,
  );
export const timeZoneOption = new Option(
  '--time-zone <zone>',
  'the account’s time zone (default: from the secret)',
).argParser(zoneFrom);
export const sinceOption = new Option('--since <time>', 'from so long ago until now (90m, 2h, 3d), or from an instant')
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
    .option('--to <instant>', 'that started at this instant or earlier', instantFrom);
export type RangeOptions = OptionsOf<typeof rangeOptions>;

const eventTypes = (typed: string, previous: readonly EventType[] = []): readonly EventType[] => {
  if (isEventType(typed)) return [...previous, typed];
  return reject(`There is no such event. Events are: ${Object.keys(eventSchemas).join(', ')}.`);
};

export const eventTypesOption = new Option(
  '--type <type>',
  'only this detail-type; may be given several times',
).argParser(eventTypes);
