import * as z from 'zod/mini';
import type { Accounts } from '../../lib/accounts/account-index.ts';
import { isPolled, type PolledAccount } from '../../lib/accounts/accounts.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { type Clock, localDate } from '../../lib/core/time.ts';
import { requestArrived } from '../../lib/service/rate-limit.ts';
import type { ReportService } from '../../lib/service/service.ts';
import type { GetToken } from '../../lib/service/token-cache.ts';
import { count } from '../../lib/storage/field.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import { counter, emitPublishMetrics, type Telemetry } from '../../lib/telemetry/metrics.ts';
import { parseReport, type ReportAccess, type ReportPage, reportAccesses, reportRequest } from './call-report.ts';
import { dueDays, forgetOldDays } from './due-days.ts';
import type { ReconcileCallsEnv } from './environment.ts';
import {
  hasReadAll,
  isUnderWay,
  isWanted,
  noteRequest,
  presentDay,
  type ReadDay,
  type Reconciliation,
  type Run,
  reconciliationKey,
  reconciliationOf,
  reconciliationRow,
  waitMsOf,
} from './reconciliation.ts';
import {
  afterFailedRequest,
  afterPage,
  beginDay,
  endRun,
  newRun,
  tryLater,
  tryNextAccess,
} from './reconciliation-steps.ts';
import { type ReportStore, storeReport } from './store-report.ts';

export const ReconcileMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  /** Begin a run. Without days, it reads those that are due. Its id makes a repeat of the message harmless. */
  z.object({
    kind: z.literal('start'),
    account: z.string(),
    run: z.string(),
    days: z.optional(z.readonly(z.array(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))))),
    isDryRun: z.optional(z.boolean()),
    /** Whoever asks waits until then (ISO instant). Afterwards the run is not begun, and goes on no more. */
    until: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('step'), account: z.string(), run: z.string(), step: count }),
]);
export type ReconcileMessage = Readonly<z.infer<typeof ReconcileMessage>>;

export interface ReconcilePorts {
  readonly accounts: Accounts;
  /** Holds the state between two requests, as it does for polls. */
  readonly table: Pick<AgentTable, 'query' | 'write'>;
  readonly calls: ReportStore;
  readonly service: ReportService;
  readonly getToken: GetToken;
  readonly send: (message: ReconcileMessage, delaySeconds: number) => Promise<void>;
  readonly env: Pick<ReconcileCallsEnv, 'SETTLE_SECONDS'>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly deadline: () => AbortSignal;
}

interface StepContext extends ReconcilePorts {
  readonly account: PolledAccount;
  readonly redact: (text: string) => string;
}

/** How a message ended. All but `done` have to be tried again. */
export type Ended =
  | 'done'
  /** Another run wrote the state since it was read. */
  | 'race-lost'
  /** The message overtook the write of its step. */
  | 'too-early';

/** SQS delays a message for at most this time. */
const maxDelaySeconds = 900;

/** While another run is under way, a start that a person asked for is tried again after so many seconds. */
const busySeconds = 30;

/**
 * Stores reported calls that are missing. Each message makes one request at most; the next one comes when the rate limit
 * has room. The table has where a run stands, as messages may be lost, repeated or late. Throws when the table is down.
 */
export const reconcileCalls =
  (ports: ReconcilePorts) =>
  async (message: ReconcileMessage): Promise<Ended> => {
    const accounts = await ports.accounts.current();
    if (message.kind === 'all') {
      for (const { userName } of accounts.all.filter(isPolled))
        await ports.send({ kind: 'start', account: userName, run: ports.newId() }, 0);
      return 'done';
    }

    const account = accounts.accountNamed(message.account);
    // The account was removed from the secret, or lost its address.
    if (account === undefined || !isPolled(account)) return 'done';
    const context: StepContext = { ...ports, account, redact: accounts.redact };
    const [row] = await ports.table.query(reconciliationKey(account.userName).pk);
    const state = reconciliationOf(account.userName, row);
    if (message.kind === 'start') return start(context, state, message);
    return state.run?.id === message.run ? goOn(context, state, state.run, message.step) : 'done';
  };

const write = async ({ table }: StepContext, state: Reconciliation): Promise<Result<Reconciliation, 'race-lost'>> =>
  (await table.write(reconciliationRow(state))) === 'conflict'
    ? fail('race-lost')
    : ok({ ...state, version: state.version + 1 });

const writeLast = async (context: StepContext, state: Reconciliation): Promise<Ended> =>
  (await write(context, state)).ok ? 'done' : 'race-lost';

const start = async (
  context: StepContext,
  state: Reconciliation,
  message: Extract<ReconcileMessage, { kind: 'start' }>,
): Promise<Ended> => {
  const { account, clock } = context;
  const { run: id, days, isDryRun = false, until } = message;
  if (state.lastRun?.id === id || !isWanted(message, clock().getTime())) return 'done';
  // A repeat of the message, whose run may have crashed in its first step.
  if (state.run?.id === id) return goOn(context, state, state.run, 1);
  if (isUnderWay(state, clock())) {
    // The schedule comes again; a person waits.
    if (days !== undefined) await context.send(message, busySeconds);
    return 'done';
  }

  const due = dueDays(state, account.timeZone, clock());
  const chosen = days ?? due;
  const isComplete = due.every((day) => chosen.includes(day));
  const run = newRun({ id, days: [...chosen], isDryRun, isComplete, until }, clock());
  const written = await write(context, { ...forgetOldDays(state, account.timeZone, clock()), run });
  return written.ok ? requestOrWait(context, written.value, run) : written.problem;
};

const goOn = async (context: StepContext, state: Reconciliation, run: Run, wanted: number): Promise<Ended> => {
  if (wanted < run.step) return 'done';
  return wanted > run.step ? 'too-early' : requestOrWait(context, state, run);
};

/** Makes the present request of a run if the rate limit has room, and else a message for when it has. */
const requestOrWait = async (context: StepContext, state: Reconciliation, run: Run): Promise<Ended> => {
  const now = context.clock();
  const waitMs = waitMsOf(state, run, now);
  if (waitMs === 0) return request(context, state, run);
  if (!isWanted(run, now.getTime() + waitMs)) return writeLast(context, endRun(state, run, now));
  await sendStep(context, run, waitMs);
  return 'done';
};

const request = async (context: StepContext, state: Reconciliation, run: Run): Promise<Ended> => {
  const { account, clock, getToken, service } = context;
  const accesses = reportAccesses(account);
  const accessCount = accesses.length;
  const place = state.access % accessCount;
  const access = accesses[place] ?? accesses[0];
  const token = access.withToken ? await getToken(account) : ok(undefined);
  if (!token.ok) return finish(context, tryNextAccess(state, run, { failure: token.problem, accessCount }, clock()));

  const begun = beginDay(state, run, clock());
  const reserved = await write(context, { ...begun, access: place, requests: noteRequest(state, clock()) });
  if (!reserved.ok) return reserved.problem;
  const asked = { day: presentDay(run), page: run.page, pageSize: run.pageSize, token: token.value };
  const answer = await service.get(reportRequest(account, access, asked));
  const arrived = { ...reserved.value, requests: requestArrived(reserved.value.requests, clock()) };
  const page = answer.ok ? parseReport(answer.value) : answer;
  if (page.ok) return finish(context, await storePage(context, arrived, run, page.value, access));

  const { problem: failure } = page;
  const isTokenRejected = failure.reason === 'unauthorised' && token.value !== undefined;
  if (isTokenRejected && account.token.kind === 'generate' && run.failures === 0) {
    // The token may have expired: the next step tries once more, with a new one if there is one.
    await getToken(account, token.value);
    return finish(context, tryLater(arrived, run, failure, clock()));
  }
  const failed = { failure, status: answer.ok ? answer.value.status : undefined, accessCount };
  return finish(context, afterFailedRequest(arrived, run, failed, clock()));
};

export const reportMetrics = {
  runsCompleted: counter('ReportRunsCompleted'),
  found: counter('ReportCallsFound'),
  new: counter('ReportCallsNew'),
};

const storePage = async (
  context: StepContext,
  state: Reconciliation,
  run: Run,
  page: ReportPage,
  access: ReportAccess,
): Promise<Reconciliation> => {
  const { account, redact, clock, calls, deadline, telemetry, env } = context;
  const { isDryRun } = run;
  const day = presentDay(run);
  const settledBy = new Date(clock().getTime() - env.SETTLE_SECONDS * 1_000).toISOString();
  const { counted, rows } = run;
  const stored = await storeReport(calls, page, {
    account,
    day,
    redact,
    settledBy,
    isDryRun,
    counted,
    rows,
    begunAt: isDryRun ? undefined : state.begun?.[day],
    signal: deadline(),
  });
  if (stored.written > 0) emitPublishMetrics(telemetry);
  const isGrowing = day >= localDate(clock().toISOString(), account.timeZone);
  const after = afterPage(state, run, { ...stored, total: page.total, access, isGrowing }, clock());
  if (after.completedAt !== state.completedAt && hasReadAll(after)) telemetry.count(reportMetrics.runsCompleted);
  if (isRecent(day, account.timeZone, clock()) && state.completedAt !== undefined)
    emitFound(telemetry, state.days[day], after.days[day]);
  return after;
};

/** Whether a day is today or yesterday. Older calls say nothing about whether callbacks arrive now. */
const isRecent = (day: string, zone: string, now: Date): boolean =>
  day >= localDate(new Date(now.getTime() - 86_400_000).toISOString(), zone);

/**
 * Counts new calls and those that only the report has, once a day is read whole. An alarm compares the two, so they are
 * emitted together. The calls of a first run say nothing.
 */
const emitFound = (telemetry: Telemetry, before: ReadDay | undefined, read: ReadDay | undefined): void => {
  if (read === undefined || read === before) return;
  telemetry.count(reportMetrics.found, read.found - (before?.found ?? 0));
  telemetry.count(reportMetrics.new, Math.max(0, read.calls - (before?.calls ?? 0)));
};

/** Sends the next message, then writes the state: in the other order a crash could lose the run. */
const finish = async (context: StepContext, state: Reconciliation): Promise<Ended> => {
  const { run } = state;
  if (run === undefined) return writeLast(context, state);
  const now = context.clock();
  const waitMs = waitMsOf(state, run, now);
  const dueMs = now.getTime() + waitMs;
  if (!isWanted(run, dueMs)) return writeLast(context, endRun(state, run, now));
  await sendStep(context, run, waitMs);
  return writeLast(context, { ...state, run: { ...run, dueAt: new Date(dueMs).toISOString() } });
};

const sendStep = ({ send, account }: StepContext, { id, step }: Run, waitMs: number): Promise<void> =>
  // A second more than needed: the message should find the state written, and the limit's window over.
  send(
    { kind: 'step', account: account.userName, run: id, step },
    Math.min(Math.ceil(waitMs / 1000) + 1, maxDelaySeconds),
  );
