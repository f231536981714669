import type { Reconciliation } from '../../functions/reconcile-calls/reconciliation.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { Happening } from '../frame/feature.ts';
import { counted } from '../frame/texts.ts';
import { reconciliationState } from './follow-run.ts';

/** What the runs of the call report did, as far as the account's row has it: each day's latest reading, and the latest end. */
export const reconciliationHappenings = async (
  deployment: Deployment,
  account: string,
): Promise<readonly Happening[]> => {
  if (deployment.queues.reconciliation === undefined) return [];
  const { run, days, lastRun, problem } = await reconciliationState(deployment, account);
  const line = (at: string, text: string): Happening => ({ at, account, what: 'reconciliation', text });
  return [
    ...Object.entries(days).map(([day, read]) => line(read.readAt, readingText(day, read))),
    ...(run === undefined ? [] : [line(run.startedAt, 'the run that is under way began')]),
    ...(lastRun === undefined ? [] : [line(lastRun.endedAt, `the latest ${lastRun.isDryRun ? 'dry ' : ''}run ended`)]),
    ...(problem === undefined ? [] : [line(problem.at, `the latest run gave up: ${problem.reason}`)]),
  ];
};

const readingText = (day: string, { calls, found, isCut }: Reconciliation['days'][string]): string => {
  const cut = isCut === true ? '; it was not read to its end' : '';
  return `the report of ${day} was read: ${counted(calls, 'call')}, of which it alone had ${found}${cut}`;
};
