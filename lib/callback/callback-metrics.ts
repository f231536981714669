import { type Counter, emitChangeMetrics, type Telemetry } from '../telemetry/metrics.ts';
import type { Receipt, Rejection } from './store-or-park.ts';

type Counters = Pick<Telemetry, 'count'>;

/** Counts the records of an accepted post by outcome. */
export const emitAcceptedMetrics = (telemetry: Counters, receipt: Receipt): void => {
  for (const [metric, records] of [...acceptedCounts(receipt), quarantinedCount(receipt)])
    if (records > 0) telemetry.count(metric, records);
  emitChangeMetrics(telemetry, receipt.stored);
};

/**
 * Counts a post in which nothing was understood, whatever its answer. The vendor's posts about other things than calls
 * need no action, so they have a metric of their own and are not counted as quarantined. A known sender's unknown key has
 * one too, since its calls wait until somebody puts the key into the secret. Every rejected post also counts
 * its accepted records, even as zeros, because an alarm compares rejected with accepted. CloudWatch's FILL may not turn a
 * metric that has had no data for long into zeros.
 */
export const emitRejectedMetrics = (telemetry: Counters, rejection: Rejection): void => {
  const isOtherKind = rejection.reason === 'not-a-call-summary';
  telemetry.count('CallbacksRejected', isOtherKind ? 0 : 1);
  telemetry.count('CallbacksUnrecognised', isOtherKind ? 1 : 0);
  for (const count of acceptedCounts(rejection)) telemetry.count(...count);
  const [metric, records] = quarantinedCount(rejection);
  if (records > 0 && !isOtherKind) telemetry.count(metric, records);
  if (rejection.reason === 'unknown-key' && rejection.isAcknowledged) telemetry.count('CallbacksWithUnknownKey');
};

type MetricCount = readonly [metric: Counter, records: number];

const acceptedCounts = ({ stored, duplicates, parked = 0 }: Receipt): readonly MetricCount[] => [
  ['CallbackRecordsStored', stored],
  ['CallbackRecordsDuplicate', duplicates],
  ['CallbackRecordsParked', parked],
];

const quarantinedCount = ({ quarantined }: Receipt): MetricCount => ['CallbackRecordsQuarantined', quarantined];
