import { randomUUID } from 'node:crypto';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import { timeoutSeconds } from '../../functions/limits.ts';
import { daysInReport } from '../../functions/reconcile-calls/due-days.ts';
import type { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import type { ReconcileMessage } from '../../functions/reconcile-calls/reconcile-calls.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import type { SandboxFeature } from '../aws/aws-parts.ts';
import { type Closers, startSchedule } from '../frame/lifecycle.ts';
import type { OwnVariables } from '../functions/function-environment.ts';
import type { Queue } from '../queue/queue.ts';

export const reconciliation: SandboxFeature = ({
  options,
  addQueue,
  addressOf,
  readQueue,
  secret,
  consoleLog,
  closers,
}) => {
  // The queue is kept on disk: if its message were lost, the run in the table would never go on. A failed step is retried only
  // after its run has ended.
  const queue = addQueue('callfeed-reconciliation', 'reconciliation.json', {
    visibilityMilliseconds: timeoutSeconds['reconcile-calls'] * 1_000,
  });
  readQueue(
    queue,
    'reconcile-calls',
    { succeeded: 'reconciliationSteps', retried: 'reconciliationRetries' },
    consoleLog.outage(
      'report',
      'a step of reconciliation failed; it is retried in a minute',
      'reconciliation works again',
    ),
  );
  // Only with simulated traffic: a real service would get requests that nobody expects.
  const { polling = true, traffic, provider } = options;
  if (polling && traffic && provider === undefined) startReconciliationSchedule(queue, secret.accounts, closers);

  const variables: OwnVariables<VariablesOf<typeof reconcileCallsEnv>> = {
    RECONCILE_QUEUE_URL: addressOf(queue),
    // The simulated service posts a call at once, and nobody who tries the sandbox waits a quarter of an hour.
    SETTLE_SECONDS: '30',
  };
  return { addresses: { reconciliationQueue: addressOf(queue) }, variables: () => variables };
};

const times = { firstAfterMs: 60_000, everyMs: 2 * 60_000 };

/** The simulator remembers only calls since its start. A deployment reads fifteen days, which takes eight minutes. */
const readDays = 2;

export const startReconciliationSchedule = (
  queue: Pick<Queue, 'send' | 'messages'>,
  accounts: () => readonly Account[],
  closers: Closers,
): void => {
  const send = (): void => {
    // A run is under way, or several wait for their turn already.
    if (queue.messages().length > 0) return;
    for (const { userName: account, timeZone } of accounts()) {
      const days = daysInReport(timeZone, new Date()).slice(0, readDays);
      const message: ReconcileMessage = { kind: 'start', account, run: randomUUID(), days };
      queue.send(JSON.stringify(message), {}, 0);
    }
  };
  startSchedule(send, times, closers);
};
