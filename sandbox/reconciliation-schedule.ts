import { randomUUID } from 'node:crypto';
import type { Account } from '../lib/accounts/accounts.ts';
import type { ReconcileMessage } from '../lib/reconcile/reconcile-calls.ts';
import { daysInReport } from '../lib/reconcile/reconciliation.ts';
import type { Closers } from './closers.ts';
import type { Queue } from './queue/queue.ts';
import { type Clock, systemClock } from './simulator/clock.ts';
import { repeat } from './tick-schedule.ts';

/** The first run has some calls to find. */
const firstAfterMilliseconds = 60_000;
const everyMilliseconds = 2 * 60_000;

/**
 * The simulator remembers its calls since its start only. So the sandbox reads today and yesterday, which the limit allows
 * at once, where a deployment would first read fifteen days for eight minutes.
 */
const readDays = 2;

/** Starts the schedule of reconciliation: a minute after the start, and then every two minutes. */
export const startReconciliationSchedule = (
  queue: Pick<Queue, 'send' | 'messages'>,
  accounts: () => readonly Account[],
  closers: Closers,
  clock: Clock = systemClock,
): void => {
  const stopping = new AbortController();
  const start = async (): Promise<void> => {
    // A run is under way, or several wait for their turn already.
    if (queue.messages().length > 0) return;
    for (const { userName: account, timeZone } of accounts()) {
      const days = daysInReport(timeZone, new Date(clock.now())).slice(0, readDays);
      const message: ReconcileMessage = { kind: 'start', account, run: randomUUID(), days };
      queue.send(JSON.stringify(message), {}, 0);
    }
  };
  const run = async (): Promise<void> => {
    await clock.sleep(firstAfterMilliseconds, stopping.signal);
    await repeat(start, everyMilliseconds, clock, stopping.signal);
  };
  const running = run();
  closers.add(() => {
    stopping.abort();
    return running;
  });
};
