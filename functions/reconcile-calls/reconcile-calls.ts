import * as z from 'zod/mini';
import type { Accounts } from '../../lib/accounts/account-index.ts';
import { isPolled, type PolledAccount } from '../../lib/accounts/accounts.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import { loggableError } from '../../lib/core/result.ts';
import { type Clock, localDate } from '../../lib/core/time.ts';
import type { ReportService } from '../../lib/service/service.ts';
import type { GetToken } from '../../lib/service/token-cache.ts';
import { count } from '../../lib/storage/field.ts';
import type { AgentTable } from '../../lib/storage/rows.ts';
import { emitPublishMetrics, type Telemetry } from '../../lib/telemetry/metrics.ts';
import {
  isAccessProblem,
  parseReport,
  type ReportAccess,
  type ReportPage,
  reportAccesses,
  reportRequest,
} from './call-report.ts';
import {
  afterFailure,
  afterPage,
  dueDays,
  isUnderWay,
  isWanted,
  newRun,
  presentDay,
  type ReadDay,
  type Reconciliation,
  type Run,
  reconciliationKey,
  reconciliationOf,
  reconciliationRow,
  reportArrived,
  reportWaitMs,
  withNextAccess,
  withOtherAccess,
  withoutOldDays,
  withoutRun,
  withReportRequest,
} from './reconciliation.ts';
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
  /** The agents' table holds the state between two requests, as it does for polls. */
  readonly table: Pick<AgentTable, 'query' | 'write'>;
  readonly calls: ReportStore;
  readonly service: ReportService;
  readonly getToken: GetToken;
  readonly send: (message: ReconcileMessage, delaySeconds: number) => Promise<void>;
  /** How long after its end a call's callbacks may be on the way, in seconds. */
  readonly settleSeconds: number;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly deadline: () => AbortSignal;
}

interface StepContext extends ReconcilePorts {
  readonly account: PolledAccount;
  readonly redact: (text: string) => string;
}

/** SQS delays a message for at most this time. */
const maxDelaySeconds = 900;

/** While another run is under way, a start that a person asked for is tried again after so many seconds. */
const busySeconds = 30;

/**
 * Compares the calls that the service reports with those that are stored, and stores what is missing. Each message makes at
 * most one request; the next one is a message that arrives when the rate limit has room. Where a run stands is in the
 * table: messages may be lost, repeated or late, and a run may crash at any point.
 *
 * Throws when the message has to be tried again: the table is down, or another run wrote at the same time.
 */
export const reconcileCalls =
  (ports: ReconcilePorts) =>
  async (message: ReconcileMessage): Promise<void> => {
    const accounts = await ports.accounts.current();
    if (message.kind === 'all') {
      for (const { userName } of accounts.all.filter(isPolled))
        await ports.send({ kind: 'start', account: userName, run: ports.newId() }, 0);
      return;
    }

    const account = accounts.accountNamed(message.account);
    // The account was removed from the secret, or lost its address.
    if (account === undefined || !isPolled(account)) return;
    const step: StepContext = { ...ports, account, redact: accounts.redact };
    const state = await readState(step);
    if (message.kind === 'start') await start(step, state, message);
    else if (state.run?.id === message.run) await goOn(step, state, state.run, message.step);
  };

const readState = async ({ table, account: { userName } }: StepContext): Promise<Reconciliation> => {
  const [row] = await table.query(reconciliationKey(userName).pk);
  return reconciliationOf(userName, row);
};

/** The state as it is written. Throws if another run has written it since it was read. */
const write = async ({ table }: StepContext, state: Reconciliation): Promise<Reconciliation> => {
  if ((await table.write(reconciliationRow(state))) === 'conflict')
    throw loggableError('Another run reconciles this account at the same time');
  return { ...state, version: state.version + 1 };
};

const start = async (
  step: StepContext,
  state: Reconciliation,
  message: Extract<ReconcileMessage, { kind: 'start' }>,
): Promise<void> => {
  const { account, clock } = step;
  const { run: id, days, isDryRun = false, until } = message;
  if (state.lastRun?.id === id || !isWanted(message, clock().getTime())) return;
  // A repeat of the message, whose run may have crashed in its first step.
  if (state.run?.id === id) return goOn(step, state, state.run, 1);
  if (isUnderWay(state, clock())) {
    // The schedule comes again; a person waits.
    if (days !== undefined) await step.send(message, busySeconds);
    return;
  }

  const due = dueDays(state, account.timeZone, clock());
  const chosen = days ?? due;
  const isComplete = due.every((day) => chosen.includes(day));
  const run = newRun({ id, days: [...chosen], isDryRun, isComplete, until }, clock());
  const written = await write(step, { ...withoutOldDays(state, account.timeZone, clock()), run });
  await request(step, written, run);
};

/** Makes the step of a message, unless it is done. A message that overtook the write of its step is tried again. */
const goOn = async (step: StepContext, state: Reconciliation, run: Run, wanted: number): Promise<void> => {
  if (wanted < run.step) return;
  if (wanted > run.step) throw loggableError('The step before this one is not written yet');
  await request(step, state, run);
};

/** Makes the present request of a run if the rate limit has room, and else a message for when it has. */
const request = async (step: StepContext, state: Reconciliation, run: Run): Promise<void> => {
  const { account, clock, getToken, service } = step;
  const now = clock();
  const waitMs = Math.max(reportWaitMs(state, now), Date.parse(run.dueAt) - now.getTime());
  if (waitMs > 0) return isWanted(run, now.getTime() + waitMs) ? sendStep(step, run, waitMs) : end(step, state, run);

  const accesses = reportAccesses(account);
  const place = state.access % accesses.length;
  const access = accesses[place] ?? accesses[0];
  const token = access.withToken ? await getToken(account) : undefined;
  if (token?.ok === false) return finish(step, withNextAccess(state, run, accesses.length, token.problem, clock()));

  const day = presentDay(run);
  const reserved = await write(step, withReportRequest({ ...state, access: place }, clock()));
  const answer = await service.get(reportRequest(account, access, { day, page: run.page, token: token?.value }));
  const arrived = reportArrived(reserved, clock());
  const page = answer.ok ? parseReport(answer.value) : answer;
  if (page.ok) return finish(step, await storePage(step, arrived, run, { page: page.value, access, day }));

  const isTokenRejected = page.problem.reason === 'unauthorised' && token?.value !== undefined;
  if (isTokenRejected && account.token.kind === 'generate' && run.failures === 0) {
    // The token may have expired: the next step tries once more, with a new one if there is one.
    await getToken(account, token.value);
    return finish(step, afterFailure(arrived, run, page.problem, clock()));
  }
  if (isAccessProblem(page.problem, answer.ok ? answer.value.status : undefined))
    return finish(step, withNextAccess(arrived, run, accesses.length, page.problem, clock()));
  const next =
    page.problem.reason === 'unknown-error' ? withOtherAccess(arrived, run, accesses.length) : { ...arrived, run };
  return finish(step, afterFailure(next, next.run, page.problem, clock()));
};

interface AnsweredPage {
  readonly page: ReportPage;
  readonly access: ReportAccess;
  readonly day: string;
}

const storePage = async (
  step: StepContext,
  state: Reconciliation,
  run: Run,
  { page, access, day }: AnsweredPage,
): Promise<Reconciliation> => {
  const { account, redact, clock, calls, deadline, telemetry, settleSeconds } = step;
  const { isDryRun } = run;
  const settledBy = new Date(clock().getTime() - settleSeconds * 1_000).toISOString();
  const { counts, counted, written } = await storeReport(calls, page, {
    day,
    ...{ account, redact, settledBy, isDryRun, counted: run.counted },
    signal: deadline(),
  });
  if (written > 0) emitPublishMetrics(telemetry);
  const after = afterPage(
    state,
    run,
    { counts, counted, total: page.total, access, hash: contentHash(page.records.map(({ text }) => text)) },
    clock(),
  );
  if (after.completedAt !== state.completedAt) telemetry.count('ReportRunsCompleted');
  if (isRecent(day, account.timeZone, clock()) && state.completedAt !== undefined)
    emitFound(telemetry, state.days[day], after.days[day]);
  return after;
};

/** Whether a day is today or yesterday. Older calls say nothing about whether callbacks arrive now. */
const isRecent = (day: string, zone: string, now: Date): boolean =>
  day >= localDate(new Date(now.getTime() - 86_400_000).toISOString(), zone);

/**
 * Counts the calls that are new in the report since the day was read before, and those that only the report has. It
 * does so once all pages of the day are read. An alarm compares the two, so they are emitted together. The calls of a
 * first run say nothing.
 */
const emitFound = (telemetry: Telemetry, before: ReadDay | undefined, read: ReadDay | undefined): void => {
  if (read === undefined || read === before) return;
  telemetry.count('ReportCallsFound', read.found - (before?.found ?? 0));
  telemetry.count('ReportCallsNew', Math.max(0, read.calls - (before?.calls ?? 0)));
};

/**
 * Sends the message for the next step, and then writes the state. If the function dies in between, the present message comes
 * again. In the other order the next message could be lost, and the run with it.
 */
const finish = async (step: StepContext, state: Reconciliation): Promise<void> => {
  const { run } = state;
  if (run === undefined) {
    await write(step, state);
    return;
  }
  const now = step.clock();
  const waitMs = Math.max(reportWaitMs(state, now), Date.parse(run.dueAt) - now.getTime(), 0);
  if (!isWanted(run, now.getTime() + waitMs)) return end(step, state, run);
  await sendStep(step, run, waitMs);
  await write(step, { ...state, run: { ...run, dueAt: new Date(now.getTime() + waitMs).toISOString() } });
};

/** Ends a run that nobody would wait for until its next step. */
const end = async (step: StepContext, state: Reconciliation, run: Run): Promise<void> => {
  await write(step, withoutRun(state, run, step.clock()));
};

const sendStep = ({ send, account }: StepContext, { id, step }: Run, waitMs: number): Promise<void> =>
  // A second more than needed: the message should find the state written, and the limit's window over.
  send(
    { kind: 'step', account: account.userName, run: id, step },
    Math.min(Math.ceil(waitMs / 1000) + 1, maxDelaySeconds),
  );
