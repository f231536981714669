import * as z from 'zod/mini';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { capacityAt, type RateLimit, withRequest } from '../../lib/service/rate-limit.ts';
import { count } from '../../lib/storage/field.ts';
import { joinedKey, type Row, type RowKey, readRow, type VersionedRow } from '../../lib/storage/rows.ts';
import { DayCounts, DayReading } from './day-reading.ts';

/** The service accepts two requests a minute, over both forms of the report. The polls of agents have a limit of their own. */
export const reportRateLimit: RateLimit = { maxRequests: 2, windowMs: 60_000 };

/** Enough for an answer of 16 MB. A request that is given up after this time has reached the service, and counts towards its limit. */
export const reportTimeoutMs = 20_000;

/** A day as it was last read. `found` and `completed` add up over all readings. `calls` is the larger number if the last reading had fewer. */
const ReadDay = z.object({
  ...DayCounts.shape,
  readAt: z.string(),
  /** The records that the day had before or should have, if it has fewer now. The day is then read again. */
  shrankFrom: z.optional(count),
  /** Only of a day that was cut: the most records that one reading has brought. The service's own number may have been wrong. */
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
  /** The number of answers so far. A message for an earlier step is dropped. */
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
  /** The kind of access that succeeded last, as an index into `reportAccesses`. */
  access: count,
  run: z.optional(z.readonly(Run)),
  days: z.readonly(z.record(z.string(), ReadDay)),
  /** Of each day whose reading began and has not ended: since when calls may have been stored that no run has counted. */
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

/** A message is delayed for at most 15 minutes, and tried again after six minutes if its run crashed. */
const deadAfterMs = 20 * 60_000;

export const isUnderWay = ({ run }: Reconciliation, now: Date): boolean =>
  run !== undefined && now.getTime() < Date.parse(run.dueAt) + deadAfterMs && isWanted(run, now.getTime());

export const isWanted = ({ until }: { readonly until?: string | undefined }, atMs: number): boolean =>
  until === undefined || atMs < Date.parse(until);

export const presentDay = ({ days: [day = ''] }: Run): string => day;

export const waitMsOf = ({ requests }: Reconciliation, { dueAt }: Run, now: Date): number =>
  Math.max(capacityAt(reportRateLimit, requests, now.getTime()), Date.parse(dueAt)) - now.getTime();

export const noteRequest = ({ requests }: Reconciliation, now: Date): readonly number[] =>
  withRequest(reportRateLimit, requests, now, reportTimeoutMs);

/** Whether the last run read each of its days to the end. */
export const hasReadAll = ({ lastRun }: Reconciliation): boolean =>
  lastRun !== undefined && Object.values(lastRun.done).every(({ isCut }) => !isCut);

/** The most records that a reading of the day has brought. */
export const mostRecords = (read: ReadDay | undefined): number => read?.had ?? read?.shrankFrom ?? read?.records ?? 0;
