import { describe, expect, it } from 'vitest';
import { emitAcceptedMetrics, emitRejectedMetrics } from '../../../lib/callback/callback-metrics.ts';
import type { Receipt } from '../../../lib/callback/receive-callback.ts';
import { type RejectionReason, rejectionResponses } from '../../../lib/callback/rejections.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

const receipt = (part: Partial<Receipt>): Receipt => ({ stored: 0, duplicates: 0, quarantined: 0, ...part });
const noneTaken = { CallbackRecordsStored: 0, CallbackRecordsDuplicate: 0, CallbackRecordsParked: 0 };

describe('tellTaken', () => {
  it.each([
    [
      'stored, and that the publisher has to hear of them',
      { stored: 2 },
      { CallbackRecordsStored: 2, ChangesWritten: 2, EventsPublished: 0 },
    ],
    ['known already', { duplicates: 1 }, { CallbackRecordsDuplicate: 1 }],
    ['parked', { parked: 3 }, { CallbackRecordsParked: 3 }],
    [
      'quarantined beside others',
      { duplicates: 1, quarantined: 1 },
      { CallbackRecordsDuplicate: 1, CallbackRecordsQuarantined: 1 },
    ],
  ])('counts records that were %s, and no zeros that nobody needs', (_title, part, counts) => {
    const telemetry = recordingTelemetry();
    emitAcceptedMetrics(telemetry, receipt(part));

    expect(telemetry.counts).toEqual(counts);
  });
});

describe('tellRefused', () => {
  const reasons = Object.keys(rejectionResponses) as RejectionReason[];
  const countsOf = (...told: [RejectionReason, Receipt?]) => {
    const telemetry = recordingTelemetry();
    emitRejectedMetrics(telemetry, ...told);
    return telemetry.counts;
  };

  it.each(reasons.filter((reason) => reason !== 'not-a-call-summary'))(
    'counts a refused post, what is kept of it, and that nothing was taken: %s',
    (reason) => {
      expect(countsOf(reason)).toEqual({ ...noneTaken, CallbacksRejected: 1, CallbacksUnrecognised: 0 });
      expect(countsOf(reason, receipt({ quarantined: 1 }))).toMatchObject({ CallbackRecordsQuarantined: 1 });
      expect(countsOf(reason, receipt({ parked: 1 }))).toMatchObject({ CallbackRecordsParked: 1 });
    },
  );

  it('counts what is no call by itself, neither as refused nor as quarantined', () => {
    const counts = { ...noneTaken, CallbacksRejected: 0, CallbacksUnrecognised: 1 };

    expect(countsOf('not-a-call-summary', receipt({ quarantined: 1 }))).toEqual(counts);
  });
});
