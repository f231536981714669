import type { SQSEvent } from 'aws-lambda';
import { failedItems } from '../functions-host/failed-items.ts';
import type { Message } from './message.ts';
import type { Queue } from './queue.ts';
import { sqsRecord } from './sqs-record.ts';

/** Calls a function with a batch; its answer, or its failure, decides what is deleted. */
export type InvokeWithMessages = (event: SQSEvent) => Promise<unknown>;

/** What became of a batch. */
export interface BatchOutcome {
  readonly succeeded: number;
  readonly failed: number;
}

const batchSize = 10;

const failuresOf = async (messages: readonly Message[], queue: Queue, invoke: InvokeWithMessages) => {
  const ids = messages.map(({ id }) => id);
  try {
    const answer = await invoke({ Records: messages.map((message) => sqsRecord(queue.name, message)) });
    return failedItems(answer, ids);
  } catch {
    return ids;
  }
};

/**
 * Plays Lambda's event source mapping for a queue: hands over what arrives, deletes what succeeded, and leaves the rest
 * to become visible again. It waits for messages instead of asking for them. `stop` lets a running batch finish.
 */
export const startQueueReader = (
  queue: Queue,
  invoke: InvokeWithMessages,
  onBatch: (outcome: BatchOutcome) => void,
): { stop(): Promise<void> } => {
  const stopping = new AbortController();

  const readOnce = async (): Promise<void> => {
    const messages = queue.receive(batchSize);
    if (messages.length === 0) return;

    const failed = await failuresOf(messages, queue, invoke);
    const succeeded = messages.filter(({ id }) => !failed.includes(id));
    for (const { receipt = '' } of succeeded) queue.remove(receipt);
    onBatch({ succeeded: succeeded.length, failed: messages.length - succeeded.length });
  };

  const read = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await readOnce();
      await queue.arrival(stopping.signal);
    }
  };
  const reading = read();

  return {
    stop() {
      stopping.abort();
      return reading;
    },
  };
};
