import { type Counter, emitChangeMetrics, type Telemetry } from '../telemetry/metrics.ts';
import { emptyReceipt, type Receipt } from './receive-callback.ts';
import type { RejectionReason } from './rejections.ts';

type Counters = Pick<Telemetry, 'count'>;

/** Tells what became of the records of a post that was taken in. */
export const emitAcceptedMetrics = (telemetry: Counters, receipt: Receipt): void => {
  for (const [metric, records] of [...acceptedCounts(receipt), quarantinedCount(receipt)])
    if (records > 0) telemetry.count(metric, records);
  emitChangeMetrics(telemetry, receipt.stored);
};

/**
 * Tells of a post that was refused. What the service posts beside calls, if one lets it, is kept as well, but by itself:
 * there is nothing to be done about it. That nothing was taken is told with each, as zeros: an alarm weighs what was taken
 * against what was not, and a metric that has had no value for long may be nothing to CloudWatch's FILL.
 */
export const emitRejectedMetrics = (
  telemetry: Counters,
  reason: RejectionReason,
  receipt: Receipt = emptyReceipt,
): void => {
  const isOfOtherKind = reason === 'not-a-call-summary';
  telemetry.count('CallbacksRejected', isOfOtherKind ? 0 : 1);
  telemetry.count('CallbacksUnrecognised', isOfOtherKind ? 1 : 0);
  for (const counted of acceptedCounts(receipt)) telemetry.count(...counted);
  const [metric, records] = quarantinedCount(receipt);
  if (records > 0 && !isOfOtherKind) telemetry.count(metric, records);
};

type MetricCount = readonly [metric: Counter, records: number];

const acceptedCounts = ({ stored, duplicates, parked = 0 }: Receipt): readonly MetricCount[] => [
  ['CallbackRecordsStored', stored],
  ['CallbackRecordsDuplicate', duplicates],
  ['CallbackRecordsParked', parked],
];

const quarantinedCount = ({ quarantined }: Receipt): MetricCount => ['CallbackRecordsQuarantined', quarantined];
