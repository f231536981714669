import { describe, expect, it } from 'vitest';
import { emitAcceptedMetrics, emitRejectedMetrics } from '../../../lib/callback/callback-metrics.ts';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/rejections.ts';
import { discarded } from '../../../lib/callback/store-or-park.ts';
import { receiptWith, recordingTelemetry } from '../../support/memory-ports.ts';

describe('emitAcceptedMetrics', () => {
  it.each([
    [{ stored: 2 }, { CallbackRecordsStored: 2, ChangesWritten: 2, EventsPublished: 0 }],
    [{ duplicates: 1 }, { CallbackRecordsDuplicate: 1 }],
    [{ parked: 3 }, { CallbackRecordsParked: 3 }],
    [
      { duplicates: 1, quarantined: 1 },
      { CallbackRecordsDuplicate: 1, CallbackRecordsQuarantined: 1 },
    ],
  ])('for the receipt %j are %j', (receipt, counts) => {
    const telemetry = recordingTelemetry();
    emitAcceptedMetrics(telemetry, receiptWith(receipt));

    expect(telemetry.counts).toEqual(counts);
  });
});

describe('emitRejectedMetrics', () => {
  const reasons = Object.keys(rejectionResponses) as RejectionReason[];
  const noneAccepted = { CallbackRecordsStored: 0, CallbackRecordsDuplicate: 0, CallbackRecordsParked: 0 };
  const countsOf = (reason: RejectionReason, receipt: object = {}) => {
    const telemetry = recordingTelemetry();
    emitRejectedMetrics(telemetry, { ...discarded(reason), ...receipt });
    return telemetry.counts;
  };

  it.each(reasons.filter((reason) => reason !== 'not-a-call-summary'))(
    'count a post rejected as %s, acknowledged or not, what was stored of it, and zero accepted records',
    (reason) => {
      expect(countsOf(reason)).toEqual({ ...noneAccepted, CallbacksRejected: 1, CallbacksUnrecognised: 0 });
      expect(countsOf(reason, { quarantined: 1, isAcknowledged: true })).toMatchObject({
        CallbackRecordsQuarantined: 1,
      });
      expect(countsOf(reason, { parked: 1 })).toMatchObject({ CallbackRecordsParked: 1 });
    },
  );

  it.each([
    ['a known sender’s', true, 1],
    ['a stranger’s', false, undefined],
  ])('count %s unknown key: %s', (_title, isAcknowledged, count) => {
    expect(countsOf('unknown-key', { isAcknowledged }).CallbacksWithUnknownKey).toBe(count);
    expect(countsOf('unknown-user', { isAcknowledged })).not.toHaveProperty('CallbacksWithUnknownKey');
  });

  it('count a post that is no call separately, neither as rejected nor as quarantined', () => {
    expect(countsOf('not-a-call-summary', { quarantined: 1 })).toEqual({
      ...noneAccepted,
      CallbacksRejected: 0,
      CallbacksUnrecognised: 1,
    });
  });
});
