import { describe, expect, it } from 'vitest';
import { bodyOf } from '../../../lib/callback/quarantine.ts';
import { type Parked, parkedIn } from '../../../lib/callback/schema.ts';
import { storeOrPark } from '../../../lib/callback/store-or-park.ts';
import { callKey, participantKey, receivedAt } from '../../support/call-records.ts';
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
  delivery: { id, receivedAt, facts: { id }, asSent: '' },
});

const entry = (body: string, account?: string): Parked => ({
  kind: 'quarantine',
  entry: { reason: 'broken-json', ...(account !== undefined && { account }), body, receivedAt },
});

const portsWith = (replaced: object = {}) => ({
  deadline: generousDeadline,
  calls: memoryCallStore(),
  quarantine: memoryQuarantine(),
  parking: memoryParking(),
  telemetry: recordingTelemetry(),
  ...replaced,
});

/** A calls table that records the largest number of concurrent writes, for each call and in total. */
const concurrencyProbe = () => {
  const running = new Map<string, number>();
  const max = { perCall: 0, total: 0 };
  return {
    max,
    async record({ callId }: { readonly callId: string }) {
      running.set(callId, (running.get(callId) ?? 0) + 1);
      const counts = [...running.values()];
      max.perCall = Math.max(max.perCall, ...counts);
      max.total = Math.max(
        max.total,
        counts.reduce((sum, count) => sum + count, 0),
      );
      await new Promise(setImmediate);
      running.set(callId, (running.get(callId) ?? 0) - 1);
      return 'stored' as const;
    },
  };
};

describe('storeOrPark', () => {
  it('stores records concurrently, but the deliveries of one record in turn', async () => {
    const calls = concurrencyProbe();
    const items = [delivery('1', 'a'), delivery('1', 'b'), delivery('2', 'a'), delivery('3', 'a')];
    await storeOrPark(portsWith({ calls }), items);

    expect(calls.max).toEqual({ perCall: 1, total: 3 });
  });

  it('returns the outcome of each item', async () => {
    const items = [delivery('1', 'a'), entry('x'), delivery('1', 'a'), { ...delivery('1', 'a'), key: participantKey }];
    const result = await storeOrPark(portsWith(), items as Parked[]);

    expect(result.ok && [...result.value].sort()).toEqual(['duplicate', 'quarantined', 'stored', 'stored']);
  });

  it('parks in one call what its table does not accept now, and nothing else', async () => {
    const parked: (readonly Parked[])[] = [];
    const parking = { park: async (items: readonly Parked[]) => void parked.push(items) };
    const stored = memoryCallStore();
    const record: typeof stored.record = (key, ...rest) =>
      key.callId === '1' ? stored.record(key, ...rest) : unavailable();
    const items = [delivery('1', 'a'), delivery('2', 'b'), entry('x'), delivery('3', 'c')];
    const result = await storeOrPark(portsWith({ calls: { record }, parking }), items);

    expect(result.ok && [...result.value].sort()).toEqual(['parked', 'parked', 'quarantined', 'stored']);
    expect(parked).toEqual([[items[1], items[3]]]);
  });

  it('quarantines a delivery that the table can never hold', async () => {
    const ports = portsWith({ calls: { record: async () => 'rejected' } });

    expect(await storeOrPark(ports, [delivery('1', 'a')])).toEqual({ ok: true, value: ['not-storable'] });
    expect(ports.quarantine.entries).toMatchObject([{ reason: 'not-storable', account: callKey.account }]);
  });

  it('parks a delivery that the table can never hold while quarantine is down', async () => {
    const replaced = { calls: { record: async () => 'rejected' }, quarantine: { store: unavailable } };

    expect(await storeOrPark(portsWith(replaced), [delivery('1', 'a')])).toEqual({ ok: true, value: ['parked'] });
  });

  it('parks a delivery that no message can hold as an entry of quarantine, whole', async () => {
    const ports = portsWith({ calls: { record: unavailable } });
    const facts = { comments: ['x'.repeat(1_000_000)] };
    const item = { ...delivery('1', 'a'), delivery: { id: 'a', receivedAt, facts, asSent: '' } } as Parked;

    expect(await storeOrPark(ports, [item, delivery('2', 'b')])).toEqual({ ok: true, value: ['parked', 'parked'] });
    const [large, small] = ports.parking.bodies.map((body) => parkedIn(body));
    expect(large).toMatchObject({
      kind: 'quarantine',
      entry: { reason: 'not-storable', storedAs: 'gzip', receivedAt },
    });
    expect(large?.kind === 'quarantine' && JSON.parse(bodyOf(large.entry))).toMatchObject({
      key: { callId: '1' },
      facts,
    });
    expect(small).toEqual(delivery('2', 'b'));
  });

  it('parks an account’s entry while quarantine is down, and drops the entry of an unknown sender', async () => {
    const ports = portsWith({ quarantine: { store: unavailable } });

    expect(await storeOrPark(ports, [entry('x', 'demo'), entry('y')])).toEqual({
      ok: true,
      value: ['parked', 'dropped'],
    });
    expect(ports.parking.bodies).toHaveLength(1);
    expect(ports.telemetry.counts).toMatchObject({ QuarantineDropped: 1 });
  });

  it('fails if one item can be stored nowhere, though others were stored', async () => {
    const ports = portsWith({ quarantine: { store: unavailable }, parking: { park: unavailable } });

    expect(await storeOrPark(ports, [delivery('1', 'a'), entry('x', 'demo')])).toEqual({
      ok: false,
      problem: 'stores-unavailable',
    });
    expect(ports.calls.records()).toHaveLength(1);
  });

  it('gives one deadline to all items of a post', async () => {
    const signals = new Set<AbortSignal>();
    const record = async (_key: unknown, _delivery: unknown, signal: AbortSignal) => {
      signals.add(signal);
      return 'stored' as const;
    };
    await storeOrPark(portsWith({ calls: { record } }), [delivery('1', 'a'), delivery('1', 'b'), delivery('2', 'c')]);

    expect(signals.size).toBe(1);
  });

  it.each([
    ['without items', []],
    ['while the tables are up', [delivery('1', 'a'), entry('x')]],
  ])('does not call the queue %s', async (_title, items) => {
    expect(await storeOrPark(portsWith({ parking: { park: unavailable } }), items)).toMatchObject({ ok: true });
  });
});
