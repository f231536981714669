import { Option } from '@commander-js/extra-typings';
import { rejectZoneWithoutDay } from '../frame/asked-days.ts';
import type { BareCommand, OptionsOf } from '../frame/command.ts';
import { csvOption, durationFrom, instantFrom, rangeOptions, rejectTwoFormats, wholeNumber } from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { callFilters } from './call-filters.ts';
import { filtersIn } from './set-filters.ts';

export const defaultTableLimit = 20;

const secondsFrom = wholeNumber(0, 3_600);

/** Which options of the command each filter excludes. */
const excluded: Readonly<Record<string, string[]>> = { state: ['open', 'recorded'] };

const optionsOfFilters = Object.entries(callFilters).map(([name, { argument, help, words, isSeconds }]) => {
  const option = new Option(`--${name} ${argument}`, help).conflicts(excluded[name] ?? []);
  if (words !== undefined) return option.choices(words);
  return isSeconds === true ? option.argParser((typed) => String(secondsFrom(typed))) : option;
});

export const callsOptions = (command: BareCommand) =>
  optionsOfFilters
    .reduce((declared, option) => declared.addOption(option), rangeOptions(command))
    .addOption(
      new Option('--recorded', 'the range is of when calls were first recorded, not of their start: finds late calls')
        .default(false)
        .conflicts(['agent', 'customer']),
    )
    .option('--missed', 'only calls of customers that nobody answered', false)
    .addOption(
      new Option('--open', 'the callers who still wait after a missed call, a row for each; implies --missed')
        .default(false)
        .implies({ missed: true })
        .conflicts(['agent', 'customer', 'recorded', 'cursor']),
    )
    .option(
      '--returned-within <time>',
      'with --open and --state: within how long after a missed call another one counts (90m, 2h, 3d; default: 1d, at most 31d)',
      durationFrom(31),
    )
    .option(
      '--as-of <instant>',
      'with --open and --state: as of this instant, by the calls that had started',
      instantFrom,
    )
    .option('--abandoned', 'only missed calls in which the customer hung up', false)
    .option(
      '--limit <number>',
      `the maximum (default: ${defaultTableLimit}; with --json or --csv no maximum)`,
      wholeNumber(1, 100_000),
    )
    .option('--cursor <cursor>', 'continue where an earlier page of the same list ended')
    .addOption(csvOption);
export type CallsOptions = OptionsOf<typeof callsOptions>;

/** Whether the list needs to know what became of missed calls. */
export const needsMissed = (options: CallsOptions): boolean => options.open || filtersIn(options).state !== undefined;

/** Rejects options that do not go together. */
export const rejectUnfitting = (options: CallsOptions, now: Date): void => {
  rejectZoneWithoutDay(options);
  rejectTwoFormats(options);
  const { recorded, day, since, from, returnedWithin, asOf = '' } = options;
  if (recorded && (day ?? since ?? from) === undefined)
    throw new Problem('--recorded needs --day, --since or --from.', 2);
  for (const [name, value] of Object.entries({ 'returned-within': returnedWithin, 'as-of': options.asOf }))
    if (value !== undefined && !needsMissed(options)) throw new Problem(`--${name} needs --open or --state.`, 2);
  if (asOf > now.toISOString()) throw new Problem('--as-of is in the future.', 2);
};
