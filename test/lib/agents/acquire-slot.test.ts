import { describe, expect, it } from 'vitest';
import { acquireSlot } from '../../../lib/agents/acquire-slot.ts';
import { errorText, manyAgents, pollRun, reply, slotMs, success, threeAgents } from '../../support/agent-polling.ts';

describe('acquireSlot', () => {
  it('gives a slot to one run, however many try at once', async () => {
    const { instance } = pollRun({});
    const slots = await Promise.all(Array.from({ length: 8 }, () => acquireSlot(instance(), undefined)));

    expect(slots.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
  });

  it('writes the slot and its request before anything is sent', async () => {
    const { run, feed, service } = pollRun({});
    const { kind } = await acquireSlot(run, undefined);

    expect(kind).toBe('acquired');
    expect(service.requests).toEqual([]);
    expect(feed()).toMatchObject({
      version: 1,
      status: 'starting',
      poller: { inFlight: true, requests: [Date.parse('2026-11-20T06:00:14.000Z')] },
    });
  });

  it('skips a slot that is taken, and writes nothing', async () => {
    const { run, instance, table, poll, advance } = pollRun({ logins: [threeAgents] });
    const remembered = await poll();
    advance(10_000);
    const before = table.changes().length;

    expect(await acquireSlot(instance(), undefined)).toEqual({ kind: 'skipped', known: undefined });
    expect(await acquireSlot(run, remembered)).toEqual({ kind: 'skipped', known: remembered });
    expect(table.changes()).toHaveLength(before);
  });

  it('reads the feed’s row first, and all agents only where the slot is free', async () => {
    const { instance, table, poll, advance } = pollRun({ logins: [threeAgents] });
    await poll();
    const queries: unknown[] = [];
    const query: typeof table.query = async (pk, between) => {
      queries.push([pk, between]);
      return table.query(pk, between);
    };
    const acquire = () => acquireSlot({ ...instance(), table: { ...table, query } }, undefined);

    advance(10_000);
    await acquire();
    expect(queries.splice(0)).toEqual([['demo', { from: 'feed', to: 'feed' }]]);

    advance(5_000);
    await acquire();
    expect(queries).toEqual([
      ['demo', { from: 'feed', to: 'feed' }],
      ['demo', undefined],
    ]);
  });

  it('reads nothing for a run that remembers the agents', async () => {
    const operations: string[] = [];
    const { run, poll, advance } = pollRun({
      logins: [threeAgents],
      onCall: (operation) => void operations.push(operation),
    });
    const remembered = await poll();
    operations.length = 0;
    advance(slotMs);
    const { kind } = await acquireSlot(run, remembered);

    expect(kind).toBe('acquired');
    expect(operations).toEqual(['before write', 'after write']);
  });

  it('returns the agents as they are where another run has changed what a run remembers', async () => {
    const { run, instance, poll, advance } = pollRun({ logins: [threeAgents, success([])] });
    const remembered = await poll();
    advance(slotMs);
    await poll(instance());
    advance(slotMs);
    const { kind, known } = await acquireSlot(run, remembered);

    expect(kind).toBe('acquired');
    expect(known?.agents.size).toBe(0);
  });

  it.each([
    ['taken', 0, 'skipped'],
    ['free', slotMs, 'acquired'],
  ])(
    'saves no false snapshot for a memory so old that nobody seems to have polled: the slot is %s',
    async (_title, ms, kind) => {
      const { run, instance, poll, advance, snapshots, feedEvents } = pollRun({
        logins: [1, 2, 3, 4, 5].map((count) => manyAgents(count)),
      });
      const remembered = await poll();
      for (let slot = 1; slot <= 4; slot++) {
        advance(slotMs);
        await poll(instance());
      }
      advance(ms);

      expect((await acquireSlot(run, remembered)).kind).toBe(kind);
      expect(snapshots().map(({ status }) => status)).toEqual(Array(5).fill('live'));
      expect(feedEvents()).toEqual([]);
    },
  );

  it('reports a conflict where another run acquires the slot meanwhile', async () => {
    let isOther = false;
    const setting = pollRun({
      async onCall(operation) {
        if (operation !== 'before write' || isOther) return;
        isOther = true;
        expect((await acquireSlot(setting.instance(), undefined)).kind).toBe('acquired');
      },
    });

    expect(await acquireSlot(setting.run, undefined)).toEqual({ kind: 'conflict', known: undefined });
  });

  it('skips an agent’s row that something else wrote, and the poll writes that agent anew', async () => {
    const { poll, advance, table, telemetry, ids } = pollRun({ logins: [threeAgents] });
    await poll();
    await table.put([{ pk: 'demo', sk: 'agent#asha', kind: 'agent', agentId: 'asha' }]);
    advance(slotMs);
    await poll();

    expect(ids()).toEqual(['asha', 'meera', 'ravi']);
    expect(new Set(telemetry.places())).toEqual(new Set(['row']));
  });
});

describe('a slot in which nothing may be sent', () => {
  it.each([
    ['the service rejects the key', errorText('userName or apiKey is Invalid')],
    ['the service sends Retry-After', reply('', 503, 600)],
  ])('is skipped and counted: %s', async (_title, answer) => {
    const { poll, advance, service, telemetry } = pollRun({ logins: [answer] });
    await poll();
    for (let slot = 0; slot < 3; slot++) {
      advance(slotMs);
      await poll();
    }

    expect(service.requests).toHaveLength(1);
    expect(telemetry.counts).toMatchObject({ PollsSkipped: 3 });
  });

  it('is not the one after the first "Max limit exceeded", which interrupts nothing', async () => {
    const { poll, advance, service, telemetry, feed, feedEvents } = pollRun({
      logins: [threeAgents, errorText('Max limit exceeded'), threeAgents],
    });
    for (let slot = 0; slot < 3; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(service.requests).toHaveLength(3);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 2, PollsRateLimited: 1 });
    expect(telemetry.counts.PollsSkipped).toBe(0);
    expect(feed()).toMatchObject({ status: 'live', asOf: '2026-11-20T06:00:31.000Z' });
    expect(feedEvents()).toEqual([]);
  });

  it('interrupts the feed once, when the agents’ rows are stale', async () => {
    const { poll, advance, feed, ids, feedEvents, snapshots } = pollRun({
      logins: [threeAgents, errorText('Max limit exceeded')],
    });
    for (let slot = 0; slot < 5; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(feed()).toMatchObject({ status: 'interrupted', statusSince: '2026-11-20T06:00:31.001Z' });
    expect(feedEvents()).toMatchObject([
      { detail: { reason: 'rate-limited', asOf: '2026-11-20T06:00:01.000Z', occurredAt: '2026-11-20T06:00:31.001Z' } },
    ]);
    expect(snapshots().at(-1)).toMatchObject({ status: 'interrupted', at: '2026-11-20T06:00:31.001Z' });
    expect(ids()).toHaveLength(3);
  });

  it('interrupts the feed with the reason rate-limited where our own limit stops the poll', async () => {
    const setting = pollRun({ logins: [threeAgents] });
    await setting.poll();
    await writeRequests(setting, Array(5).fill(Date.parse('2026-11-20T06:00:25.000Z')));
    setting.advance(2 * slotMs);
    await setting.poll();

    expect(setting.service.requests).toHaveLength(1);
    expect(setting.telemetry.counts).toMatchObject({ PollsSkipped: 1 });
    expect(setting.feed()).toMatchObject({
      status: 'interrupted',
      failingSince: '2026-11-20T06:00:31.000Z',
      lastProblem: { reason: 'rate-limited', at: '2026-11-20T06:00:31.000Z' },
    });
    expect(setting.feedEvents()).toMatchObject([{ detail: { reason: 'rate-limited' } }]);
  });

  it('is acquired by a run with another key than the rejected one, which ends the back-off', async () => {
    const { run, poll, advance, feed } = pollRun({ logins: [errorText('userName or apiKey is Invalid')] });
    await poll();
    advance(slotMs);
    expect((await acquireSlot(run, undefined)).kind).toBe('skipped');
    expect(feed()).toMatchObject({ poller: { backOff: { times: 1 } } });

    expect((await acquireSlot({ ...run, hasNewKey: true }, undefined)).kind).toBe('acquired');
    expect(feed()?.['poller']).not.toHaveProperty('backOff');
  });
});

/** Writes the feed's row as if exactly these requests (milliseconds) had been sent. */
const writeRequests = async ({ feed, table }: ReturnType<typeof pollRun>, requests: readonly number[]) => {
  const { poller, version, ...row } = feed() as never as { poller: object; version: number; pk: string; sk: string };
  await table.write({ ...row, version: version + 1, poller: { ...poller, requests } });
};

describe('a slot in which the rate limit has no capacity yet', () => {
  /** The slot after a poll, in which capacity comes after so long. */
  const fullFor = async (waitMs: number) => {
    const setting = pollRun({ logins: [threeAgents] });
    await setting.poll();
    setting.advance(slotMs);
    const now = setting.now();
    await writeRequests(setting, [now + waitMs - 60_001, ...Array(4).fill(now - 1_000)]);
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      setting.advance(ms);
    };
    return { ...setting, run: { ...setting.run, pause }, pauses };
  };

  it.each([1, 5_000])('is acquired after a wait, and 5 ms more because timers fire early: %d ms', async (waitMs) => {
    const { run, pauses, clock, feed, telemetry } = await fullFor(waitMs);
    const { kind } = await acquireSlot(run, undefined);

    expect(kind).toBe('acquired');
    expect(pauses).toEqual([waitMs + 5]);
    expect(telemetry.counts).not.toHaveProperty('PollsSkipped');
    const { requests } = Object(feed()?.['poller']);
    expect(requests).toHaveLength(5);
    expect(requests.at(-1)).toBe(clock().getTime() + 13_000);
  });

  it('is skipped at once where the wait would exceed five seconds', async () => {
    const { run, pauses, telemetry } = await fullFor(5_001);

    expect((await acquireSlot(run, undefined)).kind).toBe('skipped');
    expect(pauses).toEqual([]);
    expect(telemetry.counts).toMatchObject({ PollsSkipped: 1 });
  });

  it.each([
    ['just in time', 5_000, 'acquired'],
    ['a millisecond too late', 4_999, 'skipped'],
  ])('is acquired only if the answer can come before the run ends: %s', async (_title, leftMs, outcome) => {
    const { run, now, pauses } = await fullFor(1_000);
    const { kind } = await acquireSlot({ ...run, untilMs: now() + leftMs }, undefined);

    expect(kind).toBe(outcome);
    expect(pauses).toHaveLength(outcome === 'acquired' ? 1 : 0);
  });

  it('yields a conflict where another run acquires it during the wait', async () => {
    const setting = await fullFor(2_500);
    const pause = async () => {
      setting.advance(2_505);
      expect((await acquireSlot(setting.instance(), undefined)).kind).toBe('acquired');
    };

    expect(await acquireSlot({ ...setting.run, pause }, undefined)).toEqual({ kind: 'conflict', known: undefined });
  });
});

describe('a slot after a time without polls', () => {
  it('records the gap before anything is sent, and its end with the next answer', async () => {
    const { run, poll, advance, service, feedEvents, snapshots, telemetry } = pollRun({
      logins: [threeAgents, reply({}), threeAgents],
    });
    await poll();
    advance(600_000);
    expect((await acquireSlot(run, undefined)).kind).toBe('acquired');
    expect(service.requests).toHaveLength(1);
    const asOf = '2026-11-20T06:00:01.000Z';
    const interruptedAt = '2026-11-20T06:00:31.001Z';
    expect(feedEvents()).toMatchObject([{ detail: { reason: 'not-polled', asOf, occurredAt: interruptedAt } }]);
    expect(telemetry.counts).not.toHaveProperty('PollsFailed');

    for (let slot = 0; slot < 2; slot++) {
      advance(slotMs);
      await poll();
    }
    expect(feedEvents().slice(1)).toMatchObject([
      { type: 'Agent Feed Restored', detail: { interruptedAt, secondsInterrupted: 600 } },
    ]);
    expect(snapshots().map(({ at, status }) => [at, status])).toEqual([
      [asOf, 'live'],
      [interruptedAt, 'interrupted'],
      ['2026-11-20T06:10:31.000Z', 'live'],
    ]);
  });

  it('leaves the snapshots as they are where another run records the gap meanwhile', async () => {
    let isOther = false;
    const setting = pollRun({
      logins: [threeAgents],
      async onCall(operation) {
        if (operation !== 'before put' || isOther || setting.feed()?.['asOf'] === undefined) return;
        isOther = true;
        await setting.poll(setting.instance());
      },
    });
    await setting.poll();
    setting.advance(600_000);

    expect(await acquireSlot(setting.run, undefined)).toMatchObject({ kind: 'conflict' });
    expect(setting.feedEvents()).toHaveLength(2);
    expect(setting.snapshots().map(({ at }) => at)).toEqual([
      '2026-11-20T06:00:01.000Z',
      '2026-11-20T06:00:31.001Z',
      '2026-11-20T06:10:01.000Z',
    ]);
  });
});
