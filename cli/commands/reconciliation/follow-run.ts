import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { ReconcileMessage } from '../../../functions/reconcile-calls/reconcile-calls.ts';
import {
  type Reconciliation,
  reconciliationKey,
  reconciliationOf,
} from '../../../functions/reconcile-calls/reconciliation.ts';
import type { Context } from '../../command.ts';
import type { Deployment } from '../../connection/deployment.ts';
import { durationText } from '../../output/report.ts';
import { Problem } from '../../problem.ts';
import { rowAt } from '../../rows.ts';
import { progressOf } from './progress.ts';

export const reconciliationState = async (
  deployment: Pick<Deployment, 'dynamodb' | 'tables'>,
  account: string,
): Promise<Reconciliation> =>
  reconciliationOf(account, await rowAt(deployment, deployment.tables.agents, reconciliationKey(account)));

interface RequestedDays {
  readonly account: string;
  readonly days: readonly string[];
  readonly isDryRun: boolean;
  /** Until when the command waits; the deployment then drops the run. Without it the run goes on, though nobody waits. */
  readonly until?: string | undefined;
}

/** Asks the deployment for a run, and resolves with its id. It comes after another run that is under way. */
export const requestRun = async (
  { sqs }: Pick<Deployment, 'sqs'>,
  QueueUrl: string,
  { account, days, isDryRun, until }: RequestedDays,
): Promise<string> => {
  const run = randomUUID();
  const message: ReconcileMessage = { kind: 'start', account, run, days, isDryRun, until };
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
  return run;
};

/** A crashed step is tried again after six minutes. If nothing has happened for longer, nobody takes the messages. */
const patienceMs = 7 * 60_000;

/** The state is read again after this time: often in the first seconds, in which a run of one day ends. */
const pauseMs = (reads: number): number => Math.min(2_000, 100 * 2 ** reads);

interface FollowedRun {
  readonly account: string;
  readonly id: string;
  readonly until?: string | undefined;
}

/**
 * Follows a run until it has ended, and resolves with the state then. Shows how far it is, and what it waits for. Rejects with a
 * `Problem` that says so where it does not end in time, gives way to another run, or the user stops the command.
 */
export const followRun = async (
  deployment: Pick<Deployment, 'dynamodb' | 'tables'>,
  { account, id, until }: FollowedRun,
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
    const progress = progressText(state, { isPresent, idle }, now);
    if (until !== undefined && now.toISOString() > until) throw new Problem(progress);
    terminal.progress(progress);
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
