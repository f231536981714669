import { maxForwardAttempts } from '../../functions/forward-deliveries/forward-delivery.ts';
import { tickLifeSeconds } from '../../functions/poll-agents/ticks.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import type { Closers } from '../closers.ts';
import type { Monitors } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import { type FaultBoard, withFaults } from '../faults.ts';
import { serve } from '../http/serve.ts';
import { queueNames } from '../local-aws.ts';
import { messageJournal } from './message.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';
import { sqsEndpoint, sqsFaults } from './sqs-endpoint.ts';

export type Queues = Awaited<ReturnType<typeof startQueues>>;

/** A failed message is retried after this time. In AWS it is six minutes; here users can watch the recovery. */
const visibilityMilliseconds = 2_000;

/** As deployed, a message that never succeeds becomes a dead letter after a day. */
export const deployedDeadLetterSeconds = 24 * 60 * 60;

/** Starts the queues behind an SQS endpoint. Those with a file have their messages again after a restart. */
export const startQueues = async (
  files: DataFiles,
  deadLetterSeconds: number,
  board: FaultBoard,
  { consoleLog, counters }: Monitors,
  closers: Closers,
) => {
  const queue = (name: string, file: string | undefined, others: Partial<QueueOptions> = {}): Queue =>
    createQueue({
      ...{ name, visibilityMilliseconds, ...others },
      ...(file !== undefined && messageJournal(file)),
    });

  const deadLetters = queue(queueNames.deadLetters, files.deadLetters);
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    consoleLog.deadLetter(deadLetters.messages().length);
  };
  const maxReceiveCount = Math.ceil((deadLetterSeconds * 1_000) / visibilityMilliseconds);
  const parking = queue(queueNames.parking, files.parking, {
    redrive: { maxReceiveCount, to: { name: deadLetters.name, accept } },
  });
  // Ticks are not stored between runs, as those of an earlier run are stale. A failed tick stays hidden until its poll has
  // certainly ended.
  const ticks = queue(queueNames.ticks, undefined, {
    visibilityMilliseconds: timeoutSeconds['poll-agents'] * 1_000,
    retentionMilliseconds: tickLifeSeconds * 1_000,
  });
  // The table says that a run is under way; without its message nothing would go on with it. A failed step is retried when
  // its run has certainly ended.
  const reconciliation = queue(queueNames.reconciliation, files.reconciliation, {
    visibilityMilliseconds: timeoutSeconds['reconcile-calls'] * 1_000,
  });
  const forwardingDeadLetters = queue(queueNames.forwardingDeadLetters, files.forwardingDeadLetters);
  const forwarding = queue(queueNames.forwarding, files.forwarding, {
    redrive: { maxReceiveCount: maxForwardAttempts, to: forwardingDeadLetters },
  });
  const recordingsDeadLetters = queue(queueNames.recordingsDeadLetters, files.recordingsDeadLetters);
  const recordings = queue(queueNames.recordings, files.recordings);

  const onSent = (to: Queue, count: number): void => {
    if (to === ticks) counters.add('ticks', count);
    if (to === parking) counters.add('parked', count);
  };
  const queues = {
    ...{ parking, deadLetters, ticks, reconciliation, forwarding, forwardingDeadLetters },
    ...{ recordings, recordingsDeadLetters },
  };
  const endpoint = sqsEndpoint(Object.values(queues), onSent);
  const served = await serve(withFaults(board, 'queue', sqsFaults, endpoint));
  closers.add(served.close);

  return { url: served.url, ...queues };
};
