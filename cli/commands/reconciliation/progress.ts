import { pageSize } from '../../../functions/reconcile-calls/call-report.ts';
import {
  isUnderWay,
  type Reconciliation,
  type Run,
  reportRateLimit,
  reportTimeoutMs,
} from '../../../functions/reconcile-calls/reconciliation.ts';
import { capacityAt } from '../../../lib/service/service.ts';
import { counted, durationText } from '../../output/report.ts';

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

/**
 * A day is expected to have as many pages as when it was last read. A new day is expected to have as many as the days
 * of this run so far.
 */
const pagesLeft = ({ days }: Pick<Reconciliation, 'days'>, run: Pick<Run, 'days' | 'page' | 'done'>): number => {
  const done = Object.values(run.done);
  const usual = done.reduce((sum, { records }) => sum + records, 0) / Math.max(1, done.length);
  const pages = run.days.map((day) => Math.max(1, Math.ceil((days[day]?.records ?? usual) / pageSize)));
  return Math.max(1, pages.reduce((sum, count) => sum + count, 0) - (run.page - 1));
};

/** A page is asked for a second after it is due, and mostly comes within a second. After this time it is worth a word. */
const patienceMs = 3_000;

/**
 * Since when the next page is awaited, in milliseconds since the epoch: since its request, while that is under way, and
 * otherwise since the limit had room for it. It lies ahead while the run waits for the limit.
 */
const awaitedSinceMs = ({ requests }: Pick<Reconciliation, 'requests'>, { dueAt }: Run, now: Date): number => {
  const [arrivedBy = 0] = requests.slice(-1);
  const isUnderWay = arrivedBy > now.getTime() + patienceMs;
  return isUnderWay ? arrivedBy - reportTimeoutMs : capacityAt(reportRateLimit, requests, Date.parse(dueAt));
};

export const progressOf = (state: Reconciliation, run: Run, now: Date): string => {
  const [day = ''] = run.days;
  const read = Object.keys(run.done).length;
  const waitMs = awaitedSinceMs(state, run, now) - now.getTime();
  const next =
    waitMs < -patienceMs
      ? `no answer for ${durationText(-waitMs / 1000)} from the service, or from the function that asks it`
      : run.failures > 0
        ? `the next request in ${durationText(Math.max(0, waitMs) / 1000)}`
        : `about ${durationText(secondsLeft(state, run, now))} left`;
  return `${read} of ${read + run.days.length} days read, now page ${run.page} of ${day}; ${failuresOf(run)}${next}`;
};

const failuresOf = ({ failures, failure = 'for an unknown reason' }: Run): string =>
  failures > 0 ? `${counted(failures, 'failed request')} (${failure}), ` : '';

export const reconciliationColumns = {
  account: 'ACCOUNT',
  reconciled: 'RECONCILED',
  calls: 'CALLS IN 15 DAYS',
  found: 'FOUND BY REPORT ALONE',
  now: 'NOW',
};

export const reconciliationRow = (state: Reconciliation, now: Date) => {
  const { account } = state;
  const readAt = lastReadAt(state);
  const { calls, found, foundShare } = shareOf(state);
  return {
    account,
    reconciled: readAt === undefined ? 'NEVER' : `${agoOf(readAt, now)} ago`,
    calls,
    found: foundShare === undefined ? found : `${found} (${(foundShare * 100).toFixed(1)} %)`,
    now: activityOf(state, now),
  };
};

export const reconciliationJson = (state: Reconciliation) => {
  const { completedAt, problem, run, days } = state;
  const readAt = lastReadAt(state);
  const present = run && { startedAt: run.startedAt, isDryRun: run.isDryRun, daysLeft: run.days, dueAt: run.dueAt };
  return { readAt, completedAt, problem, run: present, ...shareOf(state), days };
};

const lastReadAt = ({ days }: Reconciliation): string | undefined =>
  Object.values(days)
    .map(({ readAt }) => readAt)
    .sort()
    .at(-1);

/** How many calls the report has for the days that are remembered, and for how many of them no callback had come by then. */
const shareOf = ({ days }: Pick<Reconciliation, 'days'>) => {
  const calls = Object.values(days).reduce((sum, day) => sum + day.calls, 0);
  const found = Object.values(days).reduce((sum, day) => sum + day.found, 0);
  return { calls, found, ...(calls > 0 && { foundShare: Math.round((found / calls) * 10_000) / 10_000 }) };
};

/** As the alarm “Callbacks missing”, over the two latest days that were read: five calls and more than a fifth of all. */
export const areCallbacksMissing = ({ days }: Pick<Reconciliation, 'days'>): boolean => {
  const latest = Object.keys(days).sort().slice(-2);
  const { calls, found } = shareOf({
    days: Object.fromEntries(Object.entries(days).filter(([day]) => latest.includes(day))),
  });
  return found >= 5 && found * 5 > calls;
};

const agoOf = (at: string, now: Date): string => durationText((now.getTime() - Date.parse(at)) / 1000);

const activityOf = (state: Reconciliation, now: Date): string => {
  const { run, problem } = state;
  if (run !== undefined && isUnderWay(state, now))
    return `${run.isDryRun ? 'dry run: ' : ''}${progressOf(state, run, now)}`;
  if (run !== undefined) return `a run stopped ${agoOf(run.dueAt, now)} ago`;
  return problem === undefined ? 'idle' : `gave up ${agoOf(problem.at, now)} ago: ${problem.reason}`;
};
