import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { scheduleMinutes, tickEntries } from '../functions/poll-agents/ticks.ts';
import type { Closers } from './closers.ts';
import type { ConsoleLog } from './console-log.ts';
import { localClient } from './local-aws.ts';
import type { Queues } from './queue/start-queues.ts';
import { type Clock, systemClock } from './simulator/clock.ts';

/** Starts the schedule. From now on a tick arrives every 15 seconds, and each tick polls the agents. */
export const startSchedule = (
  { url, ticksUrl }: Pick<Queues, 'url' | 'ticksUrl'>,
  consoleLog: ConsoleLog,
  closers: Closers,
): void => {
  const client = new SQSClient({ ...localClient(url), maxAttempts: 1 });
  closers.add(() => client.destroy());

  const schedule = startTickSchedule({
    client,
    queueUrl: ticksUrl,
    clock: systemClock,
    onFailure: consoleLog.ticksLost,
  });
  closers.add(schedule.stop);
};

/** The queue for the ticks, and the callback for ticks that could not be sent. */
export interface TickScheduleOptions {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  readonly clock: Clock;
  /** Called with the number of ticks that could not be sent, and the name of the error. */
  readonly onFailure: (ticks: number, reason: string) => void;
}

const everyMilliseconds = scheduleMinutes * 60_000;

/** How long the queue may take to answer. The next batch must not wait for it. */
const timeoutMilliseconds = 10_000;

/**
 * Emulates EventBridge Scheduler with the target SendMessageBatch of SQS: it sends now and then every minute. Ticks that
 * could not be sent are reported and dropped, as their time slots pass.
 */
const startTickSchedule = ({ client, queueUrl, clock, onFailure }: TickScheduleOptions): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const stopped = stopping.signal;

  const send = async (): Promise<void> => {
    try {
      const { Failed: failed = [] } = await client.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...tickEntries] }),
        { abortSignal: AbortSignal.any([stopped, AbortSignal.timeout(timeoutMilliseconds)]) },
      );
      if (failed.length > 0) onFailure(failed.length, failed[0]?.Code ?? 'unknown');
    } catch (error) {
      if (!stopped.aborted) onFailure(tickEntries.length, error instanceof Error ? error.name : 'unknown');
    }
  };

  const running = repeat(send, everyMilliseconds, clock, stopped);

  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
};

/** Runs a task now and then at every interval, until the signal aborts. The task must not reject. */
export const repeat = async (
  task: () => Promise<void>,
  intervalMilliseconds: number,
  clock: Clock,
  stopped: AbortSignal,
): Promise<void> => {
  let nextAt = clock.now();
  while (!stopped.aborted) {
    await task();
    // After the machine slept, the missed times are not made up for.
    nextAt += intervalMilliseconds * Math.max(1, Math.ceil((clock.now() - nextAt) / intervalMilliseconds));
    await clock.sleep(nextAt - clock.now(), stopped);
  }
};
