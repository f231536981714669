import type { Command } from 'commander';
import * as z from 'zod';
import { justBefore } from '../../lib/core/time.ts';
import { dayFrom, instantOrDayFrom, type Since, sinceFrom, zoneFrom } from '../arguments.ts';
import type { Deployment } from '../connection/deployment.ts';
import type { RunContext } from '../context.ts';
import { fileLines, sandboxEvents } from '../events/event-lines.ts';
import { type PublishedRevisions, readRevisions } from '../events/published-revisions.ts';
import { defaultStack, Options } from '../options.ts';
import { report } from '../output/report.ts';
import { printable, printableJson } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { clientOf, type Reader, rejectTwoRanges, requestedRange } from '../reader.ts';
import {
  findParked,
  findQuarantined,
  type ParkedFindings,
  type QuarantineFindings,
  type ReportFindings,
  readReport,
  readRows,
  type Unpublished,
  unpublishedOf,
  type VerifiedRange,
  type VerifiedRows,
} from '../verification.ts';

const VerifyOptions = Options.extend({
  day: z.string().optional(),
  timeZone: z.string().optional(),
  since: z.custom<Since>().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  account: z.string().optional(),
  events: z.string().optional(),
  report: z.boolean(),
});
type VerifyOptions = z.infer<typeof VerifyOptions>;

/** `callfeed verify` */
export const verify = (program: Command, context: RunContext): void => {
  const command = program
    .command('verify')
    .description('proves that the calls of a range are in the table and were published, or names what is missing')
    .option(
      '--from <instant>',
      'calls that started, or were first recorded, at this instant or later',
      instantOrDayFrom,
    )
    .option('--to <instant>', 'and before this instant (default: now)', instantOrDayFrom)
    .option('--day <day>', 'a day in the account’s time zone instead, such as 2026-11-20, today or yesterday', dayFrom)
    .option('--time-zone <zone>', 'with --day: the account’s time zone (default: from the secret)', zoneFrom)
    .option('--since <time>', 'from so long ago until now instead (90m, 2h, 3d), or from an instant', sinceFrom)
    .option('--account <name>', 'only this account (default: all)')
    .option(
      '--events <file>',
      'compare with these events: lines of JSON, such as a subscriber’s log. A sandbox has its own',
    )
    .option('--no-report', 'do not read the service’s call report, which takes some seconds for each day')
    .addHelpText(
      'after',
      `
It reads every row of the range and compares its revisions, 1 to the present one, with the events. It also looks for calls
of the range among the dead letters and in quarantine, and, where the deployment reconciles, in the service’s call report.
What is missing is named, with the command that mends it. The last line says what was proven.

The bus on AWS stores no events, so there it needs --events: what “callfeed events --follow --json” printed, or the log or
messages of a subscriber. The file must have every event since the beginning of the range. docs/command-line.md shows how to get
them from the archive. It writes nothing. The report is read by a dry run of the deployment.

Exit code 0: all of it is proven. Exit code 1: something is missing, or could not be looked at.

Examples:
  $ callfeed verify --since 2h --events events.jsonl
  $ callfeed verify --from 2026-11-20T06:00:00Z --to 2026-11-20T09:00:00Z --account acme --events events.jsonl --json`,
    );
  command.action(() => run(context, VerifyOptions.parse(command.optsWithGlobals())));
};

/** What was found for one account. */
interface AccountFindings {
  readonly account: string;
  readonly range: VerifiedRange;
  readonly rows: VerifiedRows;
  readonly report: ReportFindings;
}

/** What was found in the deployment. `published` is undefined if there is nothing to compare with. */
interface Findings {
  readonly accounts: readonly AccountFindings[];
  readonly published: PublishedRevisions | undefined;
  readonly unpublished: readonly Unpublished[];
  readonly parked: ParkedFindings;
  readonly quarantine: QuarantineFindings;
}

/** Something that is missing, or was not looked at, and what to do about it. */
interface Gap {
  readonly what: string;
  readonly ids?: readonly string[];
  readonly mend: string;
}

const run = async (context: RunContext, options: VerifyOptions): Promise<void> => {
  rejectTwoRanges(options);
  if ((options.day ?? options.since ?? options.from) === undefined)
    throw new Problem('Give --from, --since or --day.', 2);
  const { terminal, clock } = context;
  const deployment = await context.connect(options);
  const stop = context.interruption();
  const now = clock();
  const progress = (what: string) => (count: number) => {
    if (stop.aborted) throw new Problem('Stopped; nothing was written.');
    terminal.progress(`${what}: ${count}`);
  };

  const names =
    options.account === undefined
      ? (await deployment.accounts()).all.map(({ userName }) => userName)
      : [options.account];
  const accounts: AccountFindings[] = [];
  for (const account of names) {
    const client = clientOf(context, { verbose: false }, deployment, account);
    const range = await verifiedRange({ deployment, account, client }, options, now);
    const rows = await readRows(deployment, { account, client }, range, progress(`${account}: calls read`));
    const report: ReportFindings = options.report
      ? await readReport(deployment, account, range, { terminal, clock, stop })
      : { read: false, why: '--no-report' };
    accounts.push({ account, range, rows, report });
  }
  const range = {
    from: accounts.map(({ range: { from } }) => from).sort()[0] ?? '',
    to:
      accounts
        .map(({ range: { to } }) => to)
        .sort()
        .at(-1) ?? '',
  };
  const parked = await findParked(deployment, names, range, progress('Dead letters read'));
  const quarantine = await findQuarantined(deployment, names, range, progress('Rows of quarantine read'));
  // After the rows: the event of a revision that was read is older than this.
  const lines = eventLines(deployment, options, stop);
  const published = lines && (await readRevisions(lines, progress('Lines with events read')));
  const unpublished = accounts.flatMap(({ rows }) => (published === undefined ? [] : unpublishedOf(rows, published)));

  const findings = { accounts, published, unpublished, parked, quarantine };
  const gaps = gapsOf(findings, options, now);
  if (options.json) terminal.print(printableJson(jsonOf(findings, range, gaps)));
  else printFindings(context, findings, gaps);
  context.setExitCode(gaps.length > 0 ? 1 : 0);
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

/** Events of younger rows may be on their way. */
const publishedWithinMs = 60_000;

const gapsOf = (findings: Findings, options: VerifyOptions, now: Date): readonly Gap[] => [
  ...findings.accounts.flatMap(({ rows: { unreadable } }) =>
    unreadable.length === 0
      ? []
      : [
          {
            what: `${counted(unreadable.length, 'call')} with a row that has no event: Callfeed did not write it`,
            ids: unreadable,
            mend: '“Rows skipped” in docs/runbook.md',
          },
        ],
  ),
  ...publicationGaps(findings, options, now),
  ...parkedGaps(findings.parked, options),
  ...quarantineGaps(findings.quarantine, options),
  ...findings.accounts.flatMap((account) => reportGaps(account, options)),
];

const publicationGaps = (
  { accounts, published, unpublished }: Findings,
  options: VerifyOptions,
  now: Date,
): readonly Gap[] => {
  if (published === undefined)
    return [
      {
        what: 'nothing to compare the publication with: the bus stores no events',
        mend: 'give --events with what a subscriber got, or get it from the archive (docs/command-line.md, Verify)',
      },
    ];

  const isYoung = ({ row }: Unpublished) => Date.parse(row.recordedAt) > now.getTime() - publishedWithinMs;
  const young = unpublished.filter(isYoung);
  const lost = unpublished.filter((one) => !isYoung(one));
  return [
    ...accounts.flatMap(({ account }) => {
      const rows = lost.filter(({ row }) => row.account === account);
      const times = rows.map(({ row }) => row.recordedAt).sort();
      const [first, last] = [times[0], times.at(-1)];
      if (first === undefined || last === undefined) return [];
      const revisions = rows.reduce((sum, one) => sum + one.revisions.length, 0);
      const older = rows.reduce(
        (sum, { row, revisions }) => sum + revisions.filter((one) => one < row.revision).length,
        0,
      );
      const end = new Date(Date.parse(last) + 1).toISOString();
      return [
        {
          what: `${counted(revisions, 'revision')} without an event${older > 0 ? `, ${older} of them replaced by a later one, which a replay does not send` : ''}`,
          ids: rows.map(nameOf),
          mend: commandLine(options, `replay --from ${first} --to ${end} --account ${account}`),
        },
      ];
    }),
    ...(young.length === 0
      ? []
      : [
          {
            what: `${counted(young.length, 'row')} recorded less than a minute ago and not published yet`,
            ids: young.map(nameOf),
            mend: 'run this command again in a minute',
          },
        ]),
  ];
};

const nameOf = ({ row, revisions }: Unpublished): string =>
  `${row.callId}${row.participantId === undefined ? '' : ` participant ${row.participantId}`} revision ${revisions.join(', ')}`;

const parkedGaps = ({ waiting, calls, unreadable }: ParkedFindings, options: VerifyOptions): readonly Gap[] => [
  ...(calls.length === 0
    ? []
    : [
        {
          what: `${counted(calls.length, 'call')} among the dead letters`,
          ids: calls.map(({ callId }) => callId),
          mend: commandLine(options, 'parked redrive'),
        },
      ]),
  ...(unreadable === 0
    ? []
    : [{ what: `${counted(unreadable, 'dead letter')} without a call id`, mend: commandLine(options, 'parked list') }]),
  ...(waiting === 0
    ? []
    : [
        {
          what: `about ${counted(waiting, 'parked message')} that recovery still tries to store, perhaps of this range`,
          mend: 'run this command again when “callfeed status” shows none',
        },
      ]),
];

const quarantineGaps = ({ entries }: QuarantineFindings, options: VerifyOptions): readonly Gap[] =>
  entries.length === 0
    ? []
    : [
        {
          what: `${counted(entries.length, 'quarantined post or record', 'quarantined posts and records')} (${[...new Set(entries.map(({ reason }) => reason))].sort().join(', ')})`,
          ids: entries.map(({ id }) => id),
          mend: commandLine(
            options,
            `quarantine redrive ${entries
              .slice(0, maxIds)
              .map(({ id }) => id)
              .join(' ')}`,
          ),
        },
      ];

const reportGaps = ({ account, report }: AccountFindings, options: VerifyOptions): readonly Gap[] => {
  if (!report.read)
    return /gave up/.test(report.why)
      ? [{ what: `the call report of ${account} was not read: ${report.why}`, mend: commandLine(options, 'status') }]
      : [];
  return Object.entries(report.missing).map(([day, count]) => ({
    what: `${counted(count, 'call')} of ${account} on ${day} that only the call report has`,
    mend: commandLine(options, `reconcile --day ${day} --account ${account}`),
  }));
};

/** A command for the same deployment. */
const commandLine = ({ stack, endpoint, region, profile }: VerifyOptions, command: string): string =>
  [
    `callfeed ${command}`,
    ...(endpoint === undefined ? [] : [`--endpoint ${endpoint}`]),
    ...(endpoint !== undefined || stack === defaultStack ? [] : [`--stack ${stack}`]),
    ...(region === undefined ? [] : [`--region ${region}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ].join(' ');

/** More are in --json only. */
const maxIds = 10;

const printFindings = ({ terminal }: RunContext, findings: Findings, gaps: readonly Gap[]): void => {
  const { accounts, published, parked, quarantine } = findings;
  const rows = accounts.map(({ account, range, rows: { calls, rows }, report }) => ({
    account,
    from: range.from,
    to: range.to,
    calls,
    revisions: rows.reduce((sum, { revision }) => sum + revision, 0),
    report: report.read ? counted(report.calls, 'call') : `not read: ${report.why}`,
  }));
  report(terminal, false, columns, rows);
  for (const { what, ids = [], mend } of gaps) {
    terminal.print('');
    terminal.print(printable(`Not proven: ${what}.`));
    if (ids.length > 0)
      terminal.print(
        printable(
          `  ${ids.slice(0, maxIds).join('; ')}${ids.length > maxIds ? `; and ${ids.length - maxIds} more, which --json lists` : ''}`,
        ),
      );
    terminal.print(printable(`  To mend it: ${mend}`));
  }
  if (published !== undefined && published.otherLines > 0)
    terminal.note(`${counted(published.otherLines, 'line')} had no event and were skipped.`);
  const notes = [
    ...(quarantine.notCalls > 0
      ? [
          `${counted(quarantine.notCalls, 'post')} that are no call summaries (“callfeed quarantine list --reason not-a-call-summary”)`,
        ]
      : []),
    ...(quarantine.unknownSenders > 0 ? [`${counted(quarantine.unknownSenders, 'post')} of unknown senders`] : []),
  ];
  if (notes.length > 0) terminal.note(`Also in quarantine, and not counted as missing: ${notes.join(', and ')}.`);
  terminal.print('');
  terminal.print(verdictOf({ accounts, published, parked, quarantine }, gaps));
};

const columns = {
  account: 'ACCOUNT',
  from: 'FROM',
  to: 'TO',
  calls: 'CALLS',
  revisions: 'REVISIONS',
  report: 'CALL REPORT',
};

/** What was proven, in a sentence, and what was not looked at. */
const verdictOf = ({ accounts }: Omit<Findings, 'unpublished'>, gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const calls = accounts.reduce((sum, { rows }) => sum + rows.calls, 0);
  const revisions = accounts.reduce(
    (sum, { rows }) => sum + rows.rows.reduce((more, { revision }) => more + revision, 0),
    0,
  );
  const unread = accounts.filter(({ report }) => !report.read);
  const ofReport =
    unread.length === 0
      ? ', and the call report has no other call.'
      : `. Not looked at: the call report${accounts.length > 1 ? ` of ${unread.map(({ account }) => account).join(', ')}` : ''}, so a call whose callback never came would not be noticed.`;
  return `Proven: ${counted(calls, 'call')} with ${counted(revisions, 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${ofReport}`;
};

const jsonOf = (
  { accounts, published, unpublished, parked, quarantine }: Findings,
  range: VerifiedRange,
  gaps: readonly Gap[],
) => ({
  proven: gaps.length === 0,
  ...range,
  accounts: accounts.map(({ account, range: { from, to }, rows: { calls, rows, unreadable }, report }) => ({
    account,
    from,
    to,
    calls,
    rows: rows.length,
    revisions: rows.reduce((sum, { revision }) => sum + revision, 0),
    unreadable,
    report,
  })),
  events: published && { read: published.events, otherLines: published.otherLines },
  unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
  parked,
  quarantine,
  gaps,
});

const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;
