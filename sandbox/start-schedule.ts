import { SQSClient } from '@aws-sdk/client-sqs';
import type { Closers } from './closers.ts';
import type { Telling } from './console/telling.ts';
import { localClient } from './local-client.ts';
import { startTickSchedule } from './schedule/tick-schedule.ts';
import { systemClock } from './simulator/clock.ts';
import type { Queues } from './start-queues.ts';

/** Starts the schedule that has the agents polled: from now on, ticks come every 15 seconds. */
export const startSchedule = (
  { url, ticksUrl }: Pick<Queues, 'url' | 'ticksUrl'>,
  telling: Telling,
  closers: Closers,
): void => {
  const client = new SQSClient({ ...localClient(url), maxAttempts: 1 });
  closers.add(() => client.destroy());

  const schedule = startTickSchedule({ client, queueUrl: ticksUrl, clock: systemClock, onFailure: telling.ticksLost });
  closers.add(schedule.stop);
};
