import { counter, emitPublishMetrics, type Telemetry } from '../telemetry/metrics.ts';

/** The outcome of storing one item. A delivery that is `not-storable` is in quarantine. */
export type Outcome = 'stored' | 'duplicate' | 'quarantined' | 'not-storable' | 'parked';

/** How many records of a post were stored, known already, quarantined and parked. */
export interface RecordCounts {
  readonly stored: number;
  readonly duplicates: number;
  readonly quarantined: number;
  readonly parked?: number;
}

export const countsOf = (outcomes: readonly Outcome[]): RecordCounts => {
  const count = (...counted: readonly Outcome[]) => outcomes.filter((outcome) => counted.includes(outcome)).length;
  const parked = count('parked');
  return {
    stored: count('stored'),
    duplicates: count('duplicate'),
    quarantined: count('quarantined', 'not-storable'),
    ...(parked > 0 && { parked }),
  };
};

export interface Reply extends RecordCounts {
  /**
   * `accepted`: a call or participant in it was understood. `acknowledged`: none was, but the sender is known and the post
   * is durable. To post it again would change nothing, so the status is 200 too. `rejected`: the status says why.
   */
  readonly outcome: 'accepted' | 'acknowledged' | 'rejected';
  /** Why the first record that failed was not understood, or why the whole post was not. */
  readonly reason?: RejectionReason;
}

export const rejected = (reason: RejectionReason): Reply => ({
  outcome: 'rejected',
  stored: 0,
  duplicates: 0,
  quarantined: 0,
  reason,
});

export const callbackMetrics = {
  accepted: counter('CallbackRecordsAccepted'),
  rejected: counter('CallbacksRejected'),
  unrecognised: counter('CallbacksUnrecognised'),
  quarantined: counter('CallbackRecordsQuarantined'),
};

/**
 * The vendor's posts about other things need no action, so they have their own metric. The others are emitted together:
 * one alarm reads them, and CloudWatch's FILL may not turn a metric that never had data into zeros.
 */
export const emitReplyMetrics = (telemetry: Pick<Telemetry, 'count'>, reply: Reply): void => {
  const { outcome, stored, duplicates, quarantined, parked = 0, reason } = reply;
  telemetry.count(callbackMetrics.accepted, stored + duplicates + parked);
  if (stored > 0) emitPublishMetrics(telemetry);
  const isRejected = outcome !== 'accepted';
  if (!isRejected && quarantined === 0) return;

  const isOtherKind = isRejected && reason === 'not-a-call-summary';
  telemetry.count(callbackMetrics.rejected, isRejected && !isOtherKind ? 1 : 0);
  telemetry.count(callbackMetrics.unrecognised, isOtherKind ? 1 : 0);
  telemetry.count(callbackMetrics.quarantined, isOtherKind ? 0 : quarantined);
};

/** The largest content that is parsed, decoded, in bytes: some 1,000 usual summaries. */
export const maxContentBytes = 1024 * 1024;

/** The most fields of a form. Its parser reads no more, and would ignore the others silently. */
export const maxFields = 1_000;

/** The most fields of a record in JSON. A call summary has some 50. */
export const maxRecordFields = 2_000;

/** The most records of one post: each of them is a write. */
export const maxRecords = 500;

interface RejectionResponse {
  /** For strangers, and for what is not stored. A known sender whose post is durable is answered 200. */
  readonly status: 400 | 401 | 404 | 405 | 413 | 415 | 503;
  readonly message: string;
}

/** The HTTP status of each reason, and the message for the sender: what was wrong, and what is allowed. */
export const rejectionResponses = {
  'body-too-large': { status: 413, message: `The content may have at most ${maxContentBytes} bytes.` },
  'too-many-fields': {
    status: 413,
    message: `A form may have at most ${maxFields} fields, of which one named "data" is enough, and a record ${maxRecordFields}.`,
  },
  'unsupported-content-type': {
    status: 415,
    message: 'Send application/x-www-form-urlencoded with a field "data", or application/json.',
  },
  'body-empty': { status: 400, message: 'The body is empty; send a form with one field "data" that holds JSON.' },
  'data-missing': { status: 400, message: 'The form has no field "data"; it must hold the call summary as JSON.' },
  'data-repeated': { status: 400, message: 'The field "data" occurs more than once; send it once.' },
  'data-empty': { status: 400, message: 'The field "data" is empty; it must hold the call summary as JSON.' },
  'broken-json': { status: 400, message: 'The content is no valid JSON.' },
  'too-deep': { status: 400, message: 'The JSON is nested too deeply; at most 20 levels are accepted.' },
  'forbidden-key': { status: 400, message: 'The JSON has a key named __proto__, constructor or prototype.' },
  'not-an-object': { status: 400, message: 'The JSON must be a call summary object or a list of such objects.' },
  'no-records': { status: 400, message: 'The list is empty; it must hold at least one call summary.' },
  'too-many-records': { status: 413, message: `A list may hold at most ${maxRecords} records.` },
  'not-a-call-summary': {
    status: 400,
    message: 'The object is no call summary: it must name its call (monitorUCID) and an outcome (Status, EndTime …).',
  },
  'call-not-named': {
    status: 400,
    message: 'The object states how a call ended, but no summary in it names its call (monitorUCID).',
  },
  'participant-without-call': { status: 400, message: 'The participant record does not name its call (UCID).' },
  'not-storable': { status: 400, message: 'The record cannot be stored: it is too large.' },
  'mixed-accounts': { status: 400, message: 'All records of a post must belong to the same account.' },
  'not-found': { status: 404, message: 'Nothing is here; post to the full address, which ends in /callDetails.' },
  'method-not-allowed': { status: 405, message: 'Send callbacks with POST; GET and HEAD check the address.' },
  'callback-secret-wrong': {
    status: 401,
    message: 'The callback secret in the address is missing or wrong; post to the full address that you were given.',
  },
  'key-missing': { status: 401, message: 'The post contains no account key (Apikey).' },
  'unknown-key': { status: 401, message: 'The account key (Apikey) is unknown.' },
  'unknown-user': {
    status: 401,
    message: 'The UserName belongs to another account than the key, or to none of this deployment.',
  },
  'accounts-not-set-up': {
    status: 503,
    message:
      'This deployment has no accounts yet: put their JSON list into its secret (README, “Deploy”), then send this again.',
  },
  'accounts-unavailable': {
    status: 503,
    message: 'The accounts cannot be read at present; send this again later.',
  },
  'stores-unavailable': { status: 503, message: 'The post cannot be stored at present; send this again later.' },
} as const satisfies Readonly<Record<string, RejectionResponse>>;

/** Why a post, or a record in a list, is not understood or not stored. Any other problem is a fault, which throws. */
export type RejectionReason = keyof typeof rejectionResponses;
