import { describe, expect, it } from 'vitest';
import { recoverParked } from '../../../functions/recover-callbacks/app.ts';
import { parkedIn, type StorableItem } from '../../../lib/callback/schema.ts';
import { storeOrPark } from '../../../lib/callback/store-or-park.ts';
import type { CallStore } from '../../../lib/calls/record-delivery.ts';
import { specificationParticipant, specificationSummary as summary } from '../../fixtures/calls.ts';
import { generousDeadline, recordingTelemetry, slowStores, unavailable } from '../../support/memory-ports.ts';
import { callKey, keyedDelivery, normalisedRecords, receivedAt, summaryWith } from '../../support/posted-records.ts';

const deliveries = ['1', '1', '2', '3'].map(
  (callId, index): StorableItem => ({
    kind: 'delivery',
    key: { ...callKey, callId },
    delivery: { id: String(index), receivedAt, facts: {}, asSent: '' },
  }),
);

const storeWith = (record: CallStore['record']) =>
  storeOrPark(
    {
      ...{ calls: { record }, quarantine: { store: unavailable }, parking: { park: unavailable } },
      ...{ deadline: generousDeadline, telemetry: recordingTelemetry() },
    },
    deliveries,
  );

it('stores records concurrently, but the deliveries of one record in turn', async () => {
  const running: string[] = [];
  const max = { perCall: 0, total: 0 };
  const outcomes = await storeWith(async ({ callId }) => {
    running.push(callId);
    max.total = Math.max(max.total, running.length);
    max.perCall = Math.max(max.perCall, running.filter((id) => id === callId).length);
    await new Promise(setImmediate);
    running.splice(running.indexOf(callId), 1);
    return 'stored';
  });

  expect(max).toEqual({ perCall: 1, total: 3 });
  expect(outcomes).toEqual({ ok: true, value: deliveries.map(() => 'stored') });
});

it('gives one deadline to all records of a post', async () => {
  const signals = new Set<AbortSignal>();
  await storeWith(async (_key, _delivery, signal) => {
    signals.add(signal);
    return 'stored';
  });

  expect(signals.size).toBe(1);
});

describe('StorableItem', () => {
  const [call, participant] = normalisedRecords([summary, specificationParticipant]).deliveries;

  it.each([
    ['a call', { kind: 'delivery', ...call }],
    ['a participant', { kind: 'delivery', ...participant }],
    ['a quarantine entry', { kind: 'quarantine', entry: { reason: 'broken-json', body: '{', receivedAt } }],
    [
      'one that came to the secret address',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: true, body: '', receivedAt } },
    ],
  ])('preserves %s through the queue', (_title, parked) => {
    expect(parkedIn(JSON.stringify(parked))).toEqual(parked);
  });

  it.each([
    ['another kind', { kind: 'other' }],
    ['a delivery without a key', { kind: 'delivery', delivery: call?.delivery }],
    ['a text', 'x'],
    [
      'an entry that did not come to the secret address, and says so',
      { kind: 'quarantine', entry: { reason: 'data-empty', viaSecret: false, body: '', receivedAt } },
    ],
  ])('rejects %s', (_title, value) => {
    expect(parkedIn(JSON.stringify(value))).toBeUndefined();
  });
});

describe('recoverParked', () => {
  it('gives each message of a batch a time limit of its own, however slow the tables are', async () => {
    const slow = slowStores();
    const messages = Array.from({ length: 10 }, (_, index) => {
      const parked = { kind: 'delivery', ...keyedDelivery(summaryWith({ monitorUCID: String(index + 1) })) };
      return { id: `m${index}`, body: JSON.stringify(parked) };
    });

    expect(await recoverParked({ ...slow, telemetry: recordingTelemetry() })(messages)).toEqual([]);
    expect(slow.calls.records()).toHaveLength(10);
  });
});
