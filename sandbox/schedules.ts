import { randomUUID } from 'node:crypto';
import { scheduleMinutes, tickEntries } from '../functions/poll-agents/ticks.ts';
import type { ReconcileMessage } from '../functions/reconcile-calls/reconcile-calls.ts';
import { daysInReport } from '../functions/reconcile-calls/reconciliation.ts';
import type { Account } from '../lib/accounts/accounts.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Closers } from './closers.ts';
import type { Monitors } from './counters.ts';
import type { FaultBoard } from './faults.ts';
import type { Queue } from './queue/queue.ts';

/**
 * Sends ticks now and then every minute, as EventBridge Scheduler does. A tick that the queue does not accept is lost: its
 * time slot passes.
 */
export const startTickSchedule = (
  ticks: Pick<Queue, 'send'>,
  board: Pick<FaultBoard, 'draw'>,
  { consoleLog, counters }: Monitors,
  closers: Closers,
): void => {
  const send = (): void => {
    const fault = board.draw('queue');
    if (fault !== 'none') {
      consoleLog.ticksLost(tickEntries.length, fault);
      return;
    }
    for (const { MessageBody, DelaySeconds } of tickEntries) ticks.send(MessageBody, {}, DelaySeconds * 1_000);
    counters.add('ticks', tickEntries.length);
  };
  startSchedule(send, { firstAfterMs: 0, everyMs: scheduleMinutes * 60_000 }, systemClock, closers);
};

/** The first run has some calls to find. */
const reconciliation = { firstAfterMs: 60_000, everyMs: 2 * 60_000 };

/**
 * The simulator remembers its calls since its start only. So the sandbox reads today and yesterday, which the limit allows
 * at once, where a deployment would first read fifteen days for eight minutes.
 */
const readDays = 2;

/** Starts reconciliation of every account with its call report: a minute after the start, and then every two minutes. */
export const startReconciliationSchedule = (
  queue: Pick<Queue, 'send' | 'messages'>,
  accounts: () => readonly Account[],
  closers: Closers,
  clock: Clock = systemClock,
): void => {
  const send = (): void => {
    // A run is under way, or several wait for their turn already.
    if (queue.messages().length > 0) return;
    for (const { userName: account, timeZone } of accounts()) {
      const days = daysInReport(timeZone, new Date(clock.now())).slice(0, readDays);
      const message: ReconcileMessage = { kind: 'start', account, run: randomUUID(), days };
      queue.send(JSON.stringify(message), {}, 0);
    }
  };
  startSchedule(send, reconciliation, clock, closers);
};

/** Runs a task at its times until the closers end it. */
const startSchedule = (
  task: () => void,
  { firstAfterMs, everyMs }: typeof reconciliation,
  clock: Clock,
  closers: Closers,
): void => {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    let nextAt = clock.now() + firstAfterMs;
    while (!stopping.signal.aborted) {
      await clock.sleep(nextAt - clock.now(), stopping.signal);
      if (stopping.signal.aborted) return;
      task();
      // After the machine slept, the missed times are not made up for.
      nextAt += everyMs * Math.max(1, Math.ceil((clock.now() - nextAt) / everyMs));
    }
  };
  const running = run();
  closers.add(() => {
    stopping.abort();
    return running;
  });
};
