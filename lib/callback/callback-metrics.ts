import { type Counter, emitChangeMetrics, type Telemetry } from '../telemetry/metrics.ts';
import type { Receipt, Rejection } from './store-or-park.ts';

type Counters = Pick<Telemetry, 'count'>;

/** Counts the records of an accepted post by outcome. */
export const emitAcceptedMetrics = (telemetry: Counters, receipt: Receipt): void => {
  emitOutcomes(telemetry, receipt);
  if (receipt.quarantined > 0) emitCompared(telemetry, { CallbackRecordsQuarantined: receipt.quarantined });
  emitChangeMetrics(telemetry, receipt.stored);
};

/**
 * Counts a post in which nothing was understood, whatever its answer. The vendor's posts about other things than calls
 * need no action, so they have a metric of their own and are not counted as quarantined. A known sender's unknown key has
 * one too, since its calls wait until somebody puts the key into the secret.
 */
export const emitRejectedMetrics = (telemetry: Counters, rejection: Rejection): void => {
  const { quarantined, reason, isAcknowledged } = rejection;
  const isOtherKind = reason === 'not-a-call-summary';
  emitOutcomes(telemetry, rejection);
  emitCompared(telemetry, {
    CallbacksRejected: isOtherKind ? 0 : 1,
    CallbacksUnrecognised: isOtherKind ? 1 : 0,
    CallbackRecordsQuarantined: isOtherKind ? 0 : quarantined,
    CallbacksWithUnknownKey: reason === 'unknown-key' && isAcknowledged ? 1 : 0,
  });
};

/** Counts what is in the table or parked. Every post has one value of the sum, so that the number of values is that of posts. */
const emitOutcomes = (telemetry: Counters, { stored, duplicates, parked = 0 }: Receipt): void => {
  telemetry.count('CallbackRecordsAccepted', stored + duplicates + parked);
  if (stored > 0) telemetry.count('CallbackRecordsStored', stored);
  if (duplicates > 0) telemetry.count('CallbackRecordsDuplicate', duplicates);
  if (parked > 0) telemetry.count('CallbackRecordsParked', parked);
};

/** Metrics that alarms compare with one another and with the accepted records. */
const compared = {
  CallbacksRejected: 0,
  CallbacksUnrecognised: 0,
  CallbackRecordsQuarantined: 0,
  CallbacksWithUnknownKey: 0,
  AccountRejected: 0,
} satisfies Partial<Record<Counter, number>>;

/** Counts these metrics, and zeros for the others: CloudWatch's FILL may not turn a metric that never had data into zeros. */
const emitCompared = (telemetry: Counters, counts: Partial<typeof compared>): void => {
  for (const [metric, count] of Object.entries({ ...compared, ...counts })) telemetry.count(metric as Counter, count);
};
