import { fileLines, sandboxEvents } from '../events/event-lines.ts';
import { forwardingBacklog } from '../forwarding/forwarding.ts';
import { rejectZoneWithoutDay } from '../frame/asked-days.ts';
import { accountNamesFrom, type BareCommand, command, listsDeadLetters, type OptionsOf, on } from '../frame/command.ts';
import { commandLine, type Deployment, givenOptions } from '../frame/deployment.ts';
import type { StatusPart } from '../frame/feature.ts';
import {
  dayOption,
  instantOrDayFrom,
  sinceInstant,
  sinceOption,
  timeZoneOption,
  wholeNumber,
} from '../frame/options.ts';
import { Problem } from '../frame/problem.ts';
import { counted, report as printTable } from '../frame/report.ts';
import { printableJson, type Terminal } from '../frame/terminal.ts';
import { type AccountFindings, inspectAccounts, readersOf } from './accounts.ts';
import { compareWithReport, reportVerdict } from './call-report.ts';
import {
  type Again,
  type Gap,
  type Inspection,
  lookAt,
  type PartFindings,
  type PrintedGap,
  partOf,
  printedGap,
  printGaps,
  printParagraph,
  progressPrinter,
} from './gaps.ts';
import { publicationGaps, readRevisions, unpublishedOf } from './publication.ts';
import { findParked, findQuarantined } from './waiting.ts';

const defaultWaitMinutes = 1;

const options = (command: BareCommand) =>
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
  run: async (context, options) => {
    rejectZoneWithoutDay(options);
    if ((options.day ?? options.since ?? options.from) === undefined)
      throw new Problem(
        `Give --from, --since or --day, such as: ${commandWith(options, context.clock())({ since: '2h' })}`,
        2,
      );
    const { terminal, clock } = context;
    const deployment = await context.connect(options);
    const now = clock();
    const again = commandWith(options, now);
    const run = { terminal, clock, location: options, stop: context.interruption() };
    const findings = await inspect(deployment, run, options, now);
    const printed = (some: readonly Gap[]) => some.map((gap) => printedGap(gap, again));
    if (!options.json) printFindings(terminal, findings, printed(findings.gaps));
    // The service comes last: it may be late, and the rest is printed before it.
    const compared = await Promise.all(
      findings.accounts.map((account) => compareWithService(run, options, account, printed)),
    );
    const gaps = [...findings.gaps, ...compared.flatMap(({ gaps }) => gaps)];
    if (options.json) terminal.print(printableJson(jsonOf(findings, compared, printed(gaps))));
    else printParagraph(terminal, verdictOf(findings, compared, gaps));
    context.setExitCode(gaps.length > 0 ? 1 : 0);
  },
});

/** This command as it was given, with more options. A range that was asked for by its length begins where it began. */
const commandWith =
  ({ since, from, report, reportWait, json, ...options }: VerifyOptions, now: Date) =>
  (more: Again['again']): string => {
    const began = since && sinceInstant(since, now);
    const { day, timeZone, to, account, events } = options;
    const wait = reportWait === defaultWaitMinutes ? undefined : String(reportWait);
    const given = { day, 'time-zone': timeZone, from: began ?? from, to, account, events, 'report-wait': wait };
    const switches = [...(report ? [] : ['--no-report']), ...(json ? ['--json'] : [])];
    return commandLine(options, 'verify', ...givenOptions({ ...given, ...more }), ...switches);
  };

const inspect = async (deployment: Deployment, run: Inspection, options: VerifyOptions, now: Date) => {
  const readers = await readersOf(deployment, run, options, now);
  const limits = readers.flatMap(({ range: { from, to } }) => [from, to]).sort();
  const range = { from: limits[0] ?? '', to: limits.at(-1) ?? '' };
  const of = { deployment, location: options, accounts: readers.map(({ account }) => account), range };
  const progress = (what: string) => progressPrinter(run, what);
  const forwarded = forwardingBacklog(deployment);
  const [accounts, ...parts] = await Promise.all([
    inspectAccounts(run, readers),
    partOf(run, 'parked', 'dead letters', findParked(of, progress('Dead letters read'))),
    partOf(run, 'quarantine', 'posts in quarantine', findQuarantined(of, progress('Rows of quarantine read'))),
    ...(forwarded === undefined ? [] : [partOf(run, forwarded.name, forwarded.name, findWaiting(forwarded))]),
  ]);
  // After the rows: the event of a revision that was read is older than this.
  const lines = eventLines(deployment, options, run.stop);
  const { value: events, gaps: ofEvents } =
    lines === undefined
      ? { gaps: [noEvents] }
      : await lookAt(run, 'events', readRevisions(lines, progress('Lines with events read')));
  const unpublished = events === undefined ? [] : accounts.flatMap(({ rows = [] }) => unpublishedOf(rows, events));
  const gaps: readonly Gap[] = [
    ...accounts.flatMap((account) => account.gaps),
    ...accounts.flatMap((account) => account.parts.flatMap((part) => part.gaps)),
    ...ofEvents,
    ...publicationGaps(unpublished, options, now),
    ...parts.flatMap((part) => part.gaps),
  ];
  return { accounts, range, events, unpublished, parts, gaps };
};
type Findings = Awaited<ReturnType<typeof inspect>>;

/** What waits is no gap: it is said if there is any. */
const findWaiting = async ({ title, read }: StatusPart): Promise<PartFindings> => {
  const { json, text, count } = await read();
  return { json, gaps: [], ...(count > 0 && { note: `${title}, of any range: ${text}.` }) };
};

const noEvents: Gap = {
  what: 'nothing to compare the publication with: the bus stores no events',
  remedy: {
    again: { events: 'events.jsonl' },
    when: 'with a file of what a subscriber got, or the archive sends again (docs/command-line.md, Verify)',
  },
};

const eventLines = (
  { bus }: Deployment,
  { events }: VerifyOptions,
  signal: AbortSignal,
): AsyncIterable<string> | undefined => {
  if (events !== undefined) return fileLines(events);
  return bus.kind === 'sandbox' ? sandboxEvents(bus.eventsAddress, { follow: false, signal }) : undefined;
};

const compareWithService = async (
  run: Inspection,
  options: VerifyOptions,
  reader: AccountFindings,
  printed: (gaps: readonly Gap[]) => readonly PrintedGap[],
) => {
  const found = await compareWithReport(reader, run, options);
  if (!options.json && found.note !== undefined) printParagraph(run.terminal, found.note);
  if (!options.json) printGaps(run.terminal, printed(found.gaps));
  return { ...found, name: 'report', account: reader.account };
};
type Compared = readonly Awaited<ReturnType<typeof compareWithService>>[];

const columns = { account: 'ACCOUNT', from: 'FROM', to: 'TO', calls: 'CALLS', revisions: 'REVISIONS' };

const printFindings = (terminal: Terminal, findings: Findings, gaps: readonly PrintedGap[]): void => {
  const { accounts, events, parts } = findings;
  const rows = accounts.map(({ account, range, calls, revisions }) => ({ account, ...range, calls, revisions }));
  printTable(terminal, false, columns, rows);
  printGaps(terminal, gaps);
  const skipped = events?.otherLines ?? 0;
  if (skipped > 0) terminal.note(`${counted(skipped, 'line')} had no event and were skipped.`);
  for (const { note } of [...accounts.flatMap((account) => account.parts), ...parts])
    if (note !== undefined) terminal.note(note);
};

const verdictOf = ({ accounts }: Findings, compared: Compared, gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const sum = (of: 'calls' | 'revisions') => accounts.reduce((total, one) => total + (one[of] ?? 0), 0);
  const unread = compared.filter(({ isRead }) => !isRead).map(({ account }) => account);
  return `Proven: ${counted(sum('calls'), 'call')} with ${counted(sum('revisions'), 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${reportVerdict(unread, accounts.length === 1)}.`;
};

const jsonOf = (findings: Findings, compared: Compared, gaps: readonly PrintedGap[]) => {
  const { accounts, range, events, unpublished } = findings;
  return {
    proven: gaps.length === 0,
    ...range,
    accounts: accounts.map(({ account, range: { from, to }, rows, calls, revisions, unreadable, parts }) => ({
      account,
      from,
      to,
      calls,
      rows: rows?.length,
      revisions,
      unreadable,
      ...jsonByName([...parts, ...compared.filter((one) => one.account === account)]),
    })),
    events: events && { read: events.events, otherLines: events.otherLines },
    unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
    ...jsonByName(findings.parts),
    gaps,
  };
};

const jsonByName = (parts: readonly (Pick<PartFindings, 'json'> & { readonly name: string })[]) =>
  Object.fromEntries(parts.map(({ name, json }) => [name, json]));
