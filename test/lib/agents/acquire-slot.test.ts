import { describe, expect, it } from 'vitest';
import { acquireSlot } from '../../../lib/agents/acquire-slot.ts';
import { readAgents } from '../../../lib/agents/read-agents.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { errorText, pollRun, reply, success } from '../../support/agent-polling.ts';

const slotMs = 15_000;
const floor = success(specificationLogins);
const manyAgents = (count: number, AgentState = 'READY') =>
  success(Array.from({ length: count }, (_, index) => ({ AgentId: `agent-${index}`, AgentState })));

describe('a slot', () => {
  it('is one run’s, however many try at once', async () => {
    const { instance } = pollRun({});
    const turns = await Promise.all(Array.from({ length: 8 }, () => acquireSlot(instance(), undefined)));

    expect(turns.filter(({ kind }) => kind === 'acquired')).toHaveLength(1);
  });

  it('is noted with its request before anything is asked', async () => {
    const { run, feed, service } = pollRun({});
    const { kind } = await acquireSlot(run, undefined);

    expect(kind).toBe('acquired');
    expect(service.requests).toEqual([]);
    expect(feed()).toMatchObject({
      version: 1,
      status: 'starting',
      poller: { inFlight: true, requests: [expect.any(Number)] },
    });
  });

  it('is not given twice, and the second try writes nothing', async () => {
    const { run, instance, table, poll, advance } = pollRun({ logins: [floor] });
    const remembered = await poll();
    advance(10_000);
    const before = table.changes().length;
    const { kind, known } = await acquireSlot(instance(), undefined);

    // The feed's row is enough to know it: the floor is not read.
    expect({ kind, known }).toEqual({ kind: 'skipped', known: undefined });
    expect(table.changes()).toHaveLength(before);
    expect(await acquireSlot(run, remembered)).toEqual({ kind: 'skipped', known: remembered });
  });

  it.each([
    ['is taken', 10_000, [['demo', { from: 'feed', to: 'feed' }]]],
    [
      'is free',
      slotMs,
      [
        ['demo', { from: 'feed', to: 'feed' }],
        ['demo', undefined],
      ],
    ],
  ])('costs a run that remembers nothing the floor only where it is free: it %s', async (_title, ms, reads) => {
    const { instance, table, poll, advance } = pollRun({ logins: [floor] });
    await poll();
    advance(ms);
    const asked: unknown[] = [];
    const rows: typeof table.query = async (pk, between) => {
      asked.push([pk, between]);
      return table.query(pk, between);
    };
    await acquireSlot({ ...instance(), table: { ...table, query: rows } }, undefined);

    expect(asked).toEqual(reads);
  });

  it('costs no reading of the floor to a run that remembers it', async () => {
    const operations: string[] = [];
    const { run, poll, advance } = pollRun({ logins: [floor], onCall: (operation) => void operations.push(operation) });
    const remembered = await poll();
    operations.length = 0;
    advance(slotMs);
    const { kind } = await acquireSlot(run, remembered);

    expect(kind).toBe('acquired');
    expect(operations).toEqual(['before write', 'after write']);
  });

  it('is given on the floor as it is, where others have changed what a run remembers', async () => {
    const { run, instance, poll, advance } = pollRun({ logins: [floor, success([])] });
    const remembered = await poll();
    advance(slotMs);
    await poll(instance());
    advance(slotMs);
    const { kind, known } = await acquireSlot(run, remembered);

    expect(kind).toBe('acquired');
    expect(known?.agents.size).toBe(0);
  });

  it.each([
    ['taken', 0],
    ['free', slotMs],
  ])(
    'is %s to a run whose memory is so old that nobody seems to have polled, and keeps no false floor',
    async (_title, ms) => {
      const { run, instance, poll, advance, rows, events } = pollRun({
        logins: [manyAgents(1), manyAgents(2), manyAgents(3), manyAgents(4), manyAgents(5)],
      });
      const remembered = await poll();
      for (let slot = 1; slot <= 4; slot++) {
        advance(slotMs);
        await poll(instance());
      }
      advance(ms);
      const { kind } = await acquireSlot(run, remembered);

      expect(kind).toBe(ms === 0 ? 'skipped' : 'acquired');
      expect(rows('floor').map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'live'));
      expect(events().filter(({ type }) => type === 'Agent Feed Interrupted')).toEqual([]);
    },
  );

  it('is left to another run that claims it in the meantime', async () => {
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

  it('is given though an agent’s row was written by something else, who then is written anew', async () => {
    const { poll, advance, table, telemetry, ids } = pollRun({ logins: [floor] });
    await poll();
    await table.put([{ pk: 'demo', sk: 'agent#asha', kind: 'agent', agentId: 'asha' }]);
    advance(slotMs);
    await poll();

    expect(ids()).toEqual(['asha', 'meera', 'ravi']);
    expect(new Set(telemetry.places())).toEqual(new Set(['row']));
  });
});

describe('a slot in which nothing may be asked', () => {
  it.each([
    ['the service wants to be left alone', errorText('Max limit exceeded'), 1],
    ['the service asks for time', reply('', 503, 600), 1],
  ])('is passed over: %s', async (_title, answer, asked) => {
    const { poll, advance, service, telemetry } = pollRun({ logins: [answer] });
    await poll();
    for (let slot = 0; slot < 3; slot++) {
      advance(slotMs);
      await poll();
    }

    expect(service.requests).toHaveLength(asked);
    expect(telemetry.counts).toMatchObject({ PollsSkipped: 3 });
  });

  it('is passed over where five requests of the last minute are noted', async () => {
    const setting = pollRun({ logins: [floor] });
    await setting.poll();
    await noteRequests(setting, Array(5).fill(Date.parse('2026-11-20T06:00:10.000Z')));
    setting.advance(slotMs);
    await setting.poll();

    expect(setting.service.requests).toHaveLength(1);
    expect(setting.telemetry.counts).toMatchObject({ PollsSkipped: 1 });
  });

  it('interrupts the feed once the picture is stale, and tells of it once', async () => {
    const { poll, advance, feed, ids, events, rows } = pollRun({ logins: [floor, errorText('Max limit exceeded')] });
    for (let slot = 0; slot < 5; slot++) {
      await poll();
      advance(slotMs);
    }

    expect(feed()).toMatchObject({ status: 'interrupted', statusSince: '2026-11-20T06:00:31.001Z' });
    expect(events().filter(({ type }) => type === 'Agent Feed Interrupted')).toMatchObject([
      { detail: { reason: 'rate-limited', asOf: '2026-11-20T06:00:01.000Z', occurredAt: '2026-11-20T06:00:31.001Z' } },
    ]);
    expect(rows('floor').at(-1)).toMatchObject({ status: 'interrupted', at: '2026-11-20T06:00:31.001Z' });
    expect(ids()).toHaveLength(3);
  });

  it('interrupts the feed for the limit, where our own keeping to it is what keeps it from asking', async () => {
    const setting = pollRun({ logins: [floor] });
    await setting.poll();
    await noteRequests(setting, Array(5).fill(Date.parse('2026-11-20T06:00:25.000Z')));
    setting.advance(2 * slotMs);
    await setting.poll();

    expect(setting.service.requests).toHaveLength(1);
    expect(setting.feed()).toMatchObject({
      status: 'interrupted',
      failingSince: '2026-11-20T06:00:31.000Z',
      lastProblem: { reason: 'rate-limited', at: '2026-11-20T06:00:31.000Z' },
    });
    expect(setting.events().at(-1)).toMatchObject({
      type: 'Agent Feed Interrupted',
      detail: { reason: 'rate-limited' },
    });
  });

  it('is asked in all the same by a run that has another key than the one that was refused', async () => {
    const { run, poll, advance, feed } = pollRun({ logins: [errorText('userName or apiKey is Invalid')] });
    await poll();
    advance(slotMs);
    expect((await acquireSlot(run, undefined)).kind).toBe('skipped');
    expect(feed()).toMatchObject({ poller: { backOff: { times: 1 } } });

    expect((await acquireSlot({ ...run, hasNewKey: true }, undefined)).kind).toBe('acquired');
    expect(feed()?.['poller']).not.toHaveProperty('backOff');
  });
});

/** Writes the feed's row as if these requests (milliseconds) had been sent, and no others. */
const noteRequests = async ({ feed, table }: ReturnType<typeof pollRun>, requests: readonly number[]) => {
  const { poller, version, ...row } = feed() as never as { poller: object; version: number; pk: string; sk: string };
  await table.write({ ...row, version: version + 1, poller: { ...poller, requests } });
};

describe('a slot whose place is not free yet', () => {
  /** A slot, 15 seconds after a poll, in which the limit has no room for so long. */
  const crowded = async (waitMs: number) => {
    const setting = pollRun({ logins: [floor] });
    await setting.poll();
    setting.advance(slotMs);
    const now = setting.now();
    await noteRequests(setting, [now + waitMs - 60_001, ...Array(4).fill(now - 1_000)]);
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      setting.advance(ms);
    };
    return { ...setting, run: { ...setting.run, pause }, pauses };
  };

  it.each([1, 2_500, 5_000])('is waited for, and a moment longer, since timers go off early: %d ms', async (waitMs) => {
    const { run, pauses, clock, feed, telemetry } = await crowded(waitMs);
    const { kind } = await acquireSlot(run, undefined);

    expect(kind).toBe('acquired');
    expect(pauses).toEqual([waitMs + 5]);
    expect(telemetry.counts).not.toHaveProperty('PollsSkipped');
    // The request is noted as of when it can be sent.
    expect(feed()).toMatchObject({ poller: { requests: Array(5).fill(expect.any(Number)) } });
    expect(Object(feed()?.['poller'])['requests'].at(-1)).toBe(clock().getTime() + 13_000);
  });

  it('is not waited for where it is free', async () => {
    const { run, pauses } = await crowded(0);

    expect((await acquireSlot(run, undefined)).kind).toBe('acquired');
    expect(pauses).toEqual([]);
  });

  it('is passed over at once where it would have to be waited for longer than five seconds', async () => {
    const { run, pauses, telemetry } = await crowded(5_001);

    expect((await acquireSlot(run, undefined)).kind).toBe('skipped');
    expect(pauses).toEqual([]);
    expect(telemetry.counts).toMatchObject({ PollsSkipped: 1 });
  });

  it.each([
    ['just in time', 5_000, 'acquired'],
    ['a millisecond too late', 4_999, 'skipped'],
  ])('is not waited for where the answer would come too late for the run: %s', async (_title, leftMs, outcome) => {
    const { run, now, pauses } = await crowded(1_000);
    const { kind } = await acquireSlot({ ...run, untilMs: now() + leftMs }, undefined);

    expect(kind).toBe(outcome);
    expect(pauses).toHaveLength(outcome === 'acquired' ? 1 : 0);
  });

  it('is left to another run that claims it while one waits', async () => {
    const setting = await crowded(2_500);
    const pause = async () => {
      setting.advance(2_505);
      expect((await acquireSlot(setting.instance(), undefined)).kind).toBe('acquired');
    };

    expect(await acquireSlot({ ...setting.run, pause }, undefined)).toEqual({ kind: 'conflict', known: undefined });
  });
});

describe('a slot before which nobody polled', () => {
  const feedEvents = ({ events }: ReturnType<typeof pollRun>) =>
    events().filter(({ type }) => type.startsWith('Agent Feed'));

  it('is told of nothing where one was lost at most', async () => {
    const setting = pollRun({ logins: [floor] });
    await setting.poll();
    setting.advance(3 * slotMs);
    await setting.poll();

    expect(feedEvents(setting)).toEqual([]);
    expect(setting.feed()).toMatchObject({ status: 'live', statusSince: '2026-11-20T06:00:01.000Z' });
  });

  it('tells of the gap and of its end, from when the picture became stale', async () => {
    const setting = pollRun({ logins: [floor] });
    await setting.poll();
    setting.advance(600_000);
    await setting.poll();

    const asOf = '2026-11-20T06:00:01.000Z';
    const interruptedAt = '2026-11-20T06:00:31.001Z';
    expect(feedEvents(setting).map(({ type, detail }) => [type, detail])).toMatchObject([
      ['Agent Feed Interrupted', { reason: 'not-polled', asOf, occurredAt: interruptedAt }],
      ['Agent Feed Restored', { interruptedAt, occurredAt: '2026-11-20T06:10:01.000Z', secondsInterrupted: 570 }],
    ]);
    expect(setting.rows('floor').map(({ at, status }) => [at, status])).toEqual([
      [asOf, 'live'],
      [interruptedAt, 'interrupted'],
      ['2026-11-20T06:10:01.000Z', 'live'],
    ]);
    expect(setting.telemetry.counts).not.toHaveProperty('PollsFailed');
  });

  it('tells of it before anything is asked, and once, though the polls that follow fail', async () => {
    const setting = pollRun({ logins: [floor, reply({})] });
    await setting.poll();
    setting.advance(600_000);
    expect((await acquireSlot(setting.run, undefined)).kind).toBe('acquired');
    expect(setting.service.requests).toHaveLength(1);
    expect(feedEvents(setting)).toHaveLength(1);

    setting.advance(slotMs);
    await setting.poll();
    expect(feedEvents(setting)).toMatchObject([{ detail: { reason: 'not-polled' } }]);
  });

  it('leaves the floor as the other one kept it, where another run tells of it in the meantime', async () => {
    let isOther = false;
    const setting = pollRun({
      logins: [floor],
      async onCall(operation) {
        if (operation !== 'before put' || isOther || setting.feed()?.['asOf'] === undefined) return;
        isOther = true;
        await setting.poll(setting.instance());
      },
    });
    await setting.poll();
    setting.advance(600_000);

    expect(await acquireSlot(setting.run, undefined)).toMatchObject({ kind: 'conflict' });
    expect(feedEvents(setting)).toHaveLength(2);
    expect(setting.rows('floor').map(({ at }) => at)).toEqual([
      '2026-11-20T06:00:01.000Z',
      '2026-11-20T06:00:31.001Z',
      '2026-11-20T06:10:01.000Z',
    ]);
  });
});

describe('a run that was cut', () => {
  /** Lets everything pass until the n-th call of an operation, and throws there and ever after, once. */
  const cutAt = (operation: string, nth: number) => {
    let left = nth;
    return { onCall: (called: string) => void (called === operation && --left === 0 && cut()) };
  };
  const cut = (): never => {
    throw new Error('aborted');
  };

  it('leaves its request noted: the limit holds without it', async () => {
    const { poll, feed, service, advance } = pollRun({ logins: [cut as never, floor] });
    await expect(poll()).rejects.toThrow('aborted');
    expect(feed()).toMatchObject({ poller: { inFlight: true } });

    advance(slotMs);
    await poll();
    expect(service.requests).toHaveLength(2);
    expect(feed()).toMatchObject({ status: 'live', poller: { inFlight: false } });
    expect(Object(feed()?.['poller'])['requests']).toHaveLength(2);
  });

  it('is a poll that failed, and is told to nobody if the next one is answered', async () => {
    const { poll, feed, advance, telemetry, events } = pollRun({ logins: [floor, cut as never, floor] });
    await poll();
    advance(slotMs);
    await expect(poll()).rejects.toThrow('aborted');
    advance(slotMs);
    await poll();

    expect(telemetry.counts).toMatchObject({ PollsFailed: 1, PollsSucceeded: 2 });
    expect(feed()).toMatchObject({
      status: 'live',
      statusSince: '2026-11-20T06:00:01.000Z',
      lastProblem: { reason: 'aborted', at: '2026-11-20T06:00:31.000Z' },
    });
    expect(feed()).not.toHaveProperty('failingSince');
    expect(events().filter(({ type }) => type !== 'Agent Logged In')).toEqual([]);
  });

  it('interrupts the feed with the one before, as two polls that failed do', async () => {
    const { poll, advance, telemetry, events } = pollRun({ logins: [floor, cut as never, cut as never, floor] });
    await poll();
    for (const _slot of [1, 2]) {
      advance(slotMs);
      await expect(poll()).rejects.toThrow('aborted');
    }
    advance(slotMs);
    await poll();

    expect(telemetry.counts).toMatchObject({ PollsFailed: 2 });
    expect(events().filter(({ type }) => type.startsWith('Agent Feed'))).toMatchObject([
      { type: 'Agent Feed Interrupted', detail: { reason: 'aborted', occurredAt: '2026-11-20T06:00:31.001Z' } },
      { type: 'Agent Feed Restored', detail: { secondsInterrupted: 15 } },
    ]);
  });

  it('leaves no floor behind that never counted', async () => {
    const { poll, advance, rows } = pollRun({ logins: [floor, success([])], ...cutAt('after put', 1) });
    await expect(poll()).rejects.toThrow('aborted');
    expect(rows('floor')).toHaveLength(1);

    advance(slotMs);
    await poll();
    expect(rows('floor').map(({ at, counts }) => [at, counts])).toEqual([['2026-11-20T06:00:16.000Z', {}]]);
  });

  it('leaves the floors that did count', async () => {
    const { poll, advance, rows } = pollRun({ logins: [floor, manyAgents(2), floor], ...cutAt('after put', 2) });
    await poll();
    advance(slotMs);
    await expect(poll()).rejects.toThrow('aborted');
    advance(slotMs);
    await poll();

    expect(rows('floor').map(({ at }) => at)).toEqual(['2026-11-20T06:00:01.000Z']);
  });

  it('is finished by the next one, to the same rows at the same instant, without keeping the floor again', async () => {
    const cutHalf = cutAt('before write', 4);
    const whole = pollRun({ logins: [manyAgents(300)] });
    await whole.poll();
    let puts = 0;
    const half = pollRun({
      logins: [manyAgents(300)],
      onCall(operation) {
        if (operation === 'before put') puts += 1;
        cutHalf.onCall(operation);
      },
    });
    await expect(half.poll()).rejects.toThrow('aborted');
    expect(half.rows('agent').length).toBeLessThan(300);
    half.advance(slotMs);
    await half.poll();

    const recordedAlike = ({ rows }: typeof whole) => rows('agent').map(({ recordedAt: _recorded, ...row }) => row);
    expect(recordedAlike(half)).toEqual(recordedAlike(whole));
    expect(half.rows('interval')).toEqual(whole.rows('interval'));
    expect(half.rows('floor')).toEqual(whole.rows('floor'));
    expect(puts).toBe(1);
    expect(half.events()).toHaveLength(300);
    expect(half.feed()).toMatchObject({ asOf: '2026-11-20T06:00:16.000Z', agentCount: 300 });
  });

  it('is finished even if the service may not be asked', async () => {
    const { poll, advance, feed, service } = pollRun({ logins: [manyAgents(300)], ...cutAt('before write', 4) });
    await expect(poll()).rejects.toThrow('aborted');
    for (let slot = 0; slot < 4; slot++) {
      advance(1_000);
      await poll();
    }
    expect(service.requests).toHaveLength(1);
    expect(feed()).toMatchObject({ status: 'starting' });

    advance(slotMs);
    await poll();
    expect(feed()).toMatchObject({ status: 'live', agentCount: 300 });
  });
});

describe('a floor of which not every agent was written', () => {
  /** A floor of 300 whose writing was cut in the middle. */
  const cutInTheMiddle = async () => {
    let writes = 0;
    const onCall = (operation: string) => {
      if (operation === 'before write' && ++writes === 4) throw new Error('aborted');
    };
    const setting = pollRun({ logins: [manyAgents(300), manyAgents(300, 'ACW')], onCall });
    await expect(setting.poll()).rejects.toThrow('aborted');
    return setting;
  };

  it('is given up where it has expired: the next answer is compared with the agents as they are', async () => {
    const { poll, advance, rows, table, feed, events } = await cutInTheMiddle();
    const before = rows('agent').length;
    await table.remove(rows('floor') as never);
    advance(8 * 86_400_000);
    await poll();

    expect(before).toBeGreaterThan(0);
    expect(feed()).toMatchObject({ agentCount: 300, counts: { acw: 300 }, status: 'live' });
    expect(feed()?.['poller']).not.toHaveProperty('pendingAt');
    const types = Map.groupBy(events(), ({ type }) => type);
    expect(types.get('Agent Logged In')).toHaveLength(300);
    expect(types.get('Agent State Changed')).toHaveLength(before);
  });

  it('is left to the next runs where one’s time is over', async () => {
    let writes = 0;
    const setting = pollRun({
      logins: [manyAgents(300)],
      onCall(operation) {
        // Every write takes longer than a run may go on writing.
        if (operation === 'after write' && ++writes > 1) setting.advance(9_001);
      },
    });
    await setting.poll();
    expect(setting.feed()).toMatchObject({ status: 'starting', poller: { pendingAt: '2026-11-20T06:00:01.000Z' } });
    for (let run = 0; run < 20 && setting.service.requests.length < 2; run++) {
      setting.advance(slotMs);
      await setting.poll();
    }

    expect(setting.telemetry.counts).toMatchObject({ AgentsChanged: 300 });
    // All of it is written more than 45 seconds after it was seen, which is an interruption of its own.
    expect(setting.events().map(({ type }) => type)).toEqual([
      ...Array(300).fill('Agent Logged In'),
      'Agent Feed Interrupted',
      'Agent Feed Restored',
    ]);
    expect(setting.rows('floor').map(({ at, status }) => [at, status])).toEqual([
      ['2026-11-20T06:00:01.000Z', 'live'],
      ['2026-11-20T06:00:31.001Z', 'interrupted'],
      [setting.feed()?.['asOf'], 'live'],
    ]);
    expect(setting.feed()).toMatchObject({ status: 'live', agentCount: 300 });
  });

  it('is no run that was cut any more once a run has worked that off, though it takes more to finish it', async () => {
    let writes = 0;
    const setting = pollRun({
      logins: [manyAgents(300)],
      onCall(operation) {
        if (operation === 'before write' && ++writes === 4) throw new Error('aborted');
        if (operation === 'after write' && writes > 4) setting.advance(9_001);
      },
    });
    await expect(setting.poll()).rejects.toThrow('aborted');
    setting.advance(slotMs);
    await setting.poll();

    const pendingAt = '2026-11-20T06:00:01.000Z';
    expect(setting.feed()).toMatchObject({ poller: { pendingAt, inFlight: false } });
  });

  it('is told of once, whatever the next answer shows', async () => {
    const { poll, advance, events, feed } = await cutInTheMiddle();
    advance(slotMs);
    await poll();

    expect(feed()).toMatchObject({ counts: { acw: 300 } });
    expect(events().map(({ type }) => type)).toEqual([
      ...Array(300).fill('Agent Logged In'),
      ...Array(300).fill('Agent State Changed'),
    ]);
  });
});

describe('a row of one who has left', () => {
  it('is removed by whoever has taken over, where that happened in between', async () => {
    let writes = 0;
    const setting = pollRun({
      logins: [floor, success([])],
      async onCall(operation) {
        // The claim and the change of the second poll are the third and the fourth write.
        if (operation !== 'before write' || ++writes !== 5) return;
        expect(setting.rows('agent').map(({ state }) => state)).toEqual(Array(3).fill('logged-out'));
        setting.advance(slotMs);
        await setting.poll(setting.instance());
      },
    });
    await setting.poll();
    setting.advance(slotMs);

    expect(await setting.poll()).toBeUndefined();
    expect(setting.ids()).toEqual([]);
    expect(setting.events()).toHaveLength(6);
    expect(setting.feed()).toMatchObject({ asOf: '2026-11-20T06:00:31.000Z', agentCount: 0 });
  });
});

describe('the rows of many who have left', () => {
  /** Three hundred who leave at once, and how often the table was written. */
  const leaving = (onWrite: (write: number) => void = () => undefined) => {
    let writes = 0;
    const setting = pollRun({
      logins: [manyAgents(300), success([])],
      onCall: (operation) => {
        if (operation === 'before write') onWrite(++writes);
      },
    });
    return { ...setting, writes: () => writes };
  };

  it('go in few writes, and are known no more: the next poll writes nothing but the feed’s row', async () => {
    const { poll, advance, writes, ids, table } = leaving();
    await poll();
    advance(slotMs);
    const before = writes();
    await poll();

    // The claim, seven of 49 agents with two rows each, and four of 98 rows that go.
    expect(writes() - before).toBe(1 + 7 + 4);
    expect(ids()).toEqual([]);

    const { length } = table.changes();
    advance(slotMs);
    await poll();
    const kinds = table.changes().map(({ after }) => after?.['kind']);
    expect(kinds.slice(length)).toEqual(['feed', 'feed']);
  });

  it('go with what a run that was cut has left to write', async () => {
    const { poll, advance, ids, events, rows } = leaving((write) => {
      if (write === 14) throw new Error('aborted');
    });
    await poll();
    advance(slotMs);
    await expect(poll()).rejects.toThrow('aborted');
    expect(rows('agent').filter(({ state }) => state === 'logged-out')).toHaveLength(196);

    advance(slotMs);
    await poll();
    expect(ids()).toEqual([]);
    expect(events().filter(({ type }) => type === 'Agent Logged Out')).toHaveLength(300);
  });

  it('stand until all is written that was seen with them', async () => {
    let slowFrom = Number.POSITIVE_INFINITY;
    const { poll, advance, rows, writes, feed } = leaving((write) => {
      if (write > slowFrom) advance(9_001);
    });
    await poll();
    advance(slotMs);
    const before = writes();
    slowFrom = before + 1;
    await poll();

    expect(writes() - before).toBe(2);
    expect(feed()).toMatchObject({ poller: { pendingAt: '2026-11-20T06:00:16.000Z' } });
    expect(rows('agent')).toHaveLength(300);
  });
});

describe('a run that overlaps with the next slot’s', () => {
  /** Two runs: at the n-th call of an operation of the first one the next slot begins, and the second one polls. */
  const overlapping = (operation: string, nth: number, logins: Parameters<typeof pollRun>[0]['logins']) => {
    let left = nth;
    const setting = pollRun({
      start: '2026-11-20T06:00:10.000Z',
      logins: logins ?? [],
      async onCall(called) {
        if (called !== operation || --left !== 0) return;
        // Soon enough for the first one to believe that it still has time.
        setting.advance(6_000);
        await setting.poll(setting.instance());
      },
    });
    return setting;
  };

  const floorsThatCount = async ({ run, table }: ReturnType<typeof pollRun>) => {
    const { feed } = await readAgents(run, 'demo');
    const floors = table.all().filter(({ kind }) => kind === 'floor');
    return { last: feed.poller.snapshotAt, kept: floors.map(({ at }) => at) };
  };

  it.each([
    ['after its floor was kept and before it counts', 'after put', 1],
    ['before its floor is kept', 'before put', 1],
    ['just after it has claimed its slot', 'after write', 1],
    ['just before it is known to count', 'after write', 2],
  ])('leaves the floor that counted last, and none that does not: %s', async (_title, operation, nth) => {
    const setting = overlapping(operation, nth, [floor, manyAgents(2)]);
    await setting.poll();
    const { last, kept } = await floorsThatCount(setting);

    expect(kept).toContain(last);
    expect(kept).toEqual([...new Set(kept)].sort());
    expect(setting.ids()).not.toEqual([]);
    for (const at of kept)
      expect(
        setting.table
          .all()
          .filter((row) => row['kind'] === 'interval')
          .some(({ from }) => from === at),
      ).toBe(true);
  });

  it('leaves a floor that counted, though the next one has finished it and gone on', async () => {
    const setting = overlapping('after write', 2, [manyAgents(300), manyAgents(299)]);
    await setting.poll();
    const { last, kept } = await floorsThatCount(setting);

    expect(kept).toEqual(['2026-11-20T06:00:10.000Z', '2026-11-20T06:00:16.000Z']);
    expect(last).toBe('2026-11-20T06:00:16.000Z');
    expect(setting.rows('agent')).toHaveLength(299);
    expect(setting.events()).toHaveLength(301);
  });
});
