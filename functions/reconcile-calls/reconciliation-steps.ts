import { without } from '../../lib/core/collections.ts';
import type { ServiceFailure } from '../../lib/service/service.ts';
import { isAccessProblem, isOfAccount } from './call-report.ts';
import { afterPageOfDay, type DayCounts, newReading, type ReadPage } from './day-reading.ts';
import { isWanted, mostRecords, presentDay, type ReadDay, type Reconciliation, type Run } from './reconciliation.ts';

/*
 * What each answer makes of an account's reconciliation. A run reads its days one after the other, each page by page
 * (`DayReading`). `days[0]` of the run is the present day. An answer is either a page (`afterPage`) or a failure
 * (`afterFailedRequest`), and counts as one step.
 */

/** A new run at its first step. It replaces an earlier one that died: what that one read stays stored. */
export const newRun = (asked: Pick<Run, 'id' | 'days' | 'isDryRun' | 'isComplete' | 'until'>, now: Date): Run => ({
  ...asked,
  ...newReading,
  startedAt: now.toISOString(),
  dueAt: now.toISOString(),
  step: 1,
  done: {},
  failures: 0,
  accessesTried: 0,
  skipped: [],
});

/** From now on the present day is being read, unless it was already. A dry run stores no call, and so begins nothing. */
export const beginDay = (state: Reconciliation, run: Run, now: Date): Reconciliation => {
  if (run.isDryRun) return state;
  const day = presentDay(run);
  const readAt = state.days[day]?.readAt;
  // `begun` must be later than `readAt`, and the clock of the machine that read the day before may be ahead of this one.
  const startedMs = readAt === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(readAt) + 1);
  return { ...state, begun: { [day]: new Date(startedMs).toISOString(), ...state.begun } };
};

export const afterPage = (state: Reconciliation, run: Run, page: ReadPage, now: Date): Reconciliation => {
  const after = afterPageOfDay(run, page);
  const next = { ...without(run, ['failure']), step: run.step + 1, failures: 0, accessesTried: 0 };
  if ('next' in after) return { ...state, run: { ...next, ...after.next } };

  const day = presentDay(run);
  const done = { ...next, done: { ...run.done, [day]: after.done } };
  return afterDay(run.isDryRun ? state : withDay(state, day, after.done, now), done, undefined, now);
};

const withDay = (state: Reconciliation, day: string, read: DayCounts, now: Date): Reconciliation => ({
  ...state,
  begun: without(state.begun ?? {}, [day]),
  days: { ...state.days, [day]: dayAfterReading(state.days[day], read, now) },
});

/** The run before the first page of a day: what it noted of other pages is forgotten, but for the day's number of records. */
const atFirstPage = (run: Run): Run => ({
  ...without(run, ['pageSize', 'counted', 'rows']),
  ...newReading,
});

/** The next day begins, or the run ends. `failure` is why the present day was skipped. */
const afterDay = (state: Reconciliation, run: Run, failure: ServiceFailure | undefined, now: Date): Reconciliation => {
  const others = without(atFirstPage(run), ['total']);
  const [, ...days] = run.days;
  if (days.length > 0) return { ...state, run: { ...others, days, accessesTried: 0 } };
  if (run.skipped.length > 0) return giveUp(state, others, failure ?? { reason: 'unexpected-answer' }, now);

  const ended = without(endRun(state, others, now), ['problem']);
  return { ...ended, ...(!run.isDryRun && run.isComplete && { completedAt: now.toISOString() }) };
};

/** The state once a run is over, however it ended: what it read is kept as the last run. */
export const endRun = (state: Reconciliation, run: Run, now: Date): Reconciliation => {
  const others = without(state, ['run']);
  const { id, isDryRun, done, page, soFar, total = 0 } = run;
  const ended = { id, isDryRun, endedAt: now.toISOString(), done };
  if (page === 1) return { ...others, lastRun: ended };
  return {
    ...others,
    lastRun: { ...ended, endedWithin: { day: presentDay(run), page, records: soFar.records, total } },
  };
};

/** At about 03:00 the service moves a finished day, and for a while may have fewer records than before, or than stated. */
const dayAfterReading = (before: ReadDay | undefined, read: DayCounts, now: Date): ReadDay => {
  const had = mostRecords(before);
  const expected = Math.max(had, read.total ?? 0);
  const isPart = read.isCut || read.records < expected;
  return {
    ...read,
    calls: isPart ? Math.max(read.calls, before?.calls ?? 0) : read.calls,
    found: read.found + (before?.found ?? 0),
    completed: read.completed + (before?.completed ?? 0),
    readAt: now.toISOString(),
    ...(read.records < expected && { shrankFrom: expected }),
    ...(read.isCut && { had: Math.max(had, read.records) }),
  };
};

const firstPauseMs = 60_000;
const maxPauseMs = 15 * 60_000;

/** The service was asked for half an hour in vain: the next run of the schedule tries again. */
const maxFailures = 6;

/** The same request again after a pause, which doubles. The run gives up where that fails too often, or nobody waits as long. */
export const tryLater = (state: Reconciliation, run: Run, failure: ServiceFailure, now: Date): Reconciliation => {
  const failures = run.failures + 1;
  const pauseMs = Math.max(firstPauseMs * 2 ** (failures - 1), (failure.retryAfterSeconds ?? 0) * 1000);
  const dueMs = now.getTime() + Math.min(pauseMs, maxPauseMs);
  if (failures >= maxFailures || !isWanted(run, dueMs)) return giveUp(state, run, failure, now);

  const dueAt = new Date(dueMs).toISOString();
  return { ...state, run: { ...run, step: run.step + 1, failures, failure: failure.reason, dueAt } };
};

interface FailedRequest {
  readonly failure: ServiceFailure;
  readonly status: number | undefined;
  /** How many kinds of access to the report the account has. */
  readonly accessCount: number;
}

/**
 * The state after a request that failed. An unknown error may pass, or another kind of access may not have it. So the next
 * request is for the next kind, unless the present one has brought a page in this run.
 */
export const afterFailedRequest = (
  state: Reconciliation,
  run: Run,
  failed: FailedRequest,
  now: Date,
): Reconciliation => {
  const { failure, status, accessCount } = failed;
  if (isAccessProblem(failure, status)) return tryNextAccess(state, run, failed, now);
  const hasPage = run.page > 1 || Object.keys(run.done).length > 0;
  if (failure.reason !== 'unknown-error' || hasPage) return tryLater(state, run, failure, now);
  return tryLater({ ...state, access: (state.access + 1) % accessCount }, atFirstPage(run), failure, now);
};

/**
 * The state after a failure that another kind of access may not have: the day is read from its first page by the next kind. If
 * none can read it, the run goes on with the next day, unless every day would have the problem.
 */
export const tryNextAccess = (
  state: Reconciliation,
  run: Run,
  { failure, accessCount }: Pick<FailedRequest, 'failure' | 'accessCount'>,
  now: Date,
): Reconciliation => {
  const others = { ...atFirstPage(run), step: run.step + 1 };
  const accessesTried = run.accessesTried + 1;
  if (accessesTried < accessCount)
    return { ...state, access: (state.access + 1) % accessCount, run: { ...others, accessesTried } };
  if (isOfAccount(failure)) return giveUp(state, run, failure, now);
  return afterDay({ ...state, access: 0 }, { ...others, skipped: [...run.skipped, presentDay(run)] }, failure, now);
};

/** The state after a run that gave up. The next run tries every kind of access again, beginning with the first. */
const giveUp = (state: Reconciliation, run: Run, { reason }: ServiceFailure, now: Date): Reconciliation => ({
  ...endRun(state, run, now),
  access: 0,
  problem: { reason, at: now.toISOString() },
});
