import { tickLifeSeconds } from '../../functions/poll-agents/ticks.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import { maxForwardAttempts } from '../../lib/forward/forward-delivery.ts';
import type { Closers } from '../closers.ts';
import type { Monitors } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import { type FaultBoard, withFaults } from '../faults.ts';
import { serve } from '../http/serve.ts';
import { queueNames } from '../local-aws.ts';
import { messageJournal } from './message.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';
import { sqsEndpoint, sqsFaults } from './sqs-endpoint.ts';

/** The queues, and the address of their endpoint. */
export interface Queues {
  readonly url: string;
  readonly parking: Queue;
  readonly deadLetters: Queue;
  readonly ticks: Queue;
  readonly reconciliation: Queue;
  readonly forwarding: Queue;
  readonly forwardingDeadLetters: Queue;
  readonly recordings: Queue;
  readonly recordingsDeadLetters: Queue;
}

/** A failed message is retried after this time. In AWS it is six minutes; here users can watch the recovery. */
const visibilityMilliseconds = 2_000;

/** A failed step of reconciliation is retried after this time, when its run has certainly ended. */
const runMilliseconds = timeoutSeconds['reconcile-calls'] * 1_000;

/** As deployed, a message that never succeeds becomes a dead letter after a day. */
export const deployedDeadLetterSeconds = 24 * 60 * 60;

/** Starts the queues behind an SQS endpoint. */
export const startQueues = async (
  files: DataFiles,
  deadLetterSeconds: number,
  board: FaultBoard,
  { consoleLog, counters }: Monitors,
  closers: Closers,
): Promise<Queues> => {
  const deadLetters = persistentQueue({ name: queueNames.deadLetters, visibilityMilliseconds }, files.deadLetters);
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    consoleLog.deadLetter(deadLetters.messages().length);
  };
  const maxReceiveCount = Math.ceil((deadLetterSeconds * 1_000) / visibilityMilliseconds);
  const redrive = { maxReceiveCount, to: { accept } };
  const parking = persistentQueue({ name: queueNames.parking, visibilityMilliseconds, redrive }, files.parking);
  const ticks = tickQueue();
  // The table says that a run is under way; without its message nothing would go on with it.
  const reconciliation = persistentQueue(
    { name: queueNames.reconciliation, visibilityMilliseconds: runMilliseconds },
    files.reconciliation,
  );

  const forwardingDeadLetters = persistentQueue(
    { name: queueNames.forwardingDeadLetters, visibilityMilliseconds },
    files.forwardingDeadLetters,
  );
  const forwarding = persistentQueue(
    {
      name: queueNames.forwarding,
      visibilityMilliseconds,
      redrive: { maxReceiveCount: maxForwardAttempts, to: forwardingDeadLetters },
    },
    files.forwarding,
  );

  const recordingsDeadLetters = persistentQueue(
    { name: queueNames.recordingsDeadLetters, visibilityMilliseconds },
    files.recordingsDeadLetters,
  );
  const recordings = persistentQueue({ name: queueNames.recordings, visibilityMilliseconds }, files.recordings);

  const onSent = (queue: Queue, count: number): void => {
    if (queue === ticks) counters.add('ticks', count);
    if (queue === parking) counters.add('parked', count);
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

/**
 * Ticks are not stored between runs, as those of an earlier run are stale. A failed tick stays hidden until its poll has
 * certainly ended.
 */
const tickQueue = (): Queue =>
  createQueue({
    name: queueNames.ticks,
    visibilityMilliseconds: timeoutSeconds['poll-agents'] * 1_000,
    retentionMilliseconds: tickLifeSeconds * 1_000,
  });

/** A queue that also stores its messages in `file`, if one is given, so that they survive a restart. */
export const persistentQueue = (
  options: Omit<QueueOptions, 'messages' | 'onChange'>,
  file: string | undefined,
): Queue => {
  if (file === undefined) return createQueue(options);
  const { messages, append } = messageJournal(file);

  return createQueue({ ...options, messages, onChange: append });
};
