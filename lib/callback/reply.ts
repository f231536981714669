import { type Counter, emitChangeMetrics, type Telemetry } from '../telemetry/metrics.ts';
import type { RejectionReason } from './rejections.ts';
import type { Outcome } from './store-or-park.ts';

/** How many records of a post were stored, known already, quarantined and parked. */
export interface Receipt {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

/** Counts the outcomes of a post's records. */
export const receiptOf = (outcomes: readonly Outcome[]): Receipt => {
  const count = (...counted: readonly Outcome[]) => outcomes.filter((outcome) => counted.includes(outcome)).length;
  const parked = count('parked');
  return {
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined', 'not-storable'),
    ...(parked > 0 && { parked }),
  };
};

/** What became of a post. */
export interface Reply extends Receipt {
  /**
   * `accepted`: a call or participant in it was understood. `acknowledged`: none was, but the sender is known and the post
   * is durable. To post it again would change nothing, so the status is 200 too. `rejected`: the status says why.
   */
  readonly outcome: 'accepted' | 'acknowledged' | 'rejected';
  /** Why the first record that was not understood was not, or why nothing was. */
  readonly reason?: RejectionReason;
}

/** The reply to a post of which nothing was stored. */
export const rejected = (reason: RejectionReason): Reply => ({
  outcome: 'rejected',
  stored: 0,
  duplicates: 0,
  quarantined: 0,
  reason,
});

type Counters = Pick<Telemetry, 'count'>;

/**
 * Counts a post and its records. The vendor's posts about other things than calls need no action, so they have a metric of
 * their own and are not counted as quarantined. A known sender's unknown key has one too, since its calls wait until
 * somebody puts the key into the secret.
 */
export const emitReplyMetrics = (telemetry: Counters, reply: Reply): void => {
  const { outcome, stored, quarantined, reason } = reply;
  emitOutcomes(telemetry, reply);
  if (outcome === 'accepted') {
    if (quarantined > 0) emitCompared(telemetry, { CallbackRecordsQuarantined: quarantined });
    emitChangeMetrics(telemetry, stored);
    return;
  }
  const isOtherKind = reason === 'not-a-call-summary';
  emitCompared(telemetry, {
    CallbacksRejected: isOtherKind ? 0 : 1,
    CallbacksUnrecognised: isOtherKind ? 1 : 0,
    CallbackRecordsQuarantined: isOtherKind ? 0 : quarantined,
    CallbacksWithUnknownKey: reason === 'unknown-key' && outcome === 'acknowledged' ? 1 : 0,
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
