import { findAccount } from '../../lib/accounts/account-index.ts';
import { justBefore } from '../../lib/core/time.ts';
import { instantOrDayFrom, wholeNumber } from '../arguments.ts';
import {
  accountNamesFrom,
  type BareCommand,
  command,
  dayOption,
  listsDeadLetters,
  type OptionsOf,
  on,
  sinceOption,
  timeZoneOption,
} from '../command.ts';
import type { Deployment } from '../connection/deployment.ts';
import { backlogOf, forwardingText } from '../dead-letters.ts';
import { fileLines, sandboxEvents } from '../events/bus-event.ts';
import { counted, report as printTable } from '../output/report.ts';
import { printable, printableJson, type Terminal } from '../output/terminal.ts';
import { type Known, known, knownValue, Problem } from '../problem.ts';
import { accountsOnce, clientOf, type Reader, rejectZoneWithoutDay, requestedRange } from '../reader.ts';
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
  publicationGaps,
  readRevisions,
  readRows,
  rowGaps,
  unpublishedOf,
  type VerifiedRows,
} from '../verify/publication.ts';
import { findParked, findQuarantined, harmlessText, parkedGaps, quarantineGaps } from '../verify/waiting.ts';
import { notRead, readReport, reportGaps, reportText, unreadReport } from './reconciliation/reconciliation.ts';
import { callsOf, findRecordings, recordingGaps, recordingsText } from './recordings/recordings.ts';

const options = (command: BareCommand) =>
  command
    .option(
      '--from <instant>',
      'calls that started, or were first recorded, at this instant or later',
      instantOrDayFrom,
    )
    .option('--to <instant>', 'and before this instant (default: now)', instantOrDayFrom)
    .addOption(dayOption().conflicts(['since', 'from', 'to']))
    .addOption(timeZoneOption)
    .addOption(sinceOption)
    .option('--account <name>', 'only this account (default: all)')
    .option('--events <file>', 'compare with these events: lines of JSON. A sandbox has its own')
    .option('--no-report', 'do not read the service’s call report, which takes some seconds for each day')
    .option('--report-wait <minutes>', 'how long to wait for that report: 1 to 60', wholeNumber(1, 60), 1);
type VerifyOptions = OptionsOf<typeof options>;

export const verify = command({
  name: 'verify',
  description: 'proves that the calls of a range are in the table and were published, or names what is missing',
  permissions: [
    on('Calls table and its indexes', 'dynamodb:Query dynamodb:BatchGetItem'),
    on('quarantine table', 'dynamodb:Scan'),
    on('parking queue', 'sqs:GetQueueAttributes'),
    listsDeadLetters('dead letters of the parking queue'),
    on('forwarding queue and its dead letters', 'sqs:GetQueueAttributes', 'with `forwarding=on`'),
    on('reconciliation queue', 'sqs:SendMessage', 'for the call report'),
    accountNamesFrom('unless `--account`, `--no-report`, and with `--day` also `--time-zone` are given'),
  ],
  options,
  help: `It compares every revision of the range’s rows with the events. It also looks for calls of the range among the dead letters and in
quarantine, and, where the deployment reconciles, in the service’s call report. It writes nothing. What is missing is named, with the command
that mends it. The last line says what was proven, and what was not looked at.

The bus on AWS stores no events, so there it needs --events: a line for each event since the beginning of the range, as “callfeed events
--follow --json” prints it, or its detail, also within a message of SQS or SNS or an entry of CloudWatch Logs.

Exit code 1: something is missing, or could not be looked at.

Examples:
  $ callfeed verify --since 2h --endpoint http://localhost:3000
  $ callfeed verify --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --account acme --events events.jsonl
  $ callfeed verify --day yesterday --events events.jsonl --json`,
  moreHelp: `

Each call costs a query. --json has every id; the text has ten of each kind. The report comes last: it may be late, as the service allows
two requests a minute.`,
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

interface VerifiedReader extends Reader {
  readonly range: VerifiedRange;
}

/** Looks at all parts side by side, but for the call report: each that does not answer takes seconds. */
const inspect = async (deployment: Deployment, run: Inspection, options: VerifyOptions) => {
  const now = run.clock();
  const accountNames = accountsOnce(deployment, run.terminal);
  const names =
    options.account === undefined ? (await accountNames()).map(({ userName }) => userName) : [options.account];
  const readers: VerifiedReader[] = [];
  for (const account of names) {
    const reader = { deployment, account, accounts: accountNames, client: clientOf(run, {}, deployment, account) };
    readers.push({ ...reader, range: await verifiedRange(reader, options, now) });
  }
  const limits = readers.flatMap(({ range: { from, to } }) => [from, to]).sort();
  const range = { from: limits[0] ?? '', to: limits.at(-1) ?? '' };
  const [accounts, parked, quarantine, forwarding] = await Promise.all([
    inspectAccounts(run, readers),
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
  const gaps: readonly Gap[] = [
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
type Findings = Awaited<ReturnType<typeof inspect>>;

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

const inspectAccount = async (run: Inspection, reader: VerifiedReader) => {
  const { account } = reader;
  const rows = await lookedAt(run, readRows(reader, reader.range, progressOf(run, `${account}: calls read`)));
  // A misspelt name has no calls, and would prove anything.
  if (knownValue(rows)?.calls === 0 && findAccount(await reader.accounts(), account) === undefined)
    throw new Problem(
      `The deployment has no account ${printable(account)}, and the table no call of it in this range.`,
      2,
    );
  const recordings = await lookedAt(run, findRecordings(reader.deployment, knownValue(rows)?.recordings ?? []));
  return { ...reader, rows, recordings, ...countsOf(rows) };
};
type AccountFindings = Awaited<ReturnType<typeof inspectAccount>>;

const inspectAccounts = async (run: Inspection, readers: readonly VerifiedReader[]) => {
  const accounts: AccountFindings[] = [];
  for (const reader of readers) accounts.push(await inspectAccount(run, reader));
  return accounts;
};

const countsOf = (read: Known<VerifiedRows>): { readonly calls?: number; readonly revisions?: number } => {
  if ('unknown' in read) return {};
  const { calls, rows } = read.value;
  return { calls, revisions: rows.reduce((sum, { revision }) => sum + revision, 0) };
};

const eventLines = (
  { bus }: Deployment,
  { events }: VerifyOptions,
  signal: AbortSignal,
): AsyncIterable<string> | undefined => {
  if (events !== undefined) return fileLines(events);
  return bus.kind === 'sandbox' ? sandboxEvents(bus.name, { follow: false, signal }) : undefined;
};

const inspectReport = async (run: Inspection, options: VerifyOptions, one: AccountFindings) => {
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
type AccountReport = Awaited<ReturnType<typeof inspectReport>>;

const columns = { account: 'ACCOUNT', from: 'FROM', to: 'TO', calls: 'CALLS', revisions: 'REVISIONS' };

const printFindings = (terminal: Terminal, findings: Findings): void => {
  const { accounts, events, quarantine, forwarding, gaps } = findings;
  const rows = accounts.map(({ account, range, calls, revisions }) => ({ account, ...range, calls, revisions }));
  printTable(terminal, false, columns, rows);
  printGaps(terminal, gaps);
  const skipped = knownValue(events)?.otherLines ?? 0;
  const notProcessed = knownValue(quarantine);
  const depth = knownValue(forwarding);
  const notes = [
    skipped > 0 ? `${counted(skipped, 'line')} had no event and were skipped.` : undefined,
    ...accounts.map(({ account, recordings }) => recordingsText(account, knownValue(recordings))),
    notProcessed && harmlessText(notProcessed),
    // It is no gap: tables and events have the calls.
    depth !== undefined && depth.waiting + depth.deadLetters > 0
      ? `Forwarding, of any range: ${forwardingText(depth)}.`
      : undefined,
  ];
  for (const note of notes) if (note !== undefined) terminal.note(note);
};

const verdictOf = ({ accounts }: Findings, reports: readonly AccountReport[], gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const sum = (of: 'calls' | 'revisions') => accounts.reduce((total, one) => total + (one[of] ?? 0), 0);
  const unread = reports.filter(({ report }) => !report.read).map(({ account }) => account);
  const ofReport =
    unread.length === 0
      ? ', and the call report has no other call.'
      : `. Not looked at: the call report${accounts.length > 1 ? ` of ${unread.join(', ')}` : ''}, so a call whose callback never came would not be noticed.`;
  return `Proven: ${counted(sum('calls'), 'call')} with ${counted(sum('revisions'), 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${ofReport}`;
};

const jsonOf = (findings: Findings, reports: readonly AccountReport[], gaps: readonly Gap[]) => {
  const { accounts, range, events, unpublished, parked, quarantine, forwarding } = findings;
  const read = knownValue(events);
  return {
    proven: gaps.length === 0,
    ...range,
    accounts: accounts.map(({ account, range: { from, to }, rows, calls, revisions, recordings }) => {
      const { rows: all, unreadable } = knownValue(rows) ?? {};
      const found = knownValue(recordings);
      const ofRecordings = found && { ...found, unasked: callsOf(found.unasked) };
      const report = reports.find((one) => one.account === account)?.report;
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
