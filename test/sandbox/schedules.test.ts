import { expect, it } from 'vitest';
import { createClosers } from '../../sandbox/closers.ts';
import { createQueue } from '../../sandbox/queue/queue.ts';
import { demoAccount } from '../../sandbox/sandbox-options.ts';
import { startReconciliationSchedule } from '../../sandbox/schedules.ts';

it('asks for two days of each account a minute after the start and then every two minutes, unless runs wait', async () => {
  const queue = createQueue({ name: 'q', visibilityMilliseconds: 60_000 });
  const closers = createClosers();
  let nowMs = Date.parse('2026-11-21T18:29:30.000Z');
  const sleeps: number[] = [];
  const sent: number[] = [];
  const done = Promise.withResolvers<void>();
  const sleep = async (milliseconds: number, signal?: AbortSignal) => {
    sleeps.push(milliseconds);
    sent.push(queue.messages().length);
    // After the second run its messages are taken.
    if (sleeps.length === 3) for (const { receipt = '' } of queue.receive(10)) queue.remove(receipt);
    if (sleeps.length === 4) {
      done.resolve();
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    }
    nowMs += milliseconds;
  };
  const accounts = [demoAccount, { ...demoAccount, userName: 'other', timeZone: 'UTC' }];
  startReconciliationSchedule(queue, () => accounts, closers, {
    now: () => nowMs,
    sleep,
  });
  await done.promise;
  const bodies = queue.messages().map(({ body }) => JSON.parse(body));
  await closers.closeAll();

  expect(sleeps).toEqual([60_000, 120_000, 120_000, 120_000]);
  expect(sent).toEqual([0, 2, 2, 2]);
  expect(bodies).toMatchObject([
    { kind: 'start', account: 'demo', days: ['2026-11-22', '2026-11-21'] },
    { kind: 'start', account: 'other', days: ['2026-11-21', '2026-11-20'] },
  ]);
  expect(bodies[0].run).not.toBe(bodies[1].run);
});
