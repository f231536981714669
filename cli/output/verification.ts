import type { DeploymentLocation } from '../connection/deployment.ts';
import type { PublishedRevisions } from '../events/published-revisions.ts';
import { defaultStack } from '../options.ts';
import type {
  ParkedFindings,
  QuarantineFindings,
  ReportFindings,
  Unpublished,
  VerifiedRange,
  VerifiedRows,
} from '../verification.ts';
import { report } from './report.ts';
import { printable, type Terminal } from './terminal.ts';

/** What was found for one account. */
export interface AccountFindings {
  readonly account: string;
  readonly range: VerifiedRange;
  readonly rows: VerifiedRows;
}

/** What the call report of an account told. */
export interface AccountReport {
  readonly account: string;
  readonly report: ReportFindings;
}

/** What was found in the deployment, but for the call report. `published` is undefined if there is nothing to compare with. */
export interface Findings {
  readonly accounts: readonly AccountFindings[];
  /** From the first instant of any account's range to the last. */
  readonly range: VerifiedRange;
  readonly published: PublishedRevisions | undefined;
  readonly unpublished: readonly Unpublished[];
  readonly parked: ParkedFindings;
  readonly quarantine: QuarantineFindings;
}

/** Something that is missing, or was not looked at, and what to do about it. */
export interface Gap {
  readonly what: string;
  readonly ids?: readonly string[];
  readonly mend: string;
}

/** Events of younger rows may be on their way. */
const publishedWithinMs = 60_000;

/** What rows, events, queues and quarantine leave unproven; empty if they prove the range. */
export const gapsOf = (findings: Findings, options: DeploymentLocation, now: Date): readonly Gap[] => [
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
];

const publicationGaps = (
  { accounts, published, unpublished }: Findings,
  options: DeploymentLocation,
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

const parkedGaps = ({ waiting, calls, unreadable }: ParkedFindings, options: DeploymentLocation): readonly Gap[] => [
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

const quarantineGaps = ({ entries }: QuarantineFindings, options: DeploymentLocation): readonly Gap[] =>
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

/** What the call report of an account leaves unproven. */
export const reportGapsOf = ({ account, report }: AccountReport, options: DeploymentLocation): readonly Gap[] => {
  if (!report.read)
    return report.hasFailed
      ? [{ what: `the call report of ${account} was not read: ${report.why}`, mend: commandLine(options, 'status') }]
      : [];
  return Object.entries(report.missing).map(([day, count]) => ({
    what: `${counted(count, 'call')} of ${account} on ${day} that only the call report has`,
    mend: commandLine(options, `reconcile --day ${day} --account ${account}`),
  }));
};

/** A command for the same deployment. */
const commandLine = ({ stack, endpoint, region, profile }: DeploymentLocation, command: string): string =>
  [
    `callfeed ${command}`,
    ...(endpoint === undefined ? [] : [`--endpoint ${endpoint}`]),
    ...(endpoint !== undefined || stack === defaultStack ? [] : [`--stack ${stack}`]),
    ...(region === undefined ? [] : [`--region ${region}`]),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
  ].join(' ');

/** More are in --json only. */
const maxIds = 10;

/** Prints what was looked at besides the call report, and each gap with what mends it. */
export const printFindings = (terminal: Terminal, findings: Findings, gaps: readonly Gap[]): void => {
  const { accounts, published, quarantine } = findings;
  const rows = accounts.map(({ account, range, rows: { calls, rows } }) => ({
    account,
    from: range.from,
    to: range.to,
    calls,
    revisions: rows.reduce((sum, { revision }) => sum + revision, 0),
  }));
  report(terminal, false, columns, rows);
  printGaps(terminal, gaps);
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
};

const printGaps = (terminal: Terminal, gaps: readonly Gap[]): void => {
  for (const { what, ids = [], mend } of gaps) {
    terminal.print('');
    terminal.print(printable(`Not proven: ${what}.`));
    const more = ids.length > maxIds ? `; and ${ids.length - maxIds} more, which --json lists` : '';
    if (ids.length > 0) terminal.print(printable(`  ${ids.slice(0, maxIds).join('; ')}${more}`));
    terminal.print(printable(`  To mend it: ${mend}`));
  }
};

/** Prints what the call report told of an account, or why it was not read, and each gap with what mends it. */
export const printReport = (terminal: Terminal, { account, report }: AccountReport, gaps: readonly Gap[]): void => {
  const told = report.read
    ? `${counted(report.calls, 'call')} on ${report.days.join(', ')}`
    : `not read: ${report.why}`;
  if (report.read || !report.hasFailed) {
    terminal.print('');
    terminal.print(printable(`Call report of ${account}: ${told}.`));
  }
  printGaps(terminal, gaps);
};

/** Prints in one line what was proven. */
export const printVerdict = (
  terminal: Terminal,
  findings: Findings,
  reports: readonly AccountReport[],
  gaps: readonly Gap[],
): void => {
  terminal.print('');
  terminal.print(printable(verdictOf(findings, reports, gaps)));
};

const columns = {
  account: 'ACCOUNT',
  from: 'FROM',
  to: 'TO',
  calls: 'CALLS',
  revisions: 'REVISIONS',
};

/** What was proven, in a sentence, and what was not looked at. */
const verdictOf = ({ accounts }: Findings, reports: readonly AccountReport[], gaps: readonly Gap[]): string => {
  if (gaps.length > 0) return `Not proven: ${gaps.map(({ what }) => what).join('; ')}.`;
  const calls = accounts.reduce((sum, { rows }) => sum + rows.calls, 0);
  const revisions = accounts.reduce(
    (sum, { rows }) => sum + rows.rows.reduce((more, { revision }) => more + revision, 0),
    0,
  );
  const unread = reports.filter(({ report }) => !report.read);
  const ofReport =
    unread.length === 0
      ? ', and the call report has no other call.'
      : `. Not looked at: the call report${accounts.length > 1 ? ` of ${unread.map(({ account }) => account).join(', ')}` : ''}, so a call whose callback never came would not be noticed.`;
  return `Proven: ${counted(calls, 'call')} with ${counted(revisions, 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${ofReport}`;
};

/** What was found, for programs. */
export const jsonOf = (
  { accounts, range, published, unpublished, parked, quarantine }: Findings,
  reports: readonly AccountReport[],
  gaps: readonly Gap[],
) => ({
  proven: gaps.length === 0,
  ...range,
  accounts: accounts.map(({ account, range: { from, to }, rows: { calls, rows, unreadable } }) => ({
    account,
    from,
    to,
    calls,
    rows: rows.length,
    revisions: rows.reduce((sum, { revision }) => sum + revision, 0),
    unreadable,
    report: reports.find((one) => one.account === account)?.report,
  })),
  events: published && { read: published.events, otherLines: published.otherLines },
  unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
  parked,
  quarantine,
  gaps,
});

const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;
