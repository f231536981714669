import type { Closers } from './closers.ts';
import type { Telling } from './console/telling.ts';
import type { DataFiles } from './disk/data-files.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import { faulty } from './faults/faulty.ts';
import { serve } from './http/serve.ts';
import { keptQueue } from './queue/kept-queue.ts';
import type { Queue } from './queue/queue.ts';
import { sqsFaults } from './queue/sqs.ts';
import { queueUrl, sqsEndpoint } from './queue/sqs-endpoint.ts';
import type { Tally } from './tally.ts';

/** The queues and where they are served. */
export interface Queues {
  readonly url: string;
  readonly parkingUrl: string;
  readonly parking: Queue;
  readonly deadLetters: Queue;
}

/** A failed message is tried again this soon, so that recovery can be watched; deployed, it takes longer. */
const visibilityMilliseconds = 2_000;

/** Two minutes at least, after which a message that never succeeds is a dead letter. */
const maxReceiveCount = 60;

/** Starts the parking queue, with its dead letters, behind an SQS endpoint. */
export const startQueues = async (
  files: DataFiles,
  board: FaultBoard,
  { telling, tally }: { readonly telling: Telling; readonly tally: Tally },
  closers: Closers,
): Promise<Queues> => {
  const deadLetters = keptQueue({ name: 'callfeed-parking-dead-letters', visibilityMilliseconds }, files.deadLetters);
  const accept: Queue['accept'] = (message) => {
    deadLetters.accept(message);
    tally.add('deadLetters', 1);
    telling.deadLetter();
  };
  const redrive = { maxReceiveCount, to: { accept } };
  const parking = keptQueue({ name: 'callfeed-parking', visibilityMilliseconds, redrive }, files.parking);

  const onSent = (queue: Queue, count: number): void => {
    if (queue !== parking) return;
    tally.add('parked', count);
    telling.parked(count);
  };
  const endpoint = sqsEndpoint([parking, deadLetters], () => served.url, onSent);
  const served = await serve(faulty(board, 'queue', sqsFaults, endpoint));
  closers.add(served.close);

  return { url: served.url, parkingUrl: queueUrl(served.url, parking.name), parking, deadLetters };
};
