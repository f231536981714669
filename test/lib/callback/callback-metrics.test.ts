import { describe, expect, it } from 'vitest';
import { emitAcceptedMetrics, emitRejectedMetrics } from '../../../lib/callback/callback-metrics.ts';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/rejections.ts';
import { discarded } from '../../../lib/callback/store-or-park.ts';
import { receiptWith, recordingTelemetry } from '../../support/memory-ports.ts';

/** What alarms compare. */
const zeros = {
  CallbackRecordsAccepted: 0,
  CallbacksRejected: 0,
  CallbacksUnrecognised: 0,
  CallbackRecordsQuarantined: 0,
  CallbacksWithUnknownKey: 0,
  AccountRejected: 0,
};

describe('emitAcceptedMetrics', () => {
  it.each([
    [
      { stored: 2 },
      { CallbackRecordsAccepted: 2, CallbackRecordsStored: 2, ChangesWritten: 2, EventsPublished: 0, RowsSkipped: 0 },
    ],
    [{ duplicates: 1 }, { CallbackRecordsAccepted: 1, CallbackRecordsDuplicate: 1 }],
    [{ parked: 3 }, { CallbackRecordsAccepted: 3, CallbackRecordsParked: 3 }],
    [
      { duplicates: 1, quarantined: 1 },
      { ...zeros, CallbackRecordsAccepted: 1, CallbackRecordsDuplicate: 1, CallbackRecordsQuarantined: 1 },
    ],
  ])('for the receipt %j are %j', (receipt, counts) => {
    const telemetry = recordingTelemetry();
    emitAcceptedMetrics(telemetry, receiptWith(receipt));

    expect(telemetry.counts).toEqual(counts);
  });
});

describe('emitRejectedMetrics', () => {
  const reasons = Object.keys(rejectionResponses) as RejectionReason[];
  const countsOf = (reason: RejectionReason, receipt: object = {}) => {
    const telemetry = recordingTelemetry();
    emitRejectedMetrics(telemetry, { ...discarded(reason), ...receipt });
    return telemetry.counts;
  };

  it.each(reasons.filter((reason) => reason !== 'not-a-call-summary'))(
    'count a post rejected as %s, acknowledged or not, what was stored of it, and zero accepted records',
    (reason) => {
      expect(countsOf(reason)).toMatchObject({ ...zeros, CallbacksRejected: 1, CallbacksWithUnknownKey: 0 });
      expect(countsOf(reason, { quarantined: 1, isAcknowledged: true })).toMatchObject({
        CallbackRecordsQuarantined: 1,
      });
      expect(countsOf(reason, { parked: 1 })).toMatchObject({ CallbackRecordsAccepted: 1, CallbackRecordsParked: 1 });
    },
  );

  it.each([
    ['a known sender’s', true, 1],
    ['a stranger’s', false, 0],
  ])('count %s unknown key: %s', (_title, isAcknowledged, count) => {
    expect(countsOf('unknown-key', { isAcknowledged }).CallbacksWithUnknownKey).toBe(count);
    expect(countsOf('unknown-user', { isAcknowledged })).toMatchObject({ CallbacksWithUnknownKey: 0 });
  });

  it('count a post that is no call separately, neither as rejected nor as quarantined', () => {
    expect(countsOf('not-a-call-summary', { quarantined: 1 })).toEqual({
      ...zeros,
      CallbacksUnrecognised: 1,
    });
  });
});
