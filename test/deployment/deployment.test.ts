import { describe, expect, it } from 'vitest';
import { createFaultyProcess, hasTimedOut, inRun } from './functions.ts';
import { call, deployment, loggedIn, noAnswer, recorded, reportOf, revised } from './index.ts';

describe.each(['memory', 'local'] as const)('the service on %s', (on) => {
  it('stores a call once, parks its revision while the tables are down, and publishes both', async () => {
    const d = await deployment({ on });
    expect(await d.post(call({ monitorUCID: '42' }).answered())).toEqual(stored(1));
    expect(await d.post(call({ monitorUCID: '42' }).answered())).toEqual(stored(0, 1));

    const late = call({ monitorUCID: '42' }).withDisposition('Sale');
    expect(await d.fail('dynamodb').during(() => d.post(late))).toEqual({ ...stored(0), parked: 1 });
    expect(await d.row('42')).toMatchObject({ revision: 1 });
    expect(d.parked()).toMatchObject([{ kind: 'delivery', key: { callId: '42' } }]);
    await d.settled();

    expect(await d.row('42')).toMatchObject({ revision: 2, dispositions: ['Sale'] });
    expect(await d.events('42')).toEqual([recorded(1), revised(2, ['dispositions'])]);
    expect(d.metrics()).toMatchObject({ CallbackRecordsAccepted: 3, EventsPublished: 2 });
    await d.stop();
  });

  it('keeps what it cannot read in quarantine, without its key', async () => {
    const d = await deployment({ on });
    expect(await d.post({ Apikey: 'demo-key', event: 'ScreenPop' })).toMatchObject({ status: 200, quarantined: 1 });
    expect(await d.post(call().byKey('guessed'))).toMatchObject({ status: 401, stored: 0 });

    expect(await d.quarantine()).toMatchObject([
      { reason: 'not-a-call-summary', account: 'demo', receivedAt: d.startedAt },
    ]);
    expect(await d.rows('calls')).toEqual([]);
    await d.stop();
  });

  it('follows agents through a time-out, a restart and a log-out', async () => {
    const d = await deployment({ on });
    d.service.answers({
      logins: [loggedIn({ asha: 'READY', ravi: 'INCALL' }), noAnswer('timeout'), loggedIn({ asha: 'PAUSE' })],
    });
    await d.poll();
    expect(await d.floor()).toMatchObject({ freshness: 'live', agents: [{ agentId: 'asha' }, { agentId: 'ravi' }] });
    await d.poll();
    d.restart();
    await d.poll();
    await d.settled();

    expect(await d.agents()).toMatchObject({ asha: { state: 'pause' } });
    expect(await d.intervals('ravi')).toMatchObject([{ state: 'in-call' }]);
    expect(
      d
        .published()
        .map(({ type, detail }) => `${type} ${detail['agentId']}`)
        .toSorted(),
    ).toEqual(['Agent Logged In asha', 'Agent Logged In ravi', 'Agent Logged Out ravi', 'Agent State Changed asha']);
    await d.stop();
  });

  it('finds in the call report what no callback told, once', async () => {
    const d = await deployment({ on });
    const record = {
      CallID: '77',
      CallDate: '2026-11-19',
      StartTime: '10:00:00',
      EndTime: '10:05:00',
      Status: 'Answered',
    };
    d.service.answers({ report: [reportOf({ '2026-11-19': [record] })] });
    await d.reconcile();
    await d.reconcile();
    await d.settled();

    expect(await d.row('77')).toMatchObject({ source: 'report', status: 'answered', revision: 1 });
    expect(await d.events('77')).toEqual([recorded()]);
    await d.stop();
  });
});

const stored = (count: number, duplicates = 0) => ({ status: 200, stored: count, duplicates, quarantined: 0 });

/*
 * Rules of AWS that the driver itself holds functions to. Those of a service are tried where the service is doubled;
 * docs/reliability.md lists all of them.
 */

const startedAt = Date.parse('2026-11-20T06:00:00Z');

it('a run has all of its time-out, and is ended after that: nothing that it does later takes effect', async () => {
  let nowMs = startedAt;
  const clock = () => new Date(nowMs);
  const process = createFaultyProcess(
    () => 'pass',
    async () => undefined,
    clock,
    {},
  );
  const effects: number[] = [];
  const act = () =>
    process.call({ service: 'secrets', operation: 'GetSecretValue', body: () => '' }, async () =>
      effects.push(nowMs - startedAt),
    );

  await inRun('receive-callback', clock, async ({ getRemainingTimeInMillis }) => {
    nowMs += 15_000;
    expect([getRemainingTimeInMillis(), hasTimedOut(clock)]).toEqual([0, false]);
    await act();
    nowMs += 1;
    await expect(act()).rejects.toThrow();
  });

  expect([effects, process.hasCrashed()]).toEqual([[15_000], true]);
});

it('a function is frozen after its answer: a call that it did not wait for fails the test', async () => {
  const clock = () => new Date(startedAt);
  const process = createFaultyProcess(
    () => 'pass',
    async () => undefined,
    clock,
    {},
  );
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

it.each([
  ['a table that it may not read', 'GetItem', { TableName: 'calls' }, 'dynamodb:GetItem on Calls.Arn'],
  ['an index', 'Query', { TableName: 'calls', IndexName: 'byTime' }, 'dynamodb:Query on Calls.Arn/index/byTime'],
  [
    'a part of a transaction',
    'TransactWriteItems',
    { TransactItems: [{ Put: { TableName: 'calls' } }, { Update: { TableName: 'calls' } }] },
    'dynamodb:UpdateItem on Calls.Arn',
  ],
])(
  'a function has the permissions of its role: a call for %s fails the test',
  async (_what, operation, input, needed) => {
    const clock = () => new Date(startedAt);
    const process = createFaultyProcess(
      () => 'pass',
      async () => undefined,
      clock,
      { CALLS_TABLE: 'calls' },
    );
    const refused: Error[] = [];
    const asked = { service: 'dynamodb', operation, body: () => JSON.stringify(input) } as const;

    await inRun(
      'receive-callback',
      clock,
      () => process.call(asked, async () => 'answered').catch(() => 'nobody sees it'),
      (error) => refused.push(error),
    );

    expect(refused.map(({ message }) => message)).toEqual([`receive-callback has no permission for ${needed}`]);
  },
);

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
