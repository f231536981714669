import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it } from 'vitest';
import { createQueue } from '../../../sandbox/queue/queue.ts';
import { type BatchOutcome, type InvokeWithMessages, startQueueReader } from '../../../sandbox/queue/queue-reader.ts';

let reader: ReturnType<typeof startQueueReader> | undefined;
afterEach(() => reader?.stop());

const read = (bodies: readonly string[], invoke: InvokeWithMessages) => {
  const deadLetters = createQueue({ name: 'dead', visibilityMilliseconds: 20 });
  const redrive = { maxReceiveCount: 3, to: deadLetters };
  const queue = createQueue({ name: 'parking', visibilityMilliseconds: 20, redrive });
  for (const body of bodies) queue.send(body, {}, 0);

  const outcomes: BatchOutcome[] = [];
  reader = startQueueReader(queue, invoke, (outcome) => outcomes.push(outcome));
  return { queue, deadLetters, outcomes };
};

describe('startQueueReader', () => {
  it('hands messages over as Lambda does, and deletes what succeeded', async () => {
    const events: SQSEvent[] = [];
    const { queue } = read(['a'], async (event) => events.push(event) && undefined);

    await expect.poll(() => queue.messages()).toEqual([]);
    expect(events[0]?.Records).toMatchObject([
      {
        body: 'a',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:local:000000000000:parking',
        messageAttributes: {},
      },
    ]);
  });

  it('wakes for a message that comes later', async () => {
    const seen: string[] = [];
    const { queue } = read([], async ({ Records }) => {
      seen.push(...Records.map(({ body }) => body));
    });
    queue.send('late', {}, 0);

    await expect.poll(() => seen).toEqual(['late']);
  });

  it('hands over at most ten at once', async () => {
    const sizes: number[] = [];
    const { queue } = read(Array.from({ length: 12 }, String), async ({ Records }) => {
      sizes.push(Records.length);
    });

    await expect.poll(() => queue.messages()).toEqual([]);
    expect(sizes).toEqual([10, 2]);
  });

  it('tries again only what the function reports as failed', async () => {
    const seen: string[] = [];
    const { queue, outcomes } = read(['good', 'bad'], async ({ Records }) => {
      seen.push(...Records.map(({ body }) => body));
      const failed =
        seen.filter((body) => body === 'bad').length < 2 ? Records.filter(({ body }) => body === 'bad') : [];
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });

    await expect.poll(() => queue.messages()).toEqual([]);
    expect(seen).toEqual(['good', 'bad', 'bad']);
    expect(outcomes).toEqual([
      { succeeded: 1, failed: 1 },
      { succeeded: 1, failed: 0 },
    ]);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['names an item that is not in the batch', async () => ({ batchItemFailures: [{ itemIdentifier: 'other' }] })],
  ])('moves a message to the dead letters when the function always %s', async (_what, invoke) => {
    const { queue, deadLetters, outcomes } = read(['a'], invoke);

    await expect.poll(() => deadLetters.messages().map(({ body }) => body)).toEqual(['a']);
    expect(queue.messages()).toEqual([]);
    expect(outcomes).toHaveLength(3);
  });
});
