import { commandLine } from '../connection/command-line.ts';
import type { DeploymentLocation } from '../connection/deployment.ts';
import type { PublishedRevisions } from '../events/published-revisions.ts';
import { type Known, knownValue } from '../known.ts';
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
  readonly rows: Known<VerifiedRows>;
}

/** What the call report of an account told. */
export interface AccountReport {
  readonly account: string;
  readonly report: ReportFindings;
}

/** What was found in the deployment, but for the call report. `events` is undefined if there is nothing to compare with. */
export interface Findings {
  readonly accounts: readonly AccountFindings[];
  /** From the first instant of any account's range to the last. */
  readonly range: VerifiedRange;
  readonly events: Known<PublishedRevisions> | undefined;
  readonly unpublished: readonly Unpublished[];
  readonly parked: Known<ParkedFindings>;
  readonly quarantine: Known<QuarantineFindings>;
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
  ...findings.accounts.flatMap(({ account, rows }) =>
    gapsIn(`calls of ${account}`, rows, ({ unreadable }) =>
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
  ),
  ...(findings.events === undefined
    ? [
        {
          what: 'nothing to compare the publication with: the bus stores no events',
          mend: 'give --events with what a subscriber got, or get it from the archive (docs/command-line.md, Verify)',
        },
      ]
    : gapsIn('events', findings.events, () => publicationGaps(findings, options, now))),
  ...gapsIn('dead letters', findings.parked, (parked) => parkedGaps(parked, options)),
  ...gapsIn('posts in quarantine', findings.quarantine, (quarantine) => quarantineGaps(quarantine, options)),
];

/** The gaps in what a part of the deployment told; that it told nothing is one. */
const gapsIn = <Value>(what: string, read: Known<Value>, gapsOf: (value: Value) => readonly Gap[]): readonly Gap[] =>
  'value' in read
    ? gapsOf(read.value)
    : [{ what: `the ${what} could not be read. ${read.unknown.replace(/\.$/, '')}`, mend: 'run this command again' }];

const publicationGaps = (
  { accounts, unpublished }: Findings,
  options: DeploymentLocation,
  now: Date,
): readonly Gap[] => {
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

/** More are in --json only. */
const maxIds = 10;

/** Prints what was looked at besides the call report, and each gap with what mends it. */
export const printFindings = (terminal: Terminal, findings: Findings, gaps: readonly Gap[]): void => {
  const { accounts, events, quarantine } = findings;
  const rows = accounts.map(({ account, range: { from, to }, rows }) => ({ account, from, to, ...countsOf(rows) }));
  report(terminal, false, columns, rows);
  printGaps(terminal, gaps);
  const { otherLines = 0 } = (events && knownValue(events)) ?? {};
  if (otherLines > 0) terminal.note(`${counted(otherLines, 'line')} had no event and were skipped.`);
  const { notCalls = 0, unknownSenders = 0 } = knownValue(quarantine) ?? {};
  const notes = [
    ...(notCalls > 0
      ? [
          `${counted(notCalls, 'post')} that are no call summaries (“callfeed quarantine list --reason not-a-call-summary”)`,
        ]
      : []),
    ...(unknownSenders > 0 ? [`${counted(unknownSenders, 'post')} of unknown senders`] : []),
  ];
  if (notes.length > 0) terminal.note(`Also in quarantine, and not counted as missing: ${notes.join(', and ')}.`);
};

/** The calls and revisions of an account; nothing where they could not be read. */
const countsOf = (read: Known<VerifiedRows>) => {
  if ('unknown' in read) return {};
  const { calls, rows } = read.value;
  return { calls, revisions: rows.reduce((sum, { revision }) => sum + revision, 0) };
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
  const counts = accounts.map(({ rows }) => countsOf(rows));
  const calls = counts.reduce((sum, { calls: some = 0 }) => sum + some, 0);
  const revisions = counts.reduce((sum, { revisions: some = 0 }) => sum + some, 0);
  const unread = reports.filter(({ report }) => !report.read);
  const ofReport =
    unread.length === 0
      ? ', and the call report has no other call.'
      : `. Not looked at: the call report${accounts.length > 1 ? ` of ${unread.map(({ account }) => account).join(', ')}` : ''}, so a call whose callback never came would not be noticed.`;
  return `Proven: ${counted(calls, 'call')} with ${counted(revisions, 'revision')}, and each has its event; none is parked, dead-lettered or quarantined${ofReport}`;
};

/** What was found, for programs. */
export const jsonOf = (
  { accounts, range, events, unpublished, parked, quarantine }: Findings,
  reports: readonly AccountReport[],
  gaps: readonly Gap[],
) => ({
  proven: gaps.length === 0,
  ...range,
  accounts: accounts.map(({ account, range: { from, to }, rows }) => {
    const { rows: all, unreadable } = knownValue(rows) ?? {};
    const report = reports.find((one) => one.account === account)?.report;
    const { calls, revisions } = countsOf(rows);
    return { account, from, to, calls, rows: all?.length, revisions, unreadable, report };
  }),
  events: eventCountsOf(events),
  unpublished: unpublished.map(({ row, revisions }) => ({ ...row, unpublished: revisions })),
  parked: knownValue(parked),
  quarantine: knownValue(quarantine),
  gaps,
});

const eventCountsOf = (read: Findings['events']) =>
  read && 'value' in read ? { read: read.value.events, otherLines: read.value.otherLines } : undefined;

const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`;
