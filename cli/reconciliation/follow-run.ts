import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { ReconcileMessage } from '../../functions/reconcile-calls/reconcile-calls.ts';
import {
  type Reconciliation,
  type Run,
  reconciliationKey,
  reconciliationOf,
  waitMsOf,
} from '../../functions/reconcile-calls/reconciliation.ts';
import type { Context } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import { Problem } from '../frame/problem.ts';
import { type DeployedTables, rowAt } from '../frame/rows.ts';
import { counted, durationText } from '../frame/texts.ts';
import { secondsLeft } from './time-left.ts';

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

/** How long the state has not changed, without the time before the next step is due. */
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
