import { isUnderWay, type Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { Feature, HealthText } from '../frame/feature.ts';
import { counted, durationText } from '../frame/texts.ts';
import { type CutDay, cutDays, cutText } from './cut-days.ts';
import { progressOf, reconciliationState } from './follow-run.ts';
import { reconcile } from './reconcile.ts';

export const reconciliationColumns = {
  account: 'ACCOUNT',
  reconciled: 'RECONCILED',
  calls: 'CALLS IN 15 DAYS',
  found: 'FOUND BY REPORT ALONE',
  now: 'NOW',
};

/** How far an account is compared with the call report. `status` shows nothing of it where that is switched off. */
export const reconciliationStatus = async (deployment: Deployment, account: string, clock: () => Date) => {
  if (deployment.queues.reconciliation === undefined) return { health: switchedOff };
  const state = await reconciliationState(deployment, account);
  const now = clock();
  return { health: healthOf(state, now), shown: { json: jsonOf(state), row: statusCells(state, now) } };
};

const statusCells = (state: Reconciliation, now: Date) => {
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
const areCallbacksMissing = ({ days }: Pick<Reconciliation, 'days'>): boolean => {
  const latest = Object.keys(days).sort().slice(-2);
  const { calls, found } = shareOf({
    days: Object.fromEntries(Object.entries(days).filter(([day]) => latest.includes(day))),
  });
  return found >= 5 && found * 5 > calls;
};

const switchedOff: HealthText = {
  verdict: 'unknown',
  lines: ['It is switched off (the setting “reconciliation”), so a call whose callback never came stays unknown.'],
};

const healthOf = (state: Reconciliation, now: Date): HealthText => {
  const { reconciled, calls, found, now: activity } = statusCells(state, now);
  const isNew = reconciled === 'NEVER';
  const problems = problemsOf(state, { activity, cut: cutDays(state.days) });
  const verdict = isNew ? 'unknown' : 'good';
  // Callbacks that are missing may have come and been rejected; anything else is read again.
  const command = areCallbacksMissing(state) ? ['quarantine', 'list'] : ['reconcile'];
  return {
    verdict: problems.length > 0 ? 'bad' : verdict,
    lines: [
      ...problems,
      `Compared with the call report: ${isNew ? 'never yet' : reconciled}. Of ${counted(calls, 'call')} in 15 days, the report alone had ${found}.`,
      `Now: ${activity}.`,
    ],
    ...(problems.length > 0 && { command }),
  };
};

const problemsOf = (
  state: Reconciliation,
  { activity, cut }: { readonly activity: string; readonly cut: readonly CutDay[] },
): readonly string[] => [
  ...(areCallbacksMissing(state)
    ? [
        'More than a fifth of the latest days’ calls had no callback. Check the callback address at the telephony service ' +
          '(docs/runbook.md#callbacks-missing).',
      ]
    : []),
  ...(activity.startsWith('gave up')
    ? [`The latest run ${activity}. The next one tries again (docs/runbook.md#reconciliation-silent).`]
    : []),
  ...(cut.length > 0
    ? [
        `Not read to the end: ${cut.map(cutText).join('; ')}. Every run reads such a day again ` +
          '(docs/runbook.md#reconciliation-silent).',
      ]
    : []),
];

const agoOf = (at: string, now: Date): string => durationText((now.getTime() - Date.parse(at)) / 1000);

const activityOf = (state: Reconciliation, now: Date): string => {
  const { run, problem } = state;
  if (run !== undefined && isUnderWay(state, now))
    return `${run.isDryRun ? 'dry run: ' : ''}${progressOf(state, run, now)}`;
  if (run !== undefined) return `a run stopped ${agoOf(run.dueAt, now)} ago`;
  if (problem === undefined) return idleText(cutDays(state.days));
  return `gave up ${agoOf(problem.at, now)} ago: ${problem.reason}`;
};

const idleText = ([latest, ...others]: readonly CutDay[]): string => {
  if (latest === undefined) return 'idle';
  return `NOT READ TO THE END: ${cutText(latest)}${others.length > 0 ? `; and ${counted(others.length, 'day')} more` : ''}`;
};

export const reconciliation: Feature = { commands: [reconcile] };
