import { daysInReport } from '../../functions/reconcile-calls/due-days.ts';
import type { Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import { findAccount } from '../../lib/accounts/account-index.ts';
import { datesBetween, localDate } from '../../lib/core/time.ts';
import { commandLine, type DeploymentLocation } from '../frame/deployment.ts';
import { Problem, settled } from '../frame/problem.ts';
import type { Reader } from '../frame/reader.ts';
import { printable } from '../frame/terminal.ts';
import { counted, durationText } from '../frame/texts.ts';
import { type CutDay, cutDays, cutText } from '../reconciliation/cut-days.ts';
import { followRun, reconciliationState, requestRun } from '../reconciliation/follow-run.ts';
import { secondsLeft } from '../reconciliation/time-left.ts';
import { type Gap, type Inspection, type PartFindings, type VerifiedRange, withoutStop } from './gaps.ts';

type ReportFindings =
  | {
      readonly read: true;
      readonly days: readonly string[];
      readonly calls: number;
      readonly missing: CallsByDay;
      readonly moved: CallsByDay;
      readonly cut: readonly CutDay[];
    }
  | {
      readonly read: false;
      readonly why: string;
      readonly hasFailed: boolean;
      /** How many minutes to wait for it instead. */
      readonly reportWait?: number;
    };

type CallsByDay = Readonly<Record<string, number>>;

const notAsked = (why: string): ReportFindings => ({ read: false, why, hasFailed: false });

const failedToRead = (why: string, reportWait?: number): ReportFindings => ({
  read: false,
  why,
  hasFailed: true,
  ...(reportWait !== undefined && { reportWait }),
});

/** As long as a command may wait. */
const maxWaitMinutes = 60;

const longerWait = (minutes: number): number | undefined =>
  minutes < maxWaitMinutes ? Math.min(maxWaitMinutes, 2 * minutes) : undefined;

/** Compares days with the service's report, by a dry run that ends after `waitMinutes`, even if this command was stopped. */
const readReport = async (
  { deployment, account: name, accounts, range }: Reader & { readonly range: VerifiedRange },
  { terminal, clock, stop }: Inspection,
  waitMinutes: number,
): Promise<ReportFindings> => {
  const queue = deployment.queues.reconciliation;
  if (queue === undefined) return notAsked('reconciliation is off');
  const account = findAccount(await accounts(), name);
  if (account === undefined || !account.isPolled) return notAsked('the account has no “baseUrl”');

  const now = clock();
  const inReport = daysInReport(account.timeZone, now);
  const touched = datesBetween(localDate(range.from, account.timeZone), localDate(range.to, account.timeZone));
  const days = touched.filter((day) => inReport.includes(day));
  if (days.length === 0) return notAsked('the service no longer has these days in its report');
  const before = await reconciliationState(deployment, name);
  const seconds = secondsLeft(before, { days, page: 1, done: {}, dueAt: now.toISOString() }, now);
  const minutes = Math.ceil(seconds / 60);
  const limited = `its requests are limited, so it takes about ${durationText(seconds)}`;
  if (minutes > maxWaitMinutes)
    return failedToRead(`${limited}, which is longer than a command may wait: ask for fewer days`);
  if (seconds > waitMinutes * 60) return failedToRead(limited, minutes);

  const until = new Date(now.getTime() + waitMinutes * 60_000).toISOString();
  const id = await requestRun(deployment, queue, { account: name, days, isDryRun: true, until });
  const progress = (line: string) => terminal.progress(`Call report of ${printable(name)}: ${line}`);
  const following = { terminal: { ...terminal, progress }, clock, stop };
  const state = await followRun(deployment, { account: name, id, until }, following).catch((error: unknown) => {
    if (stop.aborted) throw new Problem(`Stopped; nothing was written. The dry run of the report ends by ${until}.`);
    if (error instanceof Problem) return error;
    throw error;
  });
  const tooLate = `it was not there within ${durationText(waitMinutes * 60)}`;
  if (state instanceof Problem)
    return failedToRead(`${tooLate}. ${withoutStop(state.message)}`, longerWait(waitMinutes));
  const { lastRun, problem, days: readBefore } = state;
  const done = Object.entries(lastRun?.done ?? {});
  const byDay = (what: 'found' | 'moved'): CallsByDay =>
    Object.fromEntries(done.map(([day, counts]) => [day, counts[what] ?? 0] as const).filter(([, calls]) => calls > 0));
  if (done.length < days.length) {
    const gaveUp = problem !== undefined && problem.at === lastRun?.endedAt;
    if (gaveUp) return failedToRead(`the run gave up (${problem.reason})`);
    return failedToRead(`${tooLate}${endText(lastRun)}`, longerWait(waitMinutes));
  }
  return {
    read: true,
    days,
    calls: done.reduce((sum, [, { calls }]) => sum + calls, 0),
    missing: byDay('found'),
    moved: byDay('moved'),
    cut: cutDays(lastRun?.done ?? {}, readBefore),
  };
};

/** How far a run was that nobody waited for any longer. */
const endText = (lastRun: Reconciliation['lastRun']): string => {
  const { day, page, records, total } = lastRun?.endedWithin ?? { day: '', page: 1, records: 0, total: 0 };
  if (page === 1) return ': the service accepts two requests a minute';
  const of = total > records ? `of ${total} ` : '';
  return `: ${counted(page - 1, 'page')} of ${day} had ${records} ${of}records, and the service accepts two requests a minute`;
};

export const reportGaps = (account: string, report: ReportFindings, location: DeploymentLocation): readonly Gap[] => {
  if (!report.read) {
    const { why, hasFailed, reportWait } = report;
    const again = reportWait !== undefined && { again: { 'report-wait': String(reportWait) } };
    const remedy = again || commandLine(location, 'status');
    return hasFailed ? [{ what: `the call report of ${account} was not read: ${why}`, remedy }] : [];
  }
  const gapsByDay = (days: CallsByDay, whatOf: (day: string) => string) =>
    Object.entries(days).map(([day, count]) => ({
      what: `${counted(count, 'call')} of ${account} ${whatOf(day)}`,
      remedy: commandLine(location, 'reconcile', '--day', day, '--account', account),
    }));
  return [
    ...gapsByDay(report.missing, (day) => `on ${day} that only the call report has`),
    ...gapsByDay(report.moved, (day) => `that the call report has on ${day} and the table on another day`),
    ...report.cut.map((cut) => ({
      what: `the call report of ${account} was not read to its end: ${cutText(cut)}`,
      remedy: { again: {}, when: 'later; if it stays so, see “Reconciliation silent” in docs/runbook.md' },
    })),
  ];
};

/** What the call report of an account has, or why it was not asked for. Undefined where it could not be read: that is a gap. */
const reportText = (account: string, report: ReportFindings): string | undefined => {
  if (report.read) return `Call report of ${account}: ${counted(report.calls, 'call')} on ${report.days.join(', ')}.`;
  return report.hasFailed ? undefined : `Call report of ${account}: not read: ${report.why}.`;
};

/** Compares with the service, for which it may have to wait. It is made last, for each account. */
export const compareWithReport = async (
  reader: Reader & { readonly range: VerifiedRange },
  run: Inspection,
  { report, reportWait }: { readonly report: boolean; readonly reportWait: number },
): Promise<PartFindings & { readonly isRead: boolean }> => {
  const read = report ? await settled(readReport(reader, run, reportWait)) : { value: notAsked('--no-report') };
  if (run.stop.aborted && 'unknown' in read) throw new Problem(read.unknown);
  const json = 'value' in read ? read.value : failedToRead(withoutStop(read.unknown));
  const { account } = reader;
  return { json, isRead: json.read, gaps: reportGaps(account, json, run.location), note: reportText(account, json) };
};

/** What the last sentence of `verify` says of the report; `unread` are the accounts whose report was not read. */
export const reportVerdict = (unread: readonly string[], isOnlyAccount: boolean): string =>
  unread.length === 0
    ? ', and the call report has no other call'
    : `. Not looked at: the call report${isOnlyAccount ? '' : ` of ${unread.join(', ')}`}, so a call whose callback never came would not be noticed`;
