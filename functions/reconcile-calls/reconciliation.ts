import * as z from 'zod/mini';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { addDays, localDate, startOfDay } from '../../lib/core/time.ts';
import { capacityAt, type RateLimit, type ServiceFailure, withRequest } from '../../lib/service/service.ts';
import { count } from '../../lib/storage/field.ts';
import { joinedKey, type Row, type RowKey, readRow, type VersionedRow } from '../../lib/storage/rows.ts';
import { isAccessProblem, isOfAccount } from './call-report.ts';
import { afterPageOfDay, DayCounts, DayReading, newReading, type ReadPage } from './day-reading.ts';

/*
 * What is known of an account's reconciliation between two requests, and what each answer makes of it. A run reads its days one
 * after the other, each page by page (`DayReading`). `days[0]` of the run is the present day. An answer is either a page
 * (`afterPage`) or a failure (`afterFailedRequest`), and counts as one step.
 */

/** The service accepts two requests a minute, over both forms of the report. The polls of agents have a limit of their own. */
export const reportRateLimit: RateLimit = { maxRequests: 2, windowMs: 60_000 };

/** An answer may have 16 MB. By then an abandoned request has arrived. */
export const reportTimeoutMs = 20_000;

/** The service keeps the calls of 15 days, today among them. An older day is empty. */
export const reportedDays = 15;

/** The service adds dispositions and recordings to the report up to two days after the call. */
const changingDays = 2;

/** A day as it was last read. `found` and `completed` count all readings, and `calls` the most where the last one had fewer. */
const ReadDay = z.object({
  ...DayCounts.shape,
  readAt: z.string(),
  /** The records that the day had before or should have, if it has fewer now. It is then read again. */
  shrankFrom: z.optional(count),
  /** Of a day that was cut, the most records that a reading has brought: the service's own number may have been wrong. */
  had: z.optional(count),
});
export type ReadDay = Readonly<z.infer<typeof ReadDay>>;

const texts = z.readonly(z.array(z.string()));
const countsByDay = z.readonly(z.record(z.string(), DayCounts));

const Run = z.object({
  ...DayReading.shape,
  id: z.string(),
  isDryRun: z.boolean(),
  isComplete: z.boolean(),
  startedAt: z.string(),
  /** The present day, and those that are left. */
  days: texts,
  /** Counts the answers. The message for a step that is done is dropped. */
  step: count,
  /** A person waits until then (ISO instant); the run is not wanted afterwards. */
  until: z.optional(z.string()),
  /** When the next step is due. A run that is long overdue has died, and another one takes its place. */
  dueAt: z.string(),
  done: countsByDay,
  /** How many requests in a row have failed, and how many of them to try another kind of access. */
  failures: count,
  failure: z.optional(z.string()),
  accessesTried: count,
  /** Days that no kind of access could read. */
  skipped: texts,
});
export type Run = Readonly<z.infer<typeof Run>>;

/** A run that is over. Where it ended within a day, the part of that day that it read does not count. */
const LastRun = z.object({
  id: z.string(),
  isDryRun: z.boolean(),
  endedAt: z.string(),
  done: countsByDay,
  endedWithin: z.optional(z.readonly(z.object({ day: z.string(), page: count, records: count, total: count }))),
});

/** What is known of the reconciliation of an account. It is stored between requests, so that a crash loses nothing. */
const Reconciliation = z.object({
  account: z.string(),
  version: count,
  /** The latest arrival of each request of the last minute, in milliseconds since the epoch. */
  requests: z.readonly(z.array(z.number())),
  /** The kind of access that succeeded last, by its place in the order of trying. */
  access: count,
  run: z.optional(z.readonly(Run)),
  days: z.readonly(z.record(z.string(), ReadDay)),
  /** Since when calls of these days may have been stored that no run has counted: their reading began and has not ended. */
  begun: z.optional(z.readonly(z.record(z.string(), z.string()))),
  lastRun: z.optional(z.readonly(LastRun)),
  completedAt: z.optional(z.string()),
  problem: z.optional(z.readonly(z.object({ reason: z.string(), at: z.string() }))),
});
export type Reconciliation = Readonly<z.infer<typeof Reconciliation>>;

export const reconciliationKey = (account: string): RowKey => ({
  pk: joinedKey(account, 'reconciliation'),
  sk: 'reconciliation',
});

/** Throws if something else wrote the row. There is none for an account that was never reconciled. */
export const reconciliationOf = (account: string, row: Row | undefined): Reconciliation =>
  row === undefined ? { account, version: 0, requests: [], access: 0, days: {} } : readRow(Reconciliation, row);

export const reconciliationRow = (state: Reconciliation): VersionedRow =>
  withoutUndefined({
    ...state,
    version: state.version + 1,
    ...reconciliationKey(state.account),
    kind: 'reconciliation',
  });

/** The days whose calls the service still has, the latest first. */
export const daysInReport = (zone: string, now: Date): readonly string[] =>
  Array.from({ length: reportedDays }, (_, age) => addDays(localDate(now.toISOString(), zone), -age));

/** Days that may still change, and older ones never read since they became final: also those missed while down. */
export const dueDays = ({ days }: Reconciliation, zone: string, now: Date): readonly string[] =>
  daysInReport(zone, now).filter((day) => {
    const read = days[day];
    if (read === undefined || read.shrankFrom !== undefined || read.isCut) return true;
    return read.readAt < startOfDay(addDays(day, changingDays + 1), zone);
  });

/** A message is delayed for at most 15 minutes, and tried again after six minutes if its run crashed. */
const deadAfterMs = 20 * 60_000;

export const isUnderWay = ({ run }: Reconciliation, now: Date): boolean =>
  run !== undefined && now.getTime() < Date.parse(run.dueAt) + deadAfterMs && isWanted(run, now.getTime());

export const isWanted = ({ until }: { readonly until?: string | undefined }, atMs: number): boolean =>
  until === undefined || atMs < Date.parse(until);

/** It replaces an earlier run that died. What that run read stays stored. */
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

export const presentDay = ({ days: [day = ''] }: Run): string => day;

export const waitMsOf = ({ requests }: Reconciliation, { dueAt }: Run, now: Date): number =>
  Math.max(capacityAt(reportRateLimit, requests, now.getTime()), Date.parse(dueAt)) - now.getTime();

export const noteRequest = ({ requests }: Reconciliation, now: Date): readonly number[] =>
  withRequest(reportRateLimit, requests, now, reportTimeoutMs);

/** From now on the present day is being read, unless it was already. A dry run stores no call, and so begins nothing. */
export const beginDay = (state: Reconciliation, run: Run, now: Date): Reconciliation => {
  if (run.isDryRun) return state;
  const day = presentDay(run);
  const readAt = state.days[day]?.readAt;
  // The clock of the machine that read the day before may be ahead of this one.
  const ms = readAt === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(readAt) + 1);
  return { ...state, begun: { [day]: new Date(ms).toISOString(), ...state.begun } };
};

export const afterPage = (state: Reconciliation, run: Run, page: ReadPage, now: Date): Reconciliation => {
  const after = afterPageOfDay(run, page);
  const { failure: _failure, ...others } = run;
  const next = { ...others, step: run.step + 1, failures: 0, accessesTried: 0 };
  if ('next' in after) return { ...state, run: { ...next, ...after.next } };

  const day = presentDay(run);
  const done = { ...next, done: { ...run.done, [day]: after.done } };
  return afterDay(run.isDryRun ? state : withDay(state, day, after.done, now), done, undefined, now);
};

const withDay = ({ begun, ...state }: Reconciliation, day: string, read: DayCounts, now: Date): Reconciliation => {
  const { [day]: _begun, ...others } = begun ?? {};
  return { ...state, begun: others, days: { ...state.days, [day]: readDay(state.days[day], read, now) } };
};

/** The run before the first page of a day: what it noted of other pages is forgotten, but for the day's number of records. */
const atFirstPage = ({ pageSize: _size, counted: _counted, rows: _rows, ...run }: Run): Run => ({
  ...run,
  ...newReading,
});

/** The next day begins, or the run ends. `failure` is why the present day was skipped. */
const afterDay = (state: Reconciliation, run: Run, failure: ServiceFailure | undefined, now: Date): Reconciliation => {
  const { total: _total, ...others } = atFirstPage(run);
  const [, ...days] = run.days;
  if (days.length > 0) return { ...state, run: { ...others, days, accessesTried: 0 } };
  if (run.skipped.length > 0) return giveUp(state, others, failure ?? { reason: 'unexpected-answer' }, now);

  const { problem: _problem, ...ended } = endRun(state, others, now);
  return { ...ended, ...(!run.isDryRun && run.isComplete && { completedAt: now.toISOString() }) };
};

/** The state once a run is over, however it ended: what it read is kept as the last run. */
export const endRun = (state: Reconciliation, run: Run, now: Date): Reconciliation => {
  const { run: _run, ...others } = state;
  const { id, isDryRun, done, page, soFar, total = 0 } = run;
  const ended = { id, isDryRun, endedAt: now.toISOString(), done };
  if (page === 1) return { ...others, lastRun: ended };
  return {
    ...others,
    lastRun: { ...ended, endedWithin: { day: presentDay(run), page, records: soFar.records, total } },
  };
};

/** Whether the last run read each of its days to the end. */
export const hasReadAll = ({ lastRun }: Reconciliation): boolean =>
  lastRun !== undefined && Object.values(lastRun.done).every(({ isCut }) => !isCut);

/** The most records that a reading of the day has brought. */
export const mostRecords = (read: ReadDay | undefined): number => read?.had ?? read?.shrankFrom ?? read?.records ?? 0;

/** At about 03:00 the service moves a finished day, and for a while may have fewer records than before, or than stated. */
const readDay = (before: ReadDay | undefined, read: DayCounts, now: Date): ReadDay => {
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
  readonly accesses: number;
}

/**
 * The state after a request that failed. An unknown error may pass, or another kind of access may not have it. So the next
 * request is for the next kind, unless the present one has brought a page in this run.
 */
export const afterFailedRequest = (
  state: Reconciliation,
  run: Run,
  { failure, status, accesses }: FailedRequest,
  now: Date,
): Reconciliation => {
  if (isAccessProblem(failure, status)) return tryNextAccess(state, run, accesses, failure, now);
  const hasPage = run.page > 1 || Object.keys(run.done).length > 0;
  if (failure.reason !== 'unknown-error' || hasPage) return tryLater(state, run, failure, now);
  return tryLater({ ...state, access: (state.access + 1) % accesses }, atFirstPage(run), failure, now);
};

/**
 * The state after a failure that another kind of access may not have: the day is read from its first page by the next kind. If
 * none can read it, the run goes on with the next day, unless every day would have the problem.
 */
export const tryNextAccess = (
  state: Reconciliation,
  run: Run,
  accesses: number,
  failure: ServiceFailure,
  now: Date,
): Reconciliation => {
  const others = { ...atFirstPage(run), step: run.step + 1 };
  const accessesTried = run.accessesTried + 1;
  if (accessesTried < accesses)
    return { ...state, access: (state.access + 1) % accesses, run: { ...others, accessesTried } };
  if (isOfAccount(failure)) return giveUp(state, run, failure, now);
  return afterDay({ ...state, access: 0 }, { ...others, skipped: [...run.skipped, presentDay(run)] }, failure, now);
};

/** The state after a run that gave up. The next run tries every kind of access again, beginning with the first. */
const giveUp = (state: Reconciliation, run: Run, { reason }: ServiceFailure, now: Date): Reconciliation => ({
  ...endRun(state, run, now),
  access: 0,
  problem: { reason, at: now.toISOString() },
});

export const forgetOldDays = ({ begun = {}, ...state }: Reconciliation, zone: string, now: Date): Reconciliation => {
  const kept = new Set(daysInReport(zone, now));
  const recent = <Of>(days: Readonly<Record<string, Of>>): Readonly<Record<string, Of>> =>
    Object.fromEntries(Object.entries(days).filter(([day]) => kept.has(day)));
  return { ...state, days: recent(state.days), begun: recent(begun) };
};
