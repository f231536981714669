import { describe, expect, it } from 'vitest';
import type { Queue } from '../../sandbox/queue/queue.ts';
import { type Disturbance, disturbedRun } from './support/disturbed-run.ts';
import { forThisFile } from './support/local-deployment.ts';
import { startRecordingsDeployment } from './support/recordings-deployment.ts';

const deployment = await forThisFile(startRecordingsDeployment());
const { connect, queues } = deployment;
const clock = () => new Date(deployment.now());

/** More than one receipt brings. */
const letters = Array.from({ length: 11 }, (_, index) => JSON.stringify({ account: 'demo', callId: String(index) }));

const empty = (queue: Queue) => {
  for (const { receipt = '' } of queue.receive(1_000)) queue.remove(receipt);
};

/** Every dead letter that somebody else cannot see now. */
const hidden = (): readonly string[] =>
  [queues.deadLetters, queues.recordingsDeadLetters].flatMap((queue) =>
    queue.messages().flatMap(({ visibleAt, body }) => (visibleAt > deployment.now() ? [body] : [])),
  );

const prepare = () => {
  deployment.advance(120_000);
  for (const queue of Object.values(queues)) empty(queue);
  for (const queue of [queues.deadLetters, queues.recordingsDeadLetters])
    for (const body of letters) queue.send(body, {}, 0);
};

const run = async (line: string, nth?: number, how?: Disturbance) => {
  prepare();
  return disturbedRun(line.split(' '), connect, { clock, ...(nth !== undefined && how && { nth, how }) });
};

describe.each([
  'dead-letters list parked',
  'dead-letters list parked --limit 10',
  'dead-letters redrive parked',
  'dead-letters redrive parked --limit 10',
  'dead-letters redrive parked --dry-run',
  'dead-letters redrive recordings',
  'dead-letters redrive recordings --dry-run',
  'status --since 3h',
  'verify --since 1h --no-report',
])('callfeed %s', (line) => {
  it('hides no dead letter longer than it runs, also where a call to AWS fails', async () => {
    const { calls } = await run(line);
    expect(hidden()).toEqual([]);
    for (const [nth, call] of calls.entries()) {
      const { done } = await run(line, nth, 'fails');

      // The letters of a receipt whose answer is lost, and one that cannot be made visible, come back after two minutes.
      expect([call, nth, hidden().length]).toEqual([call, nth, call === 'ChangeMessageVisibilityCommand' ? 1 : 0]);
      if (call !== 'ChangeMessageVisibilityCommand') expect([call, nth, done?.code]).toEqual([call, nth, 1]);
    }
  });
});
