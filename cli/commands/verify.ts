import { findAccount } from '../../lib/accounts/accounts-row.ts';
import { justBefore } from '../../lib/core/time.ts';
import { accountsOf } from '../accounts.ts';
import { dayFrom, instantOrDayFrom, sinceFrom, wholeNumber, zoneFrom } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { fileLines, sandboxEvents } from '../events/event-lines.ts';
import { readRevisions } from '../events/published-revisions.ts';
import { type Known, known, knownValue } from '../known.ts';
import { command, type OptionsOf, parsed, text, unlessNot, withDefault } from '../options.ts';
import { printable, printableJson } from '../output/terminal.ts';
import {
  type AccountFindings,
  type AccountReport,
  type Findings,
  type Gap,
  gapsOf,
  jsonOf,
  printFindings,
  printReport,
  printVerdict,
  reportGapsOf,
} from '../output/verification.ts';
import { Problem } from '../problem.ts';
import { clientOf, type Reader, rejectTwoRanges, requestedRange } from '../reader.ts';
import {
  findParked,
  findQuarantined,
  notRead,
  type ReportFindings,
  readReport,
  readRows,
  unpublishedOf,
  type VerifiedRange,
} from '../verification.ts';

const settings = {
  from: parsed('<instant>', 'calls that started, or were first recorded, at this instant or later', instantOrDayFrom),
  to: parsed('<instant>', 'and before this instant (default: now)', instantOrDayFrom),
  day: parsed('<day>', 'a day in the account’s time zone instead, such as 2026-11-20, today or yesterday', dayFrom),
  timeZone: parsed('<zone>', 'with --day: the account’s time zone (default: from the secret)', zoneFrom),
  since: parsed('<time>', 'from so long ago until now instead (90m, 2h, 3d), or from an instant', sinceFrom),
  account: text('<name>', 'only this account (default: all)'),
  events: text('<file>', 'compare with these events: lines of JSON, such as a subscriber’s log. A sandbox has its own'),
  report: unlessNot('do not read the service’s call report, which takes some seconds for each day'),
  reportWait: withDefault('<minutes>', 'how long to wait for that report: 1 to 60', wholeNumber(1, 60), 1),
};
type VerifyOptions = OptionsOf<typeof settings>;

/** `callfeed verify` */
export const verify = command({
  name: 'verify',
  description: 'proves that the calls of a range are in the table and were published, or names what is missing',
  settings,
  help: `It reads every row of the range and compares its revisions, 1 to the present one, with the events. It also looks for calls
of the range among the dead letters and in quarantine, and, where the deployment reconciles, in the service’s call report.
What is missing is named, with the command that mends it. The last line says what was proven. The report comes last: it
may be late, and the service allows two requests a minute.

The bus on AWS stores no events, so there it needs --events: what “callfeed events --follow --json” printed, or the log or
messages of a subscriber. The file must have every event since the beginning of the range. docs/command-line.md shows how to get
them from the archive. It writes nothing. The report is read by a dry run of the deployment.

Exit code 0: all of it is proven. Exit code 1: something is missing, or could not be looked at.

Examples:
  $ callfeed verify --since 2h --events events.jsonl
  $ callfeed verify --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --account acme --events events.jsonl --json`,
  run: (context, options) => verifyRange(context, options),
});

const verifyRange = async (context: RunContext, options: VerifyOptions): Promise<void> => {
  rejectTwoRanges(options);
  if ((options.day ?? options.since ?? options.from) === undefined)
    throw new Problem('Give --from, --since or --day.', 2);
  const { terminal } = context;
  const deployment = await context.connect(options);
  const run: Inspection = { deployment, options, context, stop: context.interruption(), now: context.clock() };
  const findings = await inspect(run);
  const known = gapsOf(findings, options, run.now);
  if (!options.json) printFindings(terminal, findings, known);
  const reports = await Promise.all(findings.accounts.map((account) => inspectReport(run, account)));
  const gaps = [...known, ...reports.flatMap(({ gaps }) => gaps)];
  if (options.json) terminal.print(printableJson(jsonOf(findings, reports, gaps)));
  else printVerdict(terminal, findings, reports, gaps);
  context.setExitCode(gaps.length > 0 ? 1 : 0);
};

/** Reads the report of an account, and prints what it told as soon as it is there. */
const inspectReport = async (
  { deployment, options, context, stop }: Inspection,
  { account, range }: AccountFindings,
): Promise<AccountReport & { readonly gaps: readonly Gap[] }> => {
  const waiting = { ...context, stop, waitMinutes: options.reportWait };
  const read = await known<ReportFindings>(
    options.report ? readReport(deployment, account, range, waiting) : Promise.resolve(notRead('--no-report')),
  );
  if (stop.aborted && 'unknown' in read) throw new Problem(read.unknown);
  const report =
    'value' in read ? read.value : { read: false as const, why: read.unknown.replace(/\.$/, ''), hasFailed: true };
  const gaps = reportGapsOf({ account, report }, options);
  if (!options.json) printReport(context.terminal, { account, report }, gaps);
  return { account, report, gaps };
};

/** A run of the command. */
interface Inspection {
  readonly deployment: Deployment;
  readonly options: VerifyOptions;
  readonly context: Pick<RunContext, 'terminal' | 'clock'>;
  readonly stop: AbortSignal;
  readonly now: Date;
}

const accountNames = async ({ deployment, options: { account } }: Inspection): Promise<readonly string[]> =>
  account === undefined ? (await accountsOf(deployment)).map(({ userName }) => userName) : [account];

/** Shows how far the run is, and ends it after Ctrl-C. */
const progressOf =
  ({ context, stop }: Inspection, what: string) =>
  (count: number): void => {
    rejectIfStopped(stop);
    context.terminal.progress(printable(`${what}: ${count}`));
  };

const rejectIfStopped = (stop: AbortSignal): void => {
  if (stop.aborted) throw new Problem('Stopped; nothing was written.');
};

/** Looks at all parts side by side: each that does not answer takes seconds. */
const inspect = async (run: Inspection): Promise<Findings> => {
  const { deployment, options, context, stop, now } = run;
  const names = await accountNames(run);
  const ranges: ReaderRange[] = [];
  for (const account of names) {
    const client = clientOf(context, { verbose: false }, deployment, account);
    ranges.push({ account, client, range: await verifiedRange({ deployment, account, client }, options, now) });
  }
  const limits = ranges.flatMap(({ range: { from, to } }) => [from, to]).sort();
  const range = { from: limits[0] ?? '', to: limits.at(-1) ?? '' };
  const [accounts, parked, quarantine] = await Promise.all([
    inspectAccounts(run, ranges),
    lookedAt(run, findParked(deployment, names, range, progressOf(run, 'Dead letters read'))),
    lookedAt(run, findQuarantined(deployment, names, range, progressOf(run, 'Rows of quarantine read'))),
  ]);
  // After the rows: the event of a revision that was read is older than this.
  const lines = eventLines(deployment, options, stop);
  const events = lines && (await lookedAt(run, readRevisions(lines, progressOf(run, 'Lines with events read'))));
  const published = events && knownValue(events);
  const unpublished = accounts.flatMap(({ rows }) =>
    published === undefined || 'unknown' in rows ? [] : unpublishedOf(rows.value, published),
  );
  return { accounts, range, events, unpublished, parked, quarantine };
};

/** An account, and the range in which its calls are verified. */
interface ReaderRange extends Pick<Reader, 'account' | 'client'> {
  readonly range: VerifiedRange;
}

const inspectAccounts = async (
  run: Inspection,
  ranges: readonly ReaderRange[],
): Promise<readonly AccountFindings[]> => {
  const accounts: AccountFindings[] = [];
  for (const one of ranges) accounts.push(await inspectAccount(run, one));
  return accounts;
};

const inspectAccount = async (run: Inspection, { account, client, range }: ReaderRange): Promise<AccountFindings> => {
  const { deployment } = run;
  const rows = await lookedAt(
    run,
    readRows(deployment, { account, client }, range, progressOf(run, `${account}: calls read`)),
  );
  // A misspelt name has no calls, and would prove anything.
  if (knownValue(rows)?.calls === 0 && findAccount(await accountsOf(deployment), account) === undefined)
    throw new Problem(
      `The deployment has no account ${printable(account)}, and the table no call of it in this range.`,
      2,
    );
  return { account, range, rows };
};

/** What a part of the deployment told, or why it did not: what the others know is worth telling without it. */
const lookedAt = async <Value>({ stop }: Inspection, reading: Promise<Value>): Promise<Known<Value>> => {
  const found = await known(reading);
  rejectIfStopped(stop);
  return found;
};

const verifiedRange = async (reader: Reader, { to, ...options }: VerifyOptions, now: Date): Promise<VerifiedRange> => {
  const range = await requestedRange(reader, { ...options, to: to && justBefore(to) }, now);
  const [first, last] = [String(range.from), String(range.to ?? now.toISOString())];
  if (first > last) throw new Problem('The range must begin before it ends, and not in the future.', 2);
  return { from: first, to: last };
};

const eventLines = (
  { bus }: Deployment,
  { events }: VerifyOptions,
  signal: AbortSignal,
): AsyncIterable<string> | undefined => {
  if (events !== undefined) return fileLines(events);
  return bus.kind === 'sandbox' ? sandboxEvents(bus.name, { follow: false, signal }) : undefined;
};
