import { describe, expect, it } from 'vitest';
import { recoverParked } from '../../../lib/callback/recover-parked.ts';
import { keyedDelivery, summaryWith } from '../../support/call-records.ts';
import { recordingTelemetry, slowStores } from '../../support/memory-ports.ts';

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
