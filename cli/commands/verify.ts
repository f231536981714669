import { Option } from '@commander-js/extra-typings';
import { findAccount } from '../../lib/accounts/accounts-row.ts';
import { justBefore } from '../../lib/core/time.ts';
import { accountsOnce } from '../accounts.ts';
import { dayFrom, instantOrDayFrom, sinceFrom, wholeNumber, zoneFrom } from '../arguments.ts';
import { type BareCommand, command, type OptionsOf } from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { type Backlog, backlogOf, forwardingText } from '../dead-letters.ts';
import { fileLines, sandboxEvents } from '../events/bus-event.ts';
import { counted, report as printTable } from '../output/report.ts';
import { printable, printableJson, type Terminal } from '../output/terminal.ts';
import { accountNamesFrom, listsDeadLetters } from '../permissions.ts';
import { type Known, known, knownValue, Problem } from '../problem.ts';
import { clientOf, type Reader, rejectZoneWithoutDay, requestedRange } from '../reader.ts';
import {
  type Gap,
  gapsIn,
  type Inspection,
  lookedAt,
  printGaps,
  printParagraph,
  progressOf,
  type VerifiedRange,
  withoutStop,
} from '../verify/gaps.ts';
import {
  type PublishedRevisions,
  publicationGaps,
  readRevisions,
  readRows,
  rowGaps,
  type Unpublished,
  unpublishedOf,
  type VerifiedRows,
} from '../verify/publication.ts';
import {
  callsOf,
  findRecordings,
  type RecordingFindings,
  recordingGaps,
  recordingsText,
} from '../verify/recordings.ts';
import { notRead, type ReportFindings, readReport, reportGaps, reportText, unreadReport } from '../verify/report.ts';
import {
  findParked,
  findQuarantined,
  harmlessText,
  type ParkedFindings,
  parkedGaps,
  type QuarantineFindings,
  quarantineGaps,
} from '../verify/waiting.ts';

const options = (command: BareCommand) =>
  command
    .option(
      '--from <instant>',
      'calls that started, or were first recorded, at this instant or later',
      instantOrDayFrom,
    )
    .option('--to <instant>', 'and before this instant (default: now)', instantOrDayFrom)
    .addOption(
      new Option('--day <day>', 'a day in the account’s time zone instead, such as 2026-11-20, today or yesterday')
        .argParser(dayFrom)
        .conflicts(['since', 'from', 'to']),
    )
    .option('--time-zone <zone>', 'with --day: the account’s time zone (default: from the secret)', zoneFrom)
    .addOption(
      new Option('--since <time>', 'from so long ago until now instead (90m, 2h, 3d), or from an instant')
        .argParser(sinceFrom)
        .conflicts(['from', 'to']),
    )
    .option('--account <name>', 'only this account (default: all)')
    .option(
      '--events <file>',
      'compare with these events: lines of JSON, such as a subscriber’s log. A sandbox has its own',
    )
    .option('--no-report', 'do not read the service’s call report, which takes some seconds for each day')
    .option('--report-wait <minutes>', 'how long to wait for that report: 1 to 60', wholeNumber(1, 60), 1);
type VerifyOptions = OptionsOf<typeof options>;

/** `callfeed verify` */
export const verify = command({
  name: 'verify',
  description: 'proves that the calls of a range are in the table and were published, or names what is missing',
  permissions: [
    { on: 'Calls table and its indexes', actions: ['dynamodb:Query', 'dynamodb:BatchGetItem'] },
    { on: 'quarantine table', actions: ['dynamodb:Scan'] },
    { on: 'parking queue', actions: ['sqs:GetQueueAttributes'] },
    listsDeadLetters('dead letters of the parking queue'),
    {
      on: 'forwarding queue and its dead letters',
      actions: ['sqs:GetQueueAttributes'],
      when: 'with `forwarding=on`',
    },
    { on: 'reconciliation queue', actions: ['sqs:SendMessage'], when: 'for the call report' },
    accountNamesFrom('unless `--account`, `--no-report`, and with `--day` also `--time-zone` are given'),
  ],
  options,
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
  run: async (context, options) => {
    rejectZoneWithoutDay(options);
    if ((options.day ?? options.since ?? options.from) === undefined)
      throw new Problem('Give --from, --since or --day.', 2);
    const { terminal, clock } = context;
    const deployment = await context.connect(options);
    const run = { terminal, clock, location: options, stop: context.interruption() };
    const findings = await inspect(deployment, run, options);
    if (!options.json) printFindings(terminal, findings);
    // The report comes last: it may be late, and the rest is printed before it.
    const reports = await Promise.all(findings.accounts.map((account) => inspectReport(run, options, account)));
    const gaps = [...findings.gaps, ...reports.flatMap((one) => one.gaps)];
    if (options.json) terminal.print(printableJson(jsonOf(findings, reports, gaps)));
    else printParagraph(terminal, verdictOf(findings, reports, gaps));
    context.setExitCode(gaps.length > 0 ? 1 : 0);
  },
});

/** What was found for one account. */
interface AccountFindings extends Reader {
  readonly range: VerifiedRange;
  readonly rows: Known<VerifiedRows>;
  /** What became of the recordings that the rows name; nothing where they are not archived. */
  readonly recordings: Known<RecordingFindings | undefined>;
}

/** What was found in the deployment, but for the call report. `events` is undefined if there is nothing to compare with. */
interface Findings {
  readonly accounts: readonly AccountFindings[];
  /** From the first instant of any account's range to the last. */
  readonly range: VerifiedRange;
  readonly events: Known<PublishedRevisions> | undefined;
  readonly unpublished: readonly Unpublished[];
  readonly parked: Known<ParkedFindings>;
  readonly quarantine: Known<QuarantineFindings>;
  /** Undefined where nothing is forwarded. It is no gap: tables and events have the calls. */
  readonly forwarding: Known<Backlog> | undefined;
  readonly gaps: readonly Gap[];
}

/** Looks at all parts side by side: each that does not answer takes seconds. */
const inspect = async (deployment: Deployment, run: Inspection, options: VerifyOptions): Promise<Findings> => {
  const now = run.clock();
  const all = accountsOnce(deployment, run.terminal);
  const names = options.account === undefined ? (await all()).map(({ userName }) => userName) : [options.account];
  const readers = names.map((account) => ({
    ...{ deployment, account, accounts: all },
    client: clientOf(run, {}, deployment, account),
  }));
  const ranges: (readonly [Reader, VerifiedRange])[] = [];
  for (const reader of readers) ranges.push([reader, await verifiedRange(reader, options, now)]);
  const limits = ranges.flatMap(([, { from, to }]) => [from, to]).sort();
  const range = { from: limits[0] ?? '', to: limits.at(-1) ?? '' };
  const [accounts, parked, quarantine, forwarding] = await Promise.all([
    inspectAccounts(run, ranges),
    lookedAt(run, findParked(deployment, names, range, progressOf(run, 'Dead letters read'))),
    lookedAt(run, findQuarantined(deployment, names, range, progressOf(run, 'Rows of quarantine read'))),
    deployment.queues.forwarding && lookedAt(run, backlogOf(deployment, deployment.queues.forwarding)),
  ]);
  // After the rows: the event of a revision that was read is older than this.
  const lines = eventLines(deployment, options, run.stop);
  const events = lines && (await lookedAt(run, readRevisions(lines, progressOf(run, 'Lines with events read'))));
  const published = knownValue(events);
  const unpublished = accounts.flatMap(({ rows }) =>
    published === undefined || 'unknown' in rows ? [] : unpublishedOf(rows.value, published),
  );
  const gaps = [
    ...accounts.flatMap(({ account, rows }) => gapsIn(`calls of ${account}`, rows, rowGaps)),
    ...accounts.flatMap(({ account, recordings }) =>
      gapsIn(`recordings of ${account}`, recordings, (some) => recordingGaps(some, account, options)),
    ),
    ...(events === undefined ? [noEvents] : gapsIn('events', events, () => publicationGaps(unpublished, options, now))),
    ...gapsIn('dead letters', parked, (some) => parkedGaps(some, options)),
    ...gapsIn('posts in quarantine', quarantine, (some) => quarantineGaps(some, options)),
  ];
  return { accounts, range, events, unpublished, parked, quarantine, forwarding, gaps };
};

const noEvents: Gap = {
  what: 'nothing to compare the publication with: the bus stores no events',
  mend: 'give --events with what a subscriber got, or get it from the archive (docs/command-line.md, Verify)',
};

const verifiedRange = async (reader: Reader, { to, ...options }: VerifyOptions, now: Date): Promise<VerifiedRange> => {
  const range = await requestedRange(reader, { ...options, to: to && justBefore(to) }, now);
  const [first, last] = [String(range.from), String(range.to ?? now.toISOString())];
  if (first > last) throw new Problem('The range must begin before it ends, and not in the future.', 2);
  return { from: first, to: last };
};

const inspectAccounts = async (
  run: Inspection,
  ranges: readonly (readonly [Reader, VerifiedRange])[],
): Promise<readonly AccountFindings[]> => {
  const accounts: AccountFindings[] = [];
  for (const [reader, range] of ranges) {
    const { account } = reader;
    const rows = await lookedAt(run, readRows(reader, range, progressOf(run, `${account}: calls read`)));
    // A misspelt name has no calls, and would prove anything.
    if (knownValue(rows)?.calls === 0 && findAccount(await reader.accounts(), account) === undefined)
      throw new Problem(
        `The deployment has no account ${printable(account)}, and the table no call of it in this range.`,
        2,
      );
    const named = knownValue(rows)?.recordings ?? [];
    const recordings = await lookedAt(run, findRecordings(reader.deployment, named));
    accounts.push({ ...reader, range, rows, recordings });
  }
  return accounts;
};

const eventLines = (
  { bus }: Deployment,
  { events }: VerifyOptions,
  signal: AbortSignal,
): AsyncIterable<string> | undefined => {
  if (events !== undefined) return fileLines(events);
  return bus.kind === 'sandbox' ? sandboxEvents(bus.name, { follow: false, signal }) : undefined;
};

/** What the call report of an account has, and what it leaves unproven. */
interface AccountReport {
  readonly account: string;
  readonly report: ReportFindings;
  readonly gaps: readonly Gap[];
}

/** Reads the report of an account, and prints what it has as soon as it is there. */
const inspectReport = async (run: Inspection, options: VerifyOptions, one: AccountFindings): Promise<AccountReport> => {
  const { account } = one;
  const read = options.report
    ? await known(readReport(one, { ...run, waitMinutes: options.reportWait }))
    : { value: notRead('--no-report') };
  if (run.stop.aborted && 'unknown' in read) throw new Problem(read.unknown);
  const report = 'value' in read ? read.value : unreadReport(withoutStop(read.unknown));
  const gaps = reportGaps(account, report, options);
  const line = reportText(account, report);
  if (!options.json && line !== undefined) printParagraph(run.terminal, line);
  if (!options.json) printGaps(run.terminal, gaps);
  return { account, report, gaps };
};

const columns = { account: 'ACCOUNT', from: 'FROM', to: 'TO', calls: 'CALLS', revisions: 'REVISIONS' };

/** Prints what was looked at besides the call report, and each gap with what mends it. */
const printFindings = (terminal: Terminal, findings: Findings): void => {
  const { accounts, events, quarantine, forwarding, gaps } = findings;
  const rows = accounts.map(({ account, range: { from, to }, rows: read }) => ({
    account,
    from,
    to,
    ...countsOf(read),
  }));
  printTable(terminal, false, columns, rows);
  printGaps(terminal, gaps);
  const { otherLines = 0 } = knownValue(events) ?? {};
  if (otherLines > 0) terminal.note(`${counted(otherLines, 'line')} had no event and were skipped.`);
  for (const { account, recordings } of accounts) {
    const line = recordingsText(account, knownValue(recordings));
    if (line !== undefined) terminal.note(line);
  }
  const harmless = 'value' in quarantine ? harmlessText(quarantine.value) : undefined;
  if (harmless !== undefined) terminal.note(harmless);
  const depth = knownValue(forwarding);
  if (depth !== undefined && depth.waiting + depth.deadLetters > 0)
    terminal.note(`Forwarding, of any range: ${forwardingText(depth)}.`);
};

/** The calls and revisions of an account; nothing where they could not be read. */
const countsOf = (read: Known<VerifiedRows>) => {
  if ('unknown' in read) return {};
  const { calls, rows } = read.value;
  return { calls, revisions: rows.reduce((sum, { revision }) => sum + revision, 0) };
};

/** What was proven, in a sentence, and what was not looked at. */
const verdictOf = ({ accounts }: Findings, reports: readonly AccountReport[], gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const counts = accounts.map(({ rows }) => countsOf(rows));
  const calls = counts.reduce((sum, one) => sum + (one.calls ?? 0), 0);
  const revisions = counts.reduce((sum, one) => sum + (one.revisions ?? 0), 0);
  const unread = reports.filter(({ report }) => !report.read).map(({ account }) => account);
  const ofReport =
    unread.length === 0
      ? ', and the call report has no other call.'
      : `. Not looked at: the call report${accounts.length > 1 ? ` of ${unread.join(', ')}` : ''}, so a call whose callback never came would not be noticed.`;
  return `Proven: ${counted(calls, 'call')} with ${counted(revisions, 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${ofReport}`;
};

/** What was found, for programs. */
const jsonOf = (findings: Findings, reports: readonly AccountReport[], gaps: readonly Gap[]) => {
  const { accounts, range, events, unpublished, parked, quarantine, forwarding } = findings;
  const read = knownValue(events);
  return {
    proven: gaps.length === 0,
    ...range,
    accounts: accounts.map(({ account, range: { from, to }, rows, recordings }) => {
      const { rows: all, unreadable } = knownValue(rows) ?? {};
      const report = reports.find((one) => one.account === account)?.report;
      const { calls, revisions } = countsOf(rows);
      const found = knownValue(recordings);
      const ofRecordings = found && { ...found, unasked: callsOf(found.unasked) };
      return { account, from, to, calls, rows: all?.length, revisions, unreadable, recordings: ofRecordings, report };
    }),
    events: read && { read: read.events, otherLines: read.otherLines },
    unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
    parked: knownValue(parked),
    quarantine: knownValue(quarantine),
    forwarding: knownValue(forwarding),
    gaps,
  };
};
