import { describe, expect, it } from 'vitest';
import type { Parked } from '../../../lib/callback/parked.ts';
import { storeOrPark } from '../../../lib/callback/store-or-park.ts';
import { callKey, participantKey } from '../../support/call-records.ts';
import {
  generousDeadline,
  memoryCallStore,
  memoryParking,
  memoryQuarantine,
  recordingTelemetry,
  unavailable,
} from '../../support/memory-ports.ts';

const delivery = (callId: string, id: string): Parked => ({
  kind: 'delivery',
  key: { ...callKey, callId },
  delivery: { id, receivedAt: '2026-11-20T06:00:00.000Z', facts: { id } },
});

const entry = (body: string, account?: string): Parked => ({
  kind: 'quarantine',
  entry: {
    reason: 'broken-json',
    ...(account !== undefined && { account }),
    body,
    receivedAt: '2026-11-20T06:00:00.000Z',
  },
});

const ports = (replaced: object = {}) => ({
  deadline: generousDeadline,
  calls: memoryCallStore(),
  quarantine: memoryQuarantine(),
  parking: memoryParking(),
  telemetry: recordingTelemetry(),
  ...replaced,
});

/** A calls' table that shows how many writes are on their way at once, for each call and in all. */
const watchedStore = () => {
  const running = new Map<string, number>();
  const most = { ofOneCall: 0, inAll: 0 };
  return {
    most,
    async record({ callId }: { readonly callId: string }) {
      running.set(callId, (running.get(callId) ?? 0) + 1);
      most.ofOneCall = Math.max(most.ofOneCall, ...running.values());
      most.inAll = Math.max(
        most.inAll,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      await new Promise(setImmediate);
      running.set(callId, (running.get(callId) ?? 0) - 1);
      return 'stored' as const;
    },
  };
};

describe('storeOrPark', () => {
  it('stores records side by side, but the deliveries of one record in turn', async () => {
    const calls = watchedStore();
    await storeOrPark(ports({ calls }), [
      delivery('1', 'a'),
      delivery('1', 'b'),
      delivery('2', 'a'),
      delivery('3', 'a'),
    ]);

    expect(calls.most).toEqual({ ofOneCall: 1, inAll: 3 });
  });

  it('says what became of each', async () => {
    const items = [delivery('1', 'a'), entry('x'), delivery('1', 'a'), { ...delivery('1', 'a'), key: participantKey }];
    const result = await storeOrPark(ports(), items as Parked[]);

    expect(result.ok && [...result.value].sort()).toEqual(['duplicate', 'quarantined', 'stored', 'stored']);
  });

  it('parks all that is not stored in one go', async () => {
    const parks: number[] = [];
    const parking = { park: async (items: readonly Parked[]) => void parks.push(items.length) };

    expect(
      await storeOrPark(ports({ calls: { record: unavailable }, parking }), [
        delivery('1', 'a'),
        entry('x'),
        delivery('2', 'b'),
      ]),
    ).toEqual({
      ok: true,
      value: expect.arrayContaining(['parked', 'quarantined', 'parked']),
    });
    expect(parks).toEqual([2]);
  });

  it('gives one deadline to all that a post brings, however much it is', async () => {
    const signals = new Set<AbortSignal>();
    const record = async (_key: unknown, _delivery: unknown, signal: AbortSignal) => {
      signals.add(signal);
      return 'stored' as const;
    };
    await storeOrPark(ports({ calls: { record } }), [delivery('1', 'a'), delivery('1', 'b'), delivery('2', 'c')]);

    expect(signals.size).toBe(1);
  });

  it('parks what an account sent while quarantine is down, and drops what strangers sent', async () => {
    const parking = memoryParking();
    const telemetry = recordingTelemetry();
    const items = [entry('x', 'demo'), entry('y')];
    const result = await storeOrPark(ports({ quarantine: { keep: unavailable }, parking, telemetry }), items);

    expect(result).toEqual({ ok: true, value: ['parked', 'dropped'] });
    expect(parking.bodies).toHaveLength(1);
    expect(telemetry.counts).toMatchObject({ QuarantineDropped: 1 });
  });

  it('has nothing to do for nothing', async () => {
    expect(await storeOrPark(ports({ parking: { park: unavailable } }), [])).toEqual({ ok: true, value: [] });
  });
});
