import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tickEntries } from '../../../functions/poll-agents/ticks.ts';
import { createFaultBoard } from '../../../sandbox/faults/fault-board.ts';
import { faulty } from '../../../sandbox/faults/faulty.ts';
import { createQueue, type Queue } from '../../../sandbox/queue/queue.ts';
import { sqsFaults } from '../../../sandbox/queue/sqs.ts';
import { queueUrl, sqsEndpoint } from '../../../sandbox/queue/sqs-endpoint.ts';
import { startTickSchedule } from '../../../sandbox/schedule/tick-schedule.ts';
import { serveForTest } from '../../support/sandbox-endpoint.ts';
import { noon } from '../simulator/support/calls.ts';
import { manualClock } from '../simulator/support/manual-clock.ts';

const board = createFaultBoard();
let served: Awaited<ReturnType<typeof serveForTest>>;
let queue: Queue;
let client: SQSClient;
let time: ReturnType<typeof manualClock>;
let failures: string[];
let schedule: ReturnType<typeof startTickSchedule>;

const queueOnClock = (): Queue =>
  createQueue({ name: 'ticks', visibilityMilliseconds: 13_000, retentionMilliseconds: 60_000, now: time.clock.now });

beforeEach(async () => {
  time = manualClock(noon);
  failures = [];
  queue = queueOnClock();
  const endpoint = sqsEndpoint([queue], () => served.url);
  served = await serveForTest(faulty(board, 'queue', sqsFaults, endpoint));
  client = new SQSClient(served.client);
});
afterEach(async () => {
  board.clear();
  await schedule.stop();
  client.destroy();
  await served.close();
});

const start = () => {
  schedule = startTickSchedule({
    client,
    queueUrl: queueUrl(served.url, 'ticks'),
    clock: time.clock,
    onFailure: (ticks, reason) => failures.push(`${ticks} ${reason}`),
  });
};

/** Waits until the schedule has done what it does in this minute. */
const settled = () => expect.poll(time.sleeping).toBe(1);

/** When the messages in the queue can be received, in seconds since noon. */
const visibleAt = () => queue.messages().map((message) => (message.visibleAt - noon) / 1000);

/** When the ticks of a batch can be received that was sent so many seconds after noon. */
const batchAt = (sent: number) => tickEntries.map(({ DelaySeconds }) => sent + DelaySeconds);

describe('startTickSchedule', () => {
  it('sends the ticks of a batch at once, each delayed to its slot', async () => {
    start();
    await settled();

    expect(visibleAt()).toEqual(batchAt(0));
    expect(new Set(queue.messages().map(({ body }) => body))).toEqual(new Set(['tick']));
  });

  it('sends another batch every minute; older messages than the queue keeps are dropped by then', async () => {
    start();
    await settled();
    for (const minute of [1, 2, 3]) {
      time.toNext();
      await settled();

      expect(visibleAt()).toEqual(batchAt(60 * minute));
    }
  });

  it('tells when the queue takes none, and goes on in the next minute', async () => {
    board.set('queue', { mode: 'error', rate: 1 });
    start();
    await settled();
    expect(failures).toEqual([`${tickEntries.length} InternalFailure`]);

    board.clear();
    time.toNext();
    await settled();
    expect(visibleAt()).toEqual(batchAt(60));
  });

  it('does not make up for minutes in which the machine slept', async () => {
    start();
    await settled();
    time.toNext(5 * 60_000 + 7_000);
    await settled();
    expect(visibleAt()).toEqual(batchAt(367));

    time.toNext();
    await settled();
    expect(visibleAt().slice(-tickEntries.length)).toEqual(batchAt(420));
  });

  it('sends to a queue from which a client receives by the delays', async () => {
    start();
    await settled();
    const receive = new ReceiveMessageCommand({ QueueUrl: queueUrl(served.url, 'ticks'), MaxNumberOfMessages: 10 });

    expect((await client.send(receive)).Messages).toHaveLength(1);
    expect((await client.send(receive)).Messages).toBeUndefined();
  });

  it('ends while the queue does not answer, and tells nothing', async () => {
    board.set('queue', { mode: 'timeout', rate: 1 });
    start();
    await schedule.stop();

    expect(failures).toEqual([]);
  });
});
