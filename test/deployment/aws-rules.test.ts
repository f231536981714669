import { expect, it } from 'vitest';
import { createFaultyProcess, noFault } from './fault.ts';
import { call, deployment, loggedIn } from './index.ts';
import { hasTimedOut, inRun } from './run.ts';

/*
 * Rules of AWS that the driver itself holds functions to. Those of a service are tried where the service is doubled;
 * docs/reliability.md lists all of them.
 */

const startedAt = Date.parse('2026-11-20T06:00:00Z');

it('a run has all of its time-out, and is ended after that: nothing that it does later takes effect', async () => {
  let nowMs = startedAt;
  const clock = () => new Date(nowMs);
  const process = createFaultyProcess(noFault, async () => undefined, clock);
  const effects: number[] = [];
  const act = () =>
    process.call({ service: 's3', operation: 'PutObject', body: () => '' }, async () =>
      effects.push(nowMs - startedAt),
    );

  await inRun('poll-agents', clock, async ({ getRemainingTimeInMillis }) => {
    nowMs += 13_000;
    expect([getRemainingTimeInMillis(), hasTimedOut(clock)]).toEqual([0, false]);
    await act();
    nowMs += 1;
    await expect(act()).rejects.toThrow();
  });

  expect([effects, process.hasCrashed()]).toEqual([[13_000], true]);
});

it('a function is frozen after its answer: a call that it did not wait for fails the test', async () => {
  const clock = () => new Date(startedAt);
  const process = createFaultyProcess(noFault, async () => undefined, clock);
  const late: Error[] = [];
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  let forgotten: Promise<unknown> = Promise.resolve();

  await inRun(
    'publish-changes',
    clock,
    async () => {
      const work = async () => {
        await answered;
        await process.call({ service: 'sqs', operation: 'SendMessage', body: () => '' }, async () => 'sent');
      };
      forgotten = work().catch(() => 'nobody sees it');
    },
    (error) => late.push(error),
  );
  resolve();
  await forgotten;

  expect(late.map(({ message }) => message)).toEqual([expect.stringContaining('SendMessage after its answer')]);
});

it('a poll whose request takes longer than the run may is ended, and the next one takes over', async () => {
  const d = await deployment();
  await d.before('telephony', {}, () => d.advance(13_001)).during(() => d.poll());
  expect(await d.agents()).toEqual({});
  d.service.answers({ logins: [loggedIn({ asha: 'READY' })] });
  await d.poll();

  expect(await d.agents()).toMatchObject({ asha: { state: 'ready' } });
});

it('rows past their time to live are still read until something deletes them', async () => {
  const d = await deployment({ env: { CALL_RETENTION_DAYS: '1' } });
  await d.post(call({ monitorUCID: '42' }).answered());
  d.advance(5 * 86_400_000);
  await d.post(call({ monitorUCID: '42' }).withDisposition('Sale'));

  expect(await d.row('42')).toMatchObject({ revision: 2, dispositions: ['Sale'] });
});
