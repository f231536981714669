import { expect, it } from 'vitest';
import type { Parked } from '../../../lib/callback/schema.ts';
import { storeOrPark } from '../../../lib/callback/store-or-park.ts';
import type { CallStore } from '../../../lib/calls/record-delivery.ts';
import { callKey, receivedAt } from '../../support/call-records.ts';
import { generousDeadline, recordingTelemetry, unavailable } from '../../support/memory-ports.ts';

const deliveries = ['1', '1', '2', '3'].map(
  (callId, index): Parked => ({
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
  await storeWith(async ({ callId }) => {
    running.push(callId);
    max.total = Math.max(max.total, running.length);
    max.perCall = Math.max(max.perCall, running.filter((id) => id === callId).length);
    await new Promise(setImmediate);
    running.splice(running.indexOf(callId), 1);
    return 'stored';
  });

  expect(max).toEqual({ perCall: 1, total: 3 });
});

it('gives one deadline to all records of a post', async () => {
  const signals = new Set<AbortSignal>();
  await storeWith(async (_key, _delivery, signal) => {
    signals.add(signal);
    return 'stored';
  });

  expect(signals.size).toBe(1);
});
