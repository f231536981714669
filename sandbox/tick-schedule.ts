import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { scheduleMinutes, tickEntries } from '../functions/poll-agents/ticks.ts';
import type { Closers } from './closers.ts';
import type { ConsoleLog } from './console-log.ts';
import { localClient } from './local-aws.ts';
import type { Queues } from './queue/start-queues.ts';
import { type Clock, systemClock } from './simulator/settings.ts';

/** Where the ticks go, and who is told when they do not get there. */
export interface TickScheduleOptions {
  readonly client: Pick<SQSClient, 'send'>;
  readonly queueUrl: string;
  readonly clock: Clock;
  /** Told, by the name of the error, how many ticks could not be sent. */
  readonly onFailure: (ticks: number, reason: string) => void;
}

const everyMilliseconds = scheduleMinutes * 60_000;

/** How long the queue may take to answer; the next batch must not wait for it. */
const patienceMilliseconds = 10_000;

/**
 * Plays EventBridge Scheduler: its target is SQS's SendMessageBatch, at once and then every minute. What could not be
 * sent is told and forgotten, as its slots pass.
 */
const startTickSchedule = ({ client, queueUrl, clock, onFailure }: TickScheduleOptions): { stop(): Promise<void> } => {
  const stopping = new AbortController();
  const stopped = stopping.signal;

  const send = async (): Promise<void> => {
    try {
      const { Failed: failed = [] } = await client.send(
        new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [...tickEntries] }),
        { abortSignal: AbortSignal.any([stopped, AbortSignal.timeout(patienceMilliseconds)]) },
      );
      if (failed.length > 0) onFailure(failed.length, failed[0]?.Code ?? 'unknown');
    } catch (error) {
      if (!stopped.aborted) onFailure(tickEntries.length, error instanceof Error ? error.name : 'unknown');
    }
  };

  const run = async (): Promise<void> => {
    let nextAt = clock.now();
    while (!stopped.aborted) {
      await send();
      // A machine that slept does not make up for the minutes it missed.
      nextAt += everyMilliseconds * Math.max(1, Math.ceil((clock.now() - nextAt) / everyMilliseconds));
      await clock.sleep(nextAt - clock.now(), stopped);
    }
  };
  const running = run();

  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
};

/** Starts the schedule that has the agents polled: from now on, ticks come every 15 seconds. */
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
