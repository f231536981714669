import { findAccount } from '../lib/accounts/accounts-row.ts';
import { parkedIn } from '../lib/callback/parked.ts';
import { isUnknownSender } from '../lib/callback/quarantine.ts';
import { partitionKey, recordedInTime } from '../lib/calls/call-keys.ts';
import { recordOf } from '../lib/calls/call-row.ts';
import type { CallfeedClient } from '../lib/client/index.ts';
import { batches, type Facts } from '../lib/core/collections.ts';
import { addDays, localDate } from '../lib/core/time.ts';
import { daysInReport } from '../lib/reconcile/reconciliation.ts';
import { accountsOf } from './accounts.ts';
import { rowsOfCall } from './call-rows.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Context } from './context.ts';
import { type DeadLetter, deadLetters, queueDepth, release } from './dead-letters.ts';
import type { PublishedRevisions, RecordName } from './events/published-revisions.ts';
import { secondsLeft } from './output/reconciliation.ts';
import { durationText } from './output/report.ts';
import { printable } from './output/terminal.ts';
import { Problem } from './problem.ts';
import { harmlessReason, scanEntries } from './quarantine-entries.ts';
import { followRun, reconciliationState, requestRun } from './reconciliation.ts';

/** A range of time; both ends are included. */
export interface VerifiedRange {
  readonly from: string;
  readonly to: string;
}

/** The revision of a row, and when it was recorded. */
export interface VerifiedRow extends RecordName {
  readonly revision: number;
  readonly recordedAt: string;
}

/** The rows of an account's calls of a range, and the ids of calls with a row that Callfeed did not write. */
export interface VerifiedRows {
  readonly calls: number;
  readonly rows: readonly VerifiedRow[];
  readonly unreadable: readonly string[];
}

/** Queries side by side. */
const concurrency = 20;

/** Reads the rows of every call that started in the range, and of every call that was first recorded in it. */
export const readRows = async (
  deployment: Deployment,
  { account, client }: { readonly account: string; readonly client: CallfeedClient },
  { from, to }: VerifiedRange,
  onProgress: (calls: number) => void,
): Promise<VerifiedRows> => {
  const ids = new Set<string>();
  for (const list of [client.calls({ from, to }), client.calls({ recordedFrom: from, recordedTo: to })])
    for await (const { callId } of list) onProgress(ids.add(callId).size);

  const rows: VerifiedRow[] = [];
  const unreadable: string[] = [];
  let calls = 0;
  for (const batch of batches([...ids], ({ length }) => length < concurrency)) {
    const found = await Promise.all(batch.map((callId) => rowsOfCall(deployment, partitionKey(account, callId))));
    for (const [index, row] of found.flatMap((some, index) => some.map((row) => [index, row] as const))) {
      const verified = verifiedRow(row);
      if (verified === undefined) unreadable.push(batch[index] ?? '');
      else rows.push(verified);
    }
    calls += batch.length;
    onProgress(calls);
  }
  return { calls, rows, unreadable: [...new Set(unreadable)] };
};

/** Undefined for a row from which the publisher can make no event. */
const verifiedRow = (row: Facts): VerifiedRow | undefined => {
  try {
    const { key, revision, recordedAt } = recordOf(row);
    return { ...key, revision, recordedAt };
  } catch {
    return undefined;
  }
};

/** A row, and its revisions for which there is no event. */
export interface Unpublished {
  readonly row: VerifiedRow;
  readonly revisions: readonly number[];
}

/** The rows that have a revision, from 1 to the present one, without an event. */
export const unpublishedOf = (
  { rows }: Pick<VerifiedRows, 'rows'>,
  published: PublishedRevisions,
): readonly Unpublished[] =>
  rows
    .map((row) => {
      const all = Array.from({ length: row.revision }, (_, index) => index + 1);
      return { row, revisions: all.filter((revision) => !published.has(row, revision)) };
    })
    .filter(({ revisions }) => revisions.length > 0);

/** What is in the queues. `unreadable` dead letters may be of any call. */
export interface ParkedFindings {
  /** About how many messages are still tried again. Reading them would count as one of their tries. */
  readonly waiting: number;
  readonly calls: readonly { readonly account: string; readonly callId: string }[];
  readonly unreadable: number;
}

/** No more dead letters are read, as all are hidden from other readers meanwhile. */
const maxDeadLetters = 10_000;

/** The dead letters of some accounts whose call started or was received in the range. */
export const findParked = async (
  deployment: Deployment,
  accounts: readonly string[],
  range: VerifiedRange,
  onProgress: (letters: number) => void,
): Promise<ParkedFindings> => {
  const waiting = await queueDepth(deployment, deployment.queues.parking);
  const letters: DeadLetter[] = [];
  try {
    for await (const letter of deadLetters(deployment, maxDeadLetters)) onProgress(letters.push(letter));
  } finally {
    await release(deployment, letters);
  }

  const calls = new Map<string, { readonly account: string; readonly callId: string }>();
  let unreadable = 0;
  for (const { body } of letters) {
    const parked = parkedIn(body);
    if (parked?.kind !== 'delivery') {
      unreadable += Number(parked === undefined || isWithin(parked.entry.receivedAt, later(range)));
      continue;
    }
    const { key, delivery } = parked;
    const times = [delivery.receivedAt, String(delivery.facts['startedAt'] ?? '')];
    if (accounts.includes(key.account) && times.some((at) => isWithin(at, range)))
      calls.set(partitionKey(key.account, key.callId), { account: key.account, callId: key.callId });
  }
  return { waiting, calls: [...calls.values()], unreadable };
};

const isWithin = (at: string, { from, to }: VerifiedRange): boolean => at >= from && at <= to;

/** A post about a call of the range may come that much later. */
const later = ({ from, to }: VerifiedRange): VerifiedRange => ({
  from,
  to: new Date(Date.parse(to) + recordedInTime.afterMs).toISOString(),
});

/** What is in quarantine. */
export interface QuarantineFindings {
  /** Entries in which calls may be. */
  readonly entries: readonly { readonly id: string; readonly reason: string }[];
  /** Posts of the accounts that are no call summaries, such as screen pops. */
  readonly notCalls: number;
  /** Posts of senders that name no key: whose they are is not known. */
  readonly unknownSenders: number;
}

/** The entries of some accounts, and of known senders without one, that were received in the range or an hour after it. */
export const findQuarantined = async (
  deployment: Deployment,
  accounts: readonly string[],
  range: VerifiedRange,
  onProgress: (rows: number) => void,
): Promise<QuarantineFindings> => {
  const entries: { id: string; reason: string }[] = [];
  let [notCalls, unknownSenders] = [0, 0];
  for await (const page of scanEntries(deployment, { since: range.from, isDismissed: false }, onProgress))
    for (const { id, entry } of page) {
      const { account, reason, receivedAt } = entry;
      if (!isWithin(receivedAt, later(range)) || (account !== undefined && !accounts.includes(account))) continue;
      if (isUnknownSender(entry)) unknownSenders += 1;
      else if (reason === harmlessReason) notCalls += 1;
      else entries.push({ id, reason });
    }
  return { entries, notCalls, unknownSenders };
};

/** What the call report says of the days of the range; `why` if it was not read, and whether it could have been. */
export type ReportFindings =
  | { readonly read: true; readonly days: readonly string[]; readonly calls: number; readonly missing: MissingByDay }
  | { readonly read: false; readonly why: string; readonly hasFailed: boolean };

/** How many calls of a day only the report has; days without any are left out. */
export type MissingByDay = Readonly<Record<string, number>>;

/** What reading the report takes besides the deployment. */
interface ReportContext extends Pick<Context, 'terminal' | 'clock'> {
  readonly stop: AbortSignal;
  /** How long to wait for the report, in minutes. */
  readonly waitMinutes: number;
}

/**
 * Compares the days of the range with the service's call report, by a dry run of the deployment. It waits no longer than it is
 * told to, and the dry run ends then too, however this command ends.
 */
export const readReport = async (
  deployment: Deployment,
  accountName: string,
  range: VerifiedRange,
  { terminal, clock, stop, waitMinutes }: ReportContext,
): Promise<ReportFindings> => {
  const queue = deployment.queues.reconciliation;
  if (queue === undefined) return notRead('reconciliation is off');
  const account = findAccount(await accountsOf(deployment), accountName);
  if (account === undefined || !account.isPolled) return notRead('the account has no “baseUrl”');

  const now = clock();
  const inReport = daysInReport(account.timeZone, now);
  const days = daysOf(range, account.timeZone).filter((day) => inReport.includes(day));
  if (days.length === 0) return notRead('the service no longer has these days in its report');
  const failed = (why: string): ReportFindings => ({ read: false, why, hasFailed: true });
  const before = await reconciliationState(deployment, accountName);
  const seconds = secondsLeft(before, { days, page: 1, done: {}, dueAt: now.toISOString() }, now);
  if (seconds > waitMinutes * 60)
    return failed(
      `its requests are limited, so it takes about ${durationText(seconds)}. Give --report-wait ${Math.ceil(seconds / 60)}`,
    );

  const until = new Date(now.getTime() + waitMinutes * 60_000).toISOString();
  const id = await requestRun(deployment, queue, { account: accountName, days, isDryRun: true, until });
  const progress = (line: string) => terminal.progress(`Call report of ${printable(accountName)}: ${line}`);
  const following = { terminal: { ...terminal, progress }, clock, stop };
  const state = await followRun(deployment, { account: accountName, id, until }, following).catch((error: unknown) => {
    if (stop.aborted) throw new Problem(`Stopped; nothing was written. The dry run of the report ends by ${until}.`);
    if (error instanceof Problem) return error;
    throw error;
  });
  const tooLate = `it was not there within ${durationText(waitMinutes * 60)}, which --report-wait can extend`;
  if (state instanceof Problem) return failed(`${tooLate}. ${state.message}`);
  const { lastRun, problem } = state;
  const done = Object.entries(lastRun?.done ?? {});
  if (done.length < days.length)
    return failed(problem?.at === lastRun?.endedAt ? `the run gave up (${problem?.reason})` : tooLate);
  return {
    read: true,
    days,
    calls: done.reduce((sum, [, { calls }]) => sum + calls, 0),
    missing: Object.fromEntries(done.flatMap(([day, { found }]) => (found > 0 ? [[day, found] as const] : []))),
  };
};

/** A report that there is not, or that nobody wanted. */
export const notRead = (why: string): ReportFindings => ({ read: false, why, hasFailed: false });

/** The days of a zone that a range touches. A day more than the report has is enough. */
const daysOf = ({ from, to }: VerifiedRange, zone: string): readonly string[] => {
  const days: string[] = [];
  const last = localDate(to, zone);
  for (let day = localDate(from, zone); day <= last; day = addDays(day, 1)) days.push(day);
  return days;
};
