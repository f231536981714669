import { describe, expect, it } from 'vitest';
import { emitAcceptedMetrics, emitRejectedMetrics } from '../../../lib/callback/callback-metrics.ts';
import type { Receipt } from '../../../lib/callback/receive-callback.ts';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/rejections.ts';
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
  const countsOf = (reason: RejectionReason, receipt?: Receipt) => {
    const telemetry = recordingTelemetry();
    emitRejectedMetrics(telemetry, reason, receipt);
    return telemetry.counts;
  };

  it.each(reasons.filter((reason) => reason !== 'not-a-call-summary'))(
    'count a post rejected as %s, what was stored of it, and zero accepted records',
    (reason) => {
      expect(countsOf(reason)).toEqual({ ...noneAccepted, CallbacksRejected: 1, CallbacksUnrecognised: 0 });
      expect(countsOf(reason, receiptWith({ quarantined: 1 }))).toMatchObject({ CallbackRecordsQuarantined: 1 });
      expect(countsOf(reason, receiptWith({ parked: 1 }))).toMatchObject({ CallbackRecordsParked: 1 });
    },
  );

  it('count a post that is no call separately, neither as rejected nor as quarantined', () => {
    expect(countsOf('not-a-call-summary', receiptWith({ quarantined: 1 }))).toEqual({
      ...noneAccepted,
      CallbacksRejected: 0,
      CallbacksUnrecognised: 1,
    });
  });
});
