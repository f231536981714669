import type { Delivery } from '../../../lib/record/delivery.ts';
import { admit, type CallRecord, type RecordKey } from '../../../lib/record/record.ts';

export const callKey: RecordKey = { kind: 'call', account: 'demo', callId: '41781234567890123', part: 'main' };
export const participantKey: RecordKey = { ...callKey, kind: 'participant', part: 'a1' };

/** When the table is written in these tests. */
export const recordedAt = '2026-11-20T06:10:00.000Z';

/** The record that deliveries make, one after the other. */
export const recordFrom = (deliveries: readonly Delivery[], key: RecordKey = callKey): CallRecord => {
  const record = deliveries.reduce<CallRecord | undefined>(
    (known, delivery) => admit(key, known, delivery, recordedAt).record,
    undefined,
  );
  if (record === undefined) throw new Error('no deliveries');
  return record;
};
