import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { pagesOf } from '../../functions/reconcile-calls/day-reading.ts';
import type { ReconcileMessage } from '../../functions/reconcile-calls/reconcile-calls.ts';
import {
  type Reconciliation,
  type Run,
  reconciliationKey,
  reconciliationOf,
  reportRateLimit,
  waitMsOf,
} from '../../functions/reconcile-calls/reconciliation.ts';
import { capacityAt } from '../../lib/service/service.ts';
import type { Context } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { Problem } from '../frame/problem.ts';
import { counted, durationText } from '../frame/report.ts';
import { type DeployedTables, rowAt } from '../frame/rows.ts';

export const reconciliationState = async (deployment: DeployedTables, account: string): Promise<Reconciliation> =>
  reconciliationOf(account, await rowAt(deployment, deployment.tables.agents, reconciliationKey(account)));

/** Asks for a run. The deployment drops it after `until`; without that it goes on, though nobody waits. */
export const requestRun = async (
  { sqs }: Pick<Deployment, 'sqs'>,
  queueUrl: string,
  asked: Omit<Extract<ReconcileMessage, { kind: 'start' }>, 'kind' | 'run'>,
): Promise<string> => {
  const run = randomUUID();
  const message: ReconcileMessage = { kind: 'start', run, ...asked };
  await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }));
  return run;
};

/** A crashed step is tried again after six minutes. If nothing has happened for longer, nobody takes the messages. */
const patienceMs = 7 * 60_000;

/** The state is read again after this time: often in the first seconds, in which a run of one day ends. */
const pauseMs = (reads: number): number => Math.min(2_000, 100 * 2 ** reads);

/** Resolves with the state at the end of a run. Rejects with a `Problem` if it is late, stuck, replaced by another run, or you stop. */
export const followRun = async (
  deployment: DeployedTables,
  { account, id, until }: { readonly account: string; readonly id: string; readonly until?: string },
  { terminal, clock, stop }: Pick<Context, 'terminal' | 'clock'> & { readonly stop: AbortSignal },
): Promise<Reconciliation> => {
  const idleMs = idleTime();
  let hasBegun = false;
  for (let reads = 0; ; reads += 1) {
    const state = await reconciliationState(deployment, account);
    if (state.lastRun?.id === id) return state;
    const isPresent = state.run?.id === id;
    if (hasBegun && !isPresent)
      throw new Problem('The run was given up, and another one took its place. Run the command again.');
    hasBegun = isPresent;

    const now = clock();
    const idle = idleMs(state, now);
    if (idle > patienceMs) throw new Problem(nothingHappens(idle));
    if (stop.aborted)
      throw new Problem(
        'Stopped following; the run goes on by itself. See its progress with “callfeed status”, or follow it with “callfeed reconcile”.',
      );
    const progress = progressText(state, id, idle, now);
    if (until !== undefined && now.toISOString() > until) throw new Problem(`Not done by ${until}: ${progress}.`);
    terminal.progress(progress);
    // The only reason for a rejection is the signal, which the next round finds.
    await pause(pauseMs(reads), undefined, { signal: stop }).catch(() => undefined);
  }
};

/** For how long the state has not changed though it could have: while a run waits for its next step, it cannot. */
const idleTime = () => {
  let version = -1;
  let changedMs = 0;
  return ({ version: current, run }: Reconciliation, now: Date): number => {
    if (current !== version) changedMs = now.getTime();
    version = current;
    return now.getTime() - Math.max(changedMs, run === undefined ? 0 : Date.parse(run.dueAt));
  };
};

const progressText = (state: Reconciliation, id: string, idleMs: number, now: Date): string => {
  if (state.run === undefined) return `Waiting for the run to begin, for ${durationText(idleMs / 1000)}`;
  return `${state.run.id === id ? '' : 'Another run comes first: '}${progressOf(state, state.run, now)}`;
};

const nothingHappens = (idleMs: number): string =>
  `Nothing has happened for ${durationText(idleMs / 1000)}: the function reconcile-calls takes no messages from its queue. ` +
  'Look at its errors and its log. The run goes on by itself once the function works.';

/** What a step takes besides waiting for the limit: its message arrives a second late. */
const stepMs = 2_000;

type Unread = Pick<Run, 'days' | 'page' | 'done' | 'dueAt'> & Partial<Pick<Run, 'soFar' | 'total'>>;

/** How long the rest of a run takes, in seconds: the limit decides that, and how many pages the days have. */
export const secondsLeft = (state: Pick<Reconciliation, 'requests' | 'days'>, run: Unread, now: Date): number => {
  let requests: readonly number[] = state.requests;
  let atMs = Math.max(now.getTime(), Date.parse(run.dueAt));
  for (let left = pagesLeft(state, run); left > 0; left -= 1) {
    atMs = capacityAt(reportRateLimit, requests, atMs) + stepMs;
    requests = [...requests, atMs];
  }
  return Math.round((atMs - now.getTime()) / 1000);
};

/** A day should have as many pages as when it was last read, and a new one as many as the days of this run so far. */
const pagesLeft = ({ days }: Pick<Reconciliation, 'days'>, run: Unread): number => {
  const done = Object.values(run.done);
  const usual = done.reduce((sum, counts) => sum + pagesOf(counts), 0) / Math.max(1, done.length);
  const pages = run.days.map((day) => {
    const read = days[day];
    return read === undefined ? Math.max(1, Math.ceil(usual)) : pagesOf(read);
  });
  const [present = 1] = pages;
  return pages.reduce((sum, count) => sum + count, 0) - present + pagesLeftOfDay(run, present);
};

/** Further pages have as many records as those before. Where the service does not count the day's, one page more is expected. */
const pagesLeftOfDay = ({ page, soFar, total = 0 }: Unread, expected: number): number => {
  const read = page - 1;
  const records = soFar?.records ?? 0;
  if (total <= records || read === 0) return Math.max(1, expected - read);
  return Math.ceil((total - records) / Math.max(1, records / read));
};

export const progressOf = (state: Reconciliation, run: Run, now: Date): string => {
  const { failures, failure = 'for an unknown reason' } = run;
  const [day = ''] = run.days;
  const read = Object.keys(run.done).length;
  const failed = failures > 0 ? `${counted(failures, 'failed request')} (${failure}), ` : '';
  const left = durationText(secondsLeft(state, run, now));
  return `${read} of ${read + run.days.length} days read, now page ${run.page} of ${day}${readSoFar(run)}; ${failed}${waitText(state, run, now)}about ${left} left`;
};

const readSoFar = ({ page, soFar: { records }, total = 0 }: Run): string => {
  if (page === 1) return '';
  return total > records ? ` after ${records} of ${counted(total, 'record')}` : ` after ${counted(records, 'record')}`;
};

const waitText = (state: Reconciliation, run: Run, now: Date): string => {
  const seconds = Math.round(waitMsOf(state, run, now) / 1000);
  if (seconds <= 0) return '';
  const why = run.failures > 0 ? '' : ' (the service accepts two a minute)';
  return `next request in ${durationText(seconds)}${why}, `;
};
