import type { Account } from '../accounts/accounts.ts';
import { redactedText } from '../accounts/redact-secrets.ts';
import type { RecordKey } from '../calls/call-record.ts';
import { type Delivery, deliveryOf } from '../calls/delivery.ts';
import { callSpellings, identityOf, normaliseCall } from '../calls/normalise-call.ts';
import { normaliseParticipant, participantIdOf, participantSpellings } from '../calls/normalise-participant.ts';
import type { ParticipantFacts } from '../calls/schema.ts';
import type { Json, JsonObject } from '../core/parse-json.ts';
import { withNotes } from '../telephony/field-reader.ts';
import { type Fields, foldKeys, isKeyField, uniqueNames } from '../telephony/fold-keys.ts';
import type { ClassifiedRecords, Unrecognised } from './classify-records.ts';

/** A call of the same post, and the other ids that its summary gave. */
export interface PostedCall {
  readonly callId: string;
  readonly ucid?: string | undefined;
  readonly sourceCallId?: string | undefined;
}

type Ids = Pick<ParticipantFacts, 'ucid' | 'sourceCallId'>;

/**
 * The call that a participant belongs to, by its UCID. That may be the second id of a summary beside it; a call's own id
 * comes first, and an id that several calls give decides nothing. Without a UCID its CallID may tell, or that there is
 * but one call. The order of the list makes no difference.
 */
export const callOfParticipant = ({ ucid, sourceCallId }: Ids, calls: readonly PostedCall[]): string | undefined => {
  const onlyCall = (isIts: (call: PostedCall) => boolean): string | undefined => {
    const found = new Set(calls.filter(isIts).map(({ callId }) => callId));
    return found.size === 1 ? [...found][0] : undefined;
  };
  if (ucid === undefined) return onlyCall((call) => call.sourceCallId === sourceCallId) ?? onlyCall(() => true);
  return (
    onlyCall(({ callId }) => callId === ucid) ??
    onlyCall((call) => call.ucid === ucid) ??
    onlyCall((call) => call.sourceCallId === ucid) ??
    ucid
  );
};

/**
 * The fields of a record without any account's key: the key's own field is gone, and a key that strayed into another
 * value (a comment, the query of a recording's URL) is masked. Nearly always there is none, which one look at all names
 * and values tells.
 */
export const redactRecord = (record: JsonObject, masked: (text: string) => string): Fields => {
  const kept: (readonly [string, Json])[] = [];
  let all = '';
  for (const [key, value] of Object.entries(record)) {
    if (isKeyField(key)) continue;
    kept.push([key, value]);
    all += `${key}\n${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  }
  if (masked(all) === all) return kept;
  const nameOf = uniqueNames();
  return kept.map(([key, value]) => [nameOf(masked(key)), redactValue(value, masked)]);
};

const redactValue = (value: Json, masked: (text: string) => string): Json => {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, masked));
  const nameOf = uniqueNames();
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      nameOf(masked(key)),
      isKeyField(key) ? redactedText : redactValue(entry, masked),
    ]),
  );
};

/** A delivery and the record that it belongs to. */
export interface KeyedDelivery {
  readonly key: RecordKey;
  readonly delivery: Delivery;
}

/** What one post says, and what of it could not be placed. */
export interface NormalisedRecords {
  readonly deliveries: readonly KeyedDelivery[];
  readonly unrecognised: readonly Unrecognised[];
}

/** The account that a post belongs to, when it was received, and what removes every live key from a text. */
export interface RecordContext {
  readonly account: Account;
  readonly receivedAt: string;
  readonly redact: (text: string) => string;
}

/**
 * What the records of one post say, each as a delivery to the call or participant that it tells of. A participant names
 * its call by UCID, which may be the second id of a summary in the same post.
 */
export const normaliseRecords = (recognised: ClassifiedRecords, origin: RecordContext): NormalisedRecords => {
  const calls = recognised.calls.map((record) => callDelivery(record, origin));
  const participants = recognised.participants.map((record) => participantDelivery(record, calls, origin));

  return {
    deliveries: [...calls.map(({ keyed }) => keyed), ...participants.filter((placed) => 'key' in placed)],
    unrecognised: [...recognised.unrecognised, ...participants.filter((unplaced) => 'reason' in unplaced)],
  };
};

const callDelivery = (
  record: JsonObject,
  { account, receivedAt, redact }: RecordContext,
): PostedCall & { keyed: KeyedDelivery } => {
  const posted = foldKeys(redactRecord(record, redact), callSpellings);
  const facts = normaliseCall(posted, account.timeZone);
  const { callId, leg, notes } = identityOf(posted, facts);
  const said = withNotes([...(facts.notes ?? []), ...notes], facts);
  const keyed: KeyedDelivery = {
    key: { kind: 'call', account: account.userName, callId, part: leg },
    delivery: deliveryOf(said, receivedAt),
  };
  return { keyed, callId, ucid: facts.ucid, sourceCallId: facts.sourceCallId };
};

const participantDelivery = (
  record: JsonObject,
  calls: readonly PostedCall[],
  { account, receivedAt, redact }: RecordContext,
): KeyedDelivery | Unrecognised => {
  const posted = foldKeys(redactRecord(record, redact), participantSpellings);
  const facts = normaliseParticipant(posted, account.timeZone);
  const callId = callOfParticipant(facts, calls);
  if (callId === undefined) return { reason: 'participant-without-call', value: record };

  return {
    key: { kind: 'participant', account: account.userName, callId, part: participantIdOf(facts) },
    delivery: deliveryOf(facts, receivedAt),
  };
};
