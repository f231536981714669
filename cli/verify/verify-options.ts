import type { BareCommand, OptionsOf } from '../frame/command.ts';
import { commandLine, givenOptions } from '../frame/deployment.ts';
import {
  dayOption,
  instantOrDayFrom,
  sinceInstant,
  sinceOption,
  timeZoneOption,
  wholeNumber,
} from '../frame/options.ts';
import type { Again } from './gaps.ts';

const defaultWaitMinutes = 1;

export const options = (command: BareCommand) =>
  command
    .option(
      '--from <instant>',
      'calls that started, or were first recorded, at this instant or later',
      instantOrDayFrom,
    )
    .option('--to <instant>', 'and before this instant, exclusive (default: now)', instantOrDayFrom)
    .addOption(dayOption().conflicts(['since', 'from', 'to']))
    .addOption(timeZoneOption)
    .addOption(sinceOption)
    .option('--account <name>', 'only this account (default: all)')
    .option('--events <file>', 'compare with these events: lines of JSON. A sandbox has its own')
    .option('--no-report', 'do not read the service’s call report, which takes some seconds for each day')
    .option(
      '--report-wait <minutes>',
      'how long to wait for that report: 1 to 60',
      wholeNumber(1, 60),
      defaultWaitMinutes,
    );
export type VerifyOptions = OptionsOf<typeof options>;

/** This command with further options. `--since` becomes the instant that it meant, so that the range stays the same. */
export const verifyCommand = (
  { since, from, report, reportWait, json, ...options }: VerifyOptions,
  now: Date,
  more: Again['again'],
): string => {
  const began = since && sinceInstant(since, now);
  const { day, timeZone, to, account, events } = options;
  const wait = reportWait === defaultWaitMinutes ? undefined : String(reportWait);
  const given = { day, 'time-zone': timeZone, from: began ?? from, to, account, events, 'report-wait': wait };
  const switches = [...(report ? [] : ['--no-report']), ...(json ? ['--json'] : [])];
  return commandLine(options, 'verify', ...givenOptions({ ...given, ...more }), ...switches);
};
