import { setTimeout as pause } from 'node:timers/promises';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { keyItem, unmarshalled } from '../functions/adapters/dynamo-versioned-rows.ts';
import { capacityAt } from '../lib/agents/rate-limit.ts';
import { pageSize } from '../lib/reconcile/call-report.ts';
import {
  type Reconciliation,
  type Run,
  reconciliationKey,
  reconciliationOf,
  reportRateLimit,
} from '../lib/reconcile/reconciliation.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Context } from './context.ts';
import { durationText } from './output/report.ts';
import { Problem } from './problem.ts';

/** What is stored of the reconciliation of an account. */
export const reconciliationState = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  account: string,
): Promise<Reconciliation> => {
  const Key = keyItem(reconciliationKey(account));
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tables.agents, Key, ConsistentRead: true }));
  return reconciliationOf(account, Item && unmarshalled(Item));
};

/** What a step takes besides waiting for the limit: its message arrives a second late. */
const stepMs = 2_000;

/** How long the rest of a run takes, in seconds: the limit decides that, and how many pages the days have. */
export const secondsLeft = (
  state: Pick<Reconciliation, 'requests' | 'days'>,
  run: Pick<Run, 'days' | 'page' | 'done' | 'dueAt'>,
  now: Date,
): number => {
  let requests: readonly number[] = state.requests;
  let atMs = Math.max(now.getTime(), Date.parse(run.dueAt));
  for (let left = pagesLeft(state, run); left > 0; left -= 1) {
    atMs = capacityAt(reportRateLimit, requests, atMs) + stepMs;
    requests = [...requests, atMs];
  }
  return Math.round((atMs - now.getTime()) / 1000);
};

/** A day has as many pages as when it was last read, else as many as the days of this run so far. */
const pagesLeft = ({ days }: Pick<Reconciliation, 'days'>, run: Pick<Run, 'days' | 'page' | 'done'>): number => {
  const done = Object.values(run.done);
  const usual = done.reduce((sum, { records }) => sum + records, 0) / Math.max(1, done.length);
  const pages = run.days.map((day) => Math.max(1, Math.ceil((days[day]?.records ?? usual) / pageSize)));
  return Math.max(1, pages.reduce((sum, count) => sum + count, 0) - (run.page - 1));
};

/** How far a run is, in a line. */
export const progressOf = (state: Reconciliation, run: Run, now: Date): string => {
  const [day = ''] = run.days;
  const read = Object.keys(run.done).length;
  const wait = Math.max(0, (Date.parse(run.dueAt) - now.getTime()) / 1000);
  const next =
    run.failures > 0
      ? `${run.failures} failed ${run.failures === 1 ? 'request' : 'requests'}, the next one in ${durationText(wait)}`
      : `about ${durationText(secondsLeft(state, run, now))} left`;
  return `${read} of ${read + run.days.length} days read, now page ${run.page} of ${day}; ${next}`;
};

/** A crashed step is tried again after six minutes. If nothing has happened for longer, nobody takes the messages. */
const patienceMs = 7 * 60_000;

/** The state is read again after this time: often in the first seconds, in which a run of one day ends. */
const pauseMs = (reads: number): number => Math.min(2_000, 250 * 2 ** reads);

/** A run to follow. */
interface FollowedRun {
  readonly account: string;
  readonly id: string;
}

/** Follows a run until it has ended, and resolves with the state then. Shows how far it is, and what it waits for. */
export const followRun = async (
  deployment: Pick<Deployment, 'dynamodb' | 'tables'>,
  { account, id }: FollowedRun,
  { terminal, clock, stop }: Pick<Context, 'terminal' | 'clock'> & { readonly stop: AbortSignal },
): Promise<Reconciliation> => {
  const idleMs = idleTime();
  let hasBegun = false;
  for (let reads = 0; ; reads += 1) {
    const state = await reconciliationState(deployment, account);
    if (state.lastRun?.id === id) return state;
    const isPresent = state.run?.id === id;
    if (hasBegun && !isPresent) throw new Problem(replaced);
    hasBegun = isPresent;

    const now = clock();
    const idle = idleMs(state, now);
    if (idle > patienceMs) throw new Problem(nothingHappens(idle));
    if (stop.aborted) throw new Problem(stopped);
    terminal.progress(progressText(state, { isPresent, idle }, now));
    // The only reason for a rejection is the signal, which the next round finds.
    await pause(pauseMs(reads), undefined, { signal: stop }).catch(() => undefined);
  }
};

/** For how long the state has not changed though it could have: while a run waits for its next step, it cannot. */
const idleTime = () => {
  let [version, changedMs] = [-1, 0];
  return (state: Reconciliation, now: Date): number => {
    if (state.version !== version) [version, changedMs] = [state.version, now.getTime()];
    return now.getTime() - Math.max(changedMs, state.run === undefined ? 0 : Date.parse(state.run.dueAt));
  };
};

const progressText = (
  state: Reconciliation,
  { isPresent, idle }: { readonly isPresent: boolean; readonly idle: number },
  now: Date,
): string => {
  if (state.run === undefined) return `Waiting for the run to begin, for ${durationText(idle / 1000)}`;
  return `${isPresent ? '' : 'Another run comes first: '}${progressOf(state, state.run, now)}`;
};

const nothingHappens = (idleMs: number): string =>
  `Nothing has happened for ${durationText(idleMs / 1000)}: the function reconcile-calls takes no messages from its queue. ` +
  'Look at its errors and its log. The run goes on by itself once the function works.';

const replaced = 'The run was given up, and another one took its place. Run the command again.';

const stopped =
  'Stopped following; the run goes on by itself. See how far it is with “callfeed status”, or follow it with “callfeed reconcile”.';
