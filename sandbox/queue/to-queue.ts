import type { Answer } from '../http/serve.ts';
import type { Queue } from './queue.ts';
import { refuse } from './sqs.ts';

/** Finds a queue by its name. */
export type QueueOf = (name: string) => Queue | undefined;

/** Runs an operation on the queue at the end of a queue URL, or says that there is none. */
export const toQueue = (
  queueOf: QueueOf,
  url: string,
  run: (queue: Queue) => Answer | Promise<Answer>,
): Answer | Promise<Answer> => {
  const queue = queueOf(url.slice(url.lastIndexOf('/') + 1));

  return queue === undefined ? refuse('QueueDoesNotExist', 'The specified queue does not exist.') : run(queue);
};
