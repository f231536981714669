import { isUnderWay, type Reconciliation } from '../../../functions/reconcile-calls/reconciliation.ts';
import type { Deployment } from '../../connection/deployment.ts';
import type { AccountPart } from '../../feature.ts';
import { durationText } from '../../output/report.ts';
import { progressOf, reconciliationState } from './follow-run.ts';

const columns = {
  account: 'ACCOUNT',
  reconciled: 'RECONCILED',
  calls: 'CALLS IN 15 DAYS',
  found: 'FOUND BY REPORT ALONE',
  now: 'NOW',
};

/** What is stored of an account’s reconciliation; undefined where the deployment does not reconcile. */
export const accountPart = async (deployment: Deployment, account: string): Promise<AccountPart | undefined> => {
  if (deployment.queues.reconciliation === undefined) return undefined;
  const state = await reconciliationState(deployment, account);
  return { ...{ name: 'reconciliation', columns, json: jsonOf(state) }, row: (now) => reconciliationRow(state, now) };
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

const jsonOf = (state: Reconciliation) => {
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
