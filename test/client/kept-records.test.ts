import { describe, expect, it } from 'vitest';
import { clientWithCache } from '../../client/client.ts';
import { createCallfeedClient, type ListedCall, type Read } from '../../client/index.ts';
import type { ListRange } from '../../client/kept-list.ts';
import { keptRecords } from '../../client/kept-records.ts';
import { call, deployment, loggedIn } from '../deployment/index.ts';

const startMs = Date.parse('2026-11-20T00:00:00.000Z');
const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-20T23:59:59.999Z', most: Number.POSITIVE_INFINITY };
const minuteMs = 60_000;
const instant = (ms: number): string => new Date(ms).toISOString();

/** A list of calls by time, and those that were recorded late, as the table has them at a time that the test sets. */
const listOfCalls = () => {
  const calls = new Map<string, ListedCall>();
  const late: { readonly recordedAt: string; readonly callId: string }[] = [];
  const time = { ms: startMs, read: 0 };
  const add = (callId: string, startedMs: number, revision = 1) => {
    if (time.ms - startedMs > 60 * minuteMs && revision === 1) late.push({ recordedAt: instant(time.ms), callId });
    calls.set(callId, { account: 'demo', timeZone: 'UTC', callId, revision, listedAt: instant(startedMs) });
  };
  const newestFirst = () =>
    [...calls.values()].sort((a, b) => b.listedAt.localeCompare(a.listedAt) || b.callId.localeCompare(a.callId));
  const inRange = async ({ from = '', to = '~' }) => {
    const found = newestFirst().filter(({ listedAt }) => listedAt >= from && listedAt <= to);
    time.read += found.length;
    return found;
  };
  const recordedLate = async (from: string) =>
    late.filter(({ recordedAt }) => recordedAt >= from).flatMap(({ callId }) => calls.get(callId) ?? []);
  const kept = keptRecords(() => new Date(time.ms));
  return { time, add, newestFirst, read: (asked: ListRange = range) => kept.list(asked, { inRange, recordedLate }) };
};

describe('a kept list of calls', () => {
  it('has each call that is recorded in time or late, and each revision of the last hour, by few entries a minute', async () => {
    const { time, add, newestFirst, read } = listOfCalls();
    for (let index = 0; index < 6_000; index++) add(`c${index}`, startMs + index * 3_000);
    time.ms = startMs + 5 * 60 * minuteMs + 10 * minuteMs;
    expect(await read()).toEqual(newestFirst());
    const whole = time.read;

    for (let minute = 1; minute <= 60; minute++) {
      time.ms += minuteMs;
      add(`in-time-${minute}`, time.ms - ((minute * 17) % 60) * minuteMs - 1);
      add(`late-${minute}`, time.ms - (61 + ((minute * 29) % 180)) * minuteMs + 1);
      add(`in-time-${minute}`, time.ms - ((minute * 17) % 60) * minuteMs - 1, 2);
      expect(await read()).toEqual(newestFirst());
    }
    expect(time.read).toBeLessThan(whole + 60 * (whole / 5) + 5 * whole);
  });

  it('has a revision of an earlier call after a quarter of an hour, and of a small account at once', async () => {
    for (const [count, waits] of [
      [20_000, [false, false, true]],
      [50, [true, true, true]],
    ] as const) {
      const { time, add, read } = listOfCalls();
      for (let index = 0; index < count; index++) add(`c${index}`, startMs + index * 500);
      time.ms = startMs + 6 * 60 * minuteMs;
      await read();
      add('c7', startMs + 7 * 500, 2);
      const isFoundAfter = async (ms: number) => {
        time.ms += ms;
        const found = await read();
        return Array.isArray(found) && found.find(({ callId }) => callId === 'c7')?.revision === 2;
      };
      expect([
        await isFoundAfter(7 * minuteMs),
        await isFoundAfter(7.9 * minuteMs),
        await isFoundAfter(0.2 * minuteMs),
      ]).toEqual(waits);
    }
  });

  it('serves a part of a range, is read once for those who ask together, and says of how many calls there are too many', async () => {
    const { time, add, newestFirst, read } = listOfCalls();
    for (let index = 0; index < 100; index++) add(`c${index}`, startMs + index * minuteMs);
    time.ms = startMs + 100 * minuteMs;
    await read();
    time.ms += minuteMs;
    await Promise.all([read(), read(), read({ ...range, from: instant(startMs + 50 * minuteMs) })]);

    expect(time.read).toBe(200);
    expect(await read({ ...range, from: instant(startMs + 90 * minuteMs) })).toEqual(newestFirst().slice(0, 10));
    expect(await read({ ...range, most: 40 })).toEqual({ moreThan: 40, since: instant(startMs + 60 * minuteMs) });
    // Of two that are read at the same time, the larger one is kept.
    const larger = { ...range, from: '2026-11-19T20:00:00.000Z' };
    const other = listOfCalls();
    await Promise.all([other.read(larger), other.read()]);
    other.add('c0', startMs);
    other.time.ms += minuteMs;
    await Promise.all([other.read(larger), other.read()]);
    expect(other.time.read).toBe(1);
    // A range of more than three days is not kept.
    await read({ ...range, from: '2026-11-01T00:00:00.000Z' });
    await read({ ...range, from: '2026-11-01T00:00:00.000Z' });
    expect(time.read).toBe(400);
  });

  const dayAfter = (days: number) => ({
    ...range,
    from: instant(startMs + days * 24 * 60 * minuteMs),
    to: instant(startMs + (days + 1) * 24 * 60 * minuteMs - 1),
  });

  it.each([
    ['ends later', { ...range, to: dayAfter(1).to }],
    ['begins earlier', { ...range, from: dayAfter(-1).from }],
  ])('reads a range anew that %s than one that it has', async (_title, larger) => {
    const { time, add, newestFirst, read } = listOfCalls();
    for (const days of [-1, 0, 1]) add(`day ${days}`, startMs + (days * 24 + 1) * 60 * minuteMs);
    time.ms = startMs + 48 * 60 * minuteMs;
    await read();

    expect(await read(larger)).toEqual(
      newestFirst().filter(({ listedAt }) => listedAt >= larger.from && listedAt <= larger.to),
    );
    expect(time.read).toBe(3);
  });

  it('keeps the four ranges that were asked for last', async () => {
    const { time, add, read } = listOfCalls();
    for (const days of [0, 1, 2, 3, 4]) add(`day ${days}`, startMs + (days * 24 + 1) * 60 * minuteMs);
    time.ms = startMs + 120 * 60 * minuteMs;
    for (const days of [0, 1, 2, 3, 0, 4]) await read(dayAfter(days));
    expect(time.read).toBe(5);

    const isReadAgain = async (days: number) => {
      const before = time.read;
      await read(dayAfter(days));
      return time.read > before;
    };
    const kept = [await isReadAgain(0), await isReadAgain(2), await isReadAgain(3), await isReadAgain(4)];
    expect(kept).toEqual([false, false, false, false]);
    expect(await isReadAgain(1)).toBe(true);
  });

  it('keeps none of the ranges that a larger one has in it, so that three others have their place', async () => {
    const { time, add, read } = listOfCalls();
    for (const days of [1, 9, 20, 21]) add(`day ${days}`, startMs + (days * 24 + 1) * 60 * minuteMs);
    time.ms = startMs + 600 * 60 * minuteMs;
    const larger = { ...range, from: dayAfter(0).from, to: dayAfter(2).to };
    for (const asked of [dayAfter(9), dayAfter(1), larger, dayAfter(20), dayAfter(21)]) await read(asked);
    expect(time.read).toBe(5);

    for (const asked of [dayAfter(9), dayAfter(1)]) await read(asked);
    expect(time.read).toBe(5);
  });

  it.each<[string, { readonly from?: string; readonly to?: string }, boolean]>([
    ['three days', { from: dayAfter(0).from, to: dayAfter(3).from }, true],
    ['three days and a second', { from: dayAfter(0).from, to: instant(startMs + 72 * 60 * minuteMs + 1_000) }, false],
    ['what has no end', { from: dayAfter(0).from }, false],
    ['what has no beginning', { to: dayAfter(0).from }, false],
  ])('reads %s once or each time', async (_length, asked, isKept) => {
    const { time, add, read } = listOfCalls();
    add('c', startMs);
    for (const _ of [1, 2]) await read({ from: undefined, to: undefined, ...asked, most: range.most });

    expect(time.read).toBe(isKept ? 1 : 2);
  });

  it('reads the same again after it failed', async () => {
    const kept = keptRecords(() => new Date(startMs + 3 * minuteMs));
    const inRange = async () => [];
    await expect(
      kept.list(range, { inRange: () => Promise.reject(new Error('down')), recordedLate: inRange }),
    ).rejects.toThrow('down');
    expect(await kept.list(range, { inRange, recordedLate: inRange })).toEqual([]);
  });
});

it('figures, missed calls and agents’ time of a reader that keeps records are those of one that keeps none', async () => {
  const states = ['READY', 'INCALL', 'PAUSE'] as const;
  const d = await deployment({ startedAt: '2026-11-20T06:00:01.000Z' });
  const reads: Read[] = [];
  const settings = { dynamodb: d.dynamodb, tables: d.tables, account: 'demo', clock: () => new Date(d.now()) };
  const fresh = createCallfeedClient(settings);
  const keeping = clientWithCache(
    { ...settings, onRead: (read) => reads.push(read) },
    keptRecords(() => new Date(d.now())),
  );
  const localTime = (ms: number) =>
    instant(ms + 330 * minuteMs)
      .replace('T', ' ')
      .slice(0, 19);
  const day = { from: '2026-11-20', to: '2026-11-20' };
  const waitBy = async (client: typeof fresh, callId: string) => {
    const { call } = (await client.call(callId)) ?? {};
    return await client.callWait(call ?? expect.fail(`There is no call ${callId}`));
  };
  const readBy = async (client: typeof fresh, callId: string) => [
    await waitBy(client, callId),
    await client.period(day, 'Asia/Kolkata'),
    await client.period(day, 'Asia/Kolkata', { maxCalls: 3 }),
    await client.missedCalls({ day: day.from, timeZone: 'Asia/Kolkata' }),
  ];

  let former = {};
  for (let minute = 0; minute < 24; minute++) {
    d.service.answers({
      logins: [
        loggedIn({
          asha: states[minute % 3] ?? 'READY',
          ...(minute % 8 < 5 && { ravi: states[Math.floor(minute / 2) % 3] ?? 'READY' }),
        }),
      ],
    });
    await d.poll();
    const nowMs = Date.parse(d.now());
    const fields = {
      monitorUCID: `${1_000 + minute}`,
      CallerID: `0900000000${minute % 4}`,
      AgentID: 'asha',
      StartTime: localTime(nowMs - (1 + (minute % 5) * 20) * minuteMs),
      EndTime: localTime(nowMs),
      Type: minute % 3 === 2 ? 'Manual' : 'Inbound',
      ...(minute % 6 === 5 && { CustomerStatus: 'not_answered' }),
    };
    await d.post(minute % 3 === 0 ? call(fields).missed() : call(fields).answered());
    if (minute % 4 === 3) await d.post(call({ ...fields, Status: 'Answered', Disposition: 'Sale' }));
    // One that was read before has got another talk time.
    if (minute % 4 === 1) await d.post(call({ ...former, Disposition: 'Refund', Duration: '00:07:00' }).answered());
    former = fields;
    d.advance(minuteMs);
    expect(await readBy(keeping, fields.monitorUCID)).toEqual(await readBy(fresh, fields.monitorUCID));
  }
  const readsOf = (table: Read['table'], operation: Read['operation']) =>
    reads.filter((read) => read.table === table && read.operation === operation);
  const rowsIn = (some: readonly Read[]) => some.reduce((sum, { rows }) => sum + rows, 0);
  // Each revision that was there once, and of outgoing calls also who took part.
  expect(rowsIn(readsOf('calls', 'BatchGetItem'))).toBeLessThanOrEqual(24 + 6 + 8);
  // The hours that are over once, and each time who is there now and the last interval of each of two agents.
  expect(readsOf('agents', 'Query').length).toBeLessThanOrEqual(12 + 24 * 5);
  expect(rowsIn(readsOf('agents', 'Query'))).toBeLessThanOrEqual(24 * 8);
  await d.settled();
});

it('calls that were recorded late are read by when that was', async () => {
  const d = await deployment({ startedAt: '2026-11-20T06:00:01.000Z' });
  const clock = () => new Date(d.now());
  const startedAt = (StartTime: string, monitorUCID: string) => call({ monitorUCID, StartTime }).answered();
  await d.post(startedAt('2026-11-20 11:20:00', '1001'));
  await d.post(startedAt('2026-11-20 09:00:00', '1002'));
  const settings = { dynamodb: d.dynamodb, tables: d.tables, account: 'demo', clock };
  const lateOnly: ReturnType<typeof keptRecords> = {
    ...keptRecords(clock),
    list: async (_range, read) => [...(await read.recordedLate('2026-11-20T06:00:00.000Z'))],
  };
  const found = await clientWithCache(settings, lateOnly).period(
    { from: '2026-11-20', to: '2026-11-20' },
    'Asia/Kolkata',
  );

  expect('calls' in found && found.calls.map(({ callId }) => callId)).toEqual(['1002']);
  await d.settled();
});
