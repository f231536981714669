import { tickLifeSeconds } from '../../functions/poll-agents/ticks.ts';
import { timeoutSeconds } from '../../functions/timeouts.ts';
import type { Closers } from '../closers.ts';
import type { ConsoleLog } from '../console-log.ts';
import type { Counters } from '../counters.ts';
import type { DataFiles } from '../data-files.ts';
import { type FaultBoard, withFaults } from '../faults.ts';
import { serve } from '../http/serve.ts';
import { queueNames } from '../local-aws.ts';
import { messageJournal } from './message.ts';
import { createQueue, type Queue, type QueueOptions } from './queue.ts';
import { sqsFaults } from './sqs.ts';
import { queueUrl, sqsEndpoint } from './sqs-endpoint.ts';

/** A queue whose messages are kept in `file` as well, where one is given, so that they are there after a restart. */
export const persistentQueue = (
  options: Omit<QueueOptions, 'messages' | 'onChange'>,
  file: string | undefined,
): Queue => {
  if (file === undefined) return createQueue(options);
  const { messages, append } = messageJournal(file);

  return createQueue({ ...options, messages, onChange: append });
};

/** The queues and where they are served. */
export interface Queues {
  readonly url: string;
  readonly parkingUrl: string;
  readonly parking: Queue;
  readonly deadLetters: Queue;
  readonly ticksUrl: string;
  readonly ticks: Queue;
}

/** A failed message is tried again this soon, so that recovery can be watched; deployed, it takes longer. */
const visibilityMilliseconds = 2_000;

/** Two minutes at least, after which a message that never succeeds is a dead letter. */
const maxReceiveCount = 60;

/** Of the ticks nothing is kept between runs, as those of an earlier run are stale. A failed one waits for its poll to be over. */
const tickQueue = (): Queue =>
  createQueue({
    name: queueNames.ticks,
    visibilityMilliseconds: timeoutSeconds['poll-agents'] * 1_000,
    retentionMilliseconds: tickLifeSeconds * 1_000,
  });

/** Starts the parking queue, with its dead letters, and the tick queue behind an SQS endpoint. */
export const startQueues = async (
  files: DataFiles,
  board: FaultBoard,
  { consoleLog, counters }: { readonly consoleLog: ConsoleLog; readonly counters: Counters },
  closers: Closers,
): Promise<Queues> => {
  const deadLetters = persistentQueue({ name: queueNames.deadLetters, visibilityMilliseconds }, files.deadLetters);
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    counters.add('deadLetters', 1);
    consoleLog.deadLetter();
  };
  const redrive = { maxReceiveCount, to: { accept } };
  const parking = persistentQueue({ name: queueNames.parking, visibilityMilliseconds, redrive }, files.parking);
  const ticks = tickQueue();

  const onSent = (queue: Queue, count: number): void => {
    if (queue === ticks) counters.add('ticks', count);
    if (queue !== parking) return;
    counters.add('parked', count);
    consoleLog.parked(count);
  };
  const endpoint = sqsEndpoint([parking, deadLetters, ticks], () => served.url, onSent);
  const served = await serve(withFaults(board, 'queue', sqsFaults, endpoint));
  closers.add(served.close);

  const urlOf = ({ name }: Queue): string => queueUrl(served.url, name);
  return { url: served.url, parkingUrl: urlOf(parking), parking, deadLetters, ticksUrl: urlOf(ticks), ticks };
};
