import { randomUUID } from 'node:crypto';
import type { VariablesOf } from '../../functions/adapters/env.ts';
import { timeoutSeconds } from '../../functions/limits.ts';
import type { reconcileCallsEnv } from '../../functions/reconcile-calls/environment.ts';
import type { ReconcileMessage } from '../../functions/reconcile-calls/reconcile-calls.ts';
import { daysInReport } from '../../functions/reconcile-calls/reconciliation.ts';
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
  // The table says that a run is under way; without its message nothing would go on with it. A failed step is retried when
  // its run has certainly ended.
  const queue = addQueue('callfeed-reconciliation', 'reconciliation.json', {
    visibilityMilliseconds: timeoutSeconds['reconcile-calls'] * 1_000,
  });
  readQueue(queue, 'reconcile-calls', ['reconciliationSteps', 'reconciliationRetries'], {
    onBatch: consoleLog.outage(
      'report',
      'a step of reconciliation failed; it is retried in a minute',
      'reconciliation works again',
    ),
  });
  // Without traffic nothing happens by itself; a real service would be asked for more than somebody may expect.
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

/** The simulator remembers its calls since its start only. A deployment first reads fifteen days, for eight minutes. */
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
