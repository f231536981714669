import { scheduleMinutes, tickEntries } from '../functions/poll-agents/ticks.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Closers } from './closers.ts';
import type { Queue } from './queue/queue.ts';
import type { AwsParts } from './start-aws.ts';

/**
 * Sends ticks now and then every minute, as EventBridge Scheduler does. A tick that the queue does not accept is lost: its
 * time slot passes.
 */
export const startTickSchedule = (
  ticks: Pick<Queue, 'send'>,
  { board, consoleLog, counters, closers }: Pick<AwsParts, 'board' | 'consoleLog' | 'counters' | 'closers'>,
): void => {
  const send = (): void => {
    const fault = board.draw('queue');
    if (fault !== 'none') {
      consoleLog.line('schedule', `${tickEntries.length} ticks not sent: ${fault}`);
      return;
    }
    for (const { MessageBody, DelaySeconds } of tickEntries) ticks.send(MessageBody, {}, DelaySeconds * 1_000);
    counters.add('ticks', tickEntries.length);
  };
  startSchedule(send, { firstAfterMs: 0, everyMs: scheduleMinutes * 60_000 }, closers);
};

/** Runs a task at its times until the closers end it. */
export const startSchedule = (
  task: () => void,
  { firstAfterMs, everyMs }: { readonly firstAfterMs: number; readonly everyMs: number },
  closers: Closers,
  clock: Clock = systemClock,
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
