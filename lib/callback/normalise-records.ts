import type { Account } from '../accounts/accounts.ts';
import { redactedText } from '../accounts/redact-secrets.ts';
import type { RecordKey } from '../calls/call-record.ts';
import { type Delivery, deliveryOf } from '../calls/merge-deliveries.ts';
import { callSpellings, identityOf, normaliseCall } from '../calls/normalise-call.ts';
import { normaliseParticipant, participantNames, participantSpellings } from '../calls/normalise-participant.ts';
import type { ParticipantFacts } from '../calls/schema.ts';
import { compressText } from '../core/compression.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { withNotes } from '../telephony/field-reader.ts';
import { type Fields, foldKeys, isKeyField, uniqueNames } from '../telephony/fold-keys.ts';
import type { ClassifiedRecords, PostedRecord, Unrecognised } from './classify-records.ts';

/** A delivery and the key of the record that it belongs to. */
export interface KeyedDelivery {
  readonly key: RecordKey;
  readonly delivery: Delivery;
}

/** The deliveries of one post, and its records that belong to no call. */
export interface NormalisedRecords {
  readonly deliveries: readonly KeyedDelivery[];
  readonly unrecognised: readonly Unrecognised[];
}

/** The account of a post, the instant of its receipt, and the function that removes every account key from a text. */
interface RecordContext {
  readonly account: Account;
  readonly receivedAt: string;
  readonly redact: (text: string) => string;
}

/** Turns the records of one post into deliveries, each with the key of its call or participant. */
export const normaliseRecords = (classified: ClassifiedRecords, context: RecordContext): NormalisedRecords => {
  const calls = classified.calls.map((record) => callDelivery(record, context));
  const participants = participantDeliveries(classified.participants, calls, context);

  return {
    deliveries: [...calls.map(({ keyed }) => keyed), ...participants.filter((placed) => 'key' in placed)],
    unrecognised: [...classified.unrecognised, ...participants.filter((unplaced) => 'reason' in unplaced)],
  };
};

const callDelivery = (
  { value, text }: PostedRecord<JsonObject>,
  { account, receivedAt, redact }: RecordContext,
): PostedCall & { keyed: KeyedDelivery } => {
  const posted = foldKeys(redactRecord(value, redact), callSpellings);
  const facts = normaliseCall(posted, account.timeZone);
  const { callId, notes } = identityOf(posted);
  const allFacts = withNotes([...(facts.notes ?? []), ...notes], facts);
  const keyed: KeyedDelivery = {
    key: { kind: 'call', account: account.userName, callId },
    delivery: deliveryOf(allFacts, { receivedAt, asSent: compressText(redact(text)) }),
  };
  return { keyed, callId, ucid: facts.ucid, sourceCallId: facts.sourceCallId };
};

/** The deliveries of a post's participants, and those records that name no call. */
const participantDeliveries = (
  records: readonly PostedRecord<JsonObject>[],
  calls: readonly PostedCall[],
  { account, receivedAt, redact }: RecordContext,
): readonly (KeyedDelivery | Unrecognised)[] => {
  const nameOf = participantNames();
  return records.map(({ value, text }) => {
    const posted = foldKeys(redactRecord(value, redact), participantSpellings);
    const facts = normaliseParticipant(posted, account.timeZone);
    const callId = callOfParticipant(facts, calls);
    if (callId === undefined) return { reason: 'participant-without-call', text };

    return {
      key: { kind: 'participant', account: account.userName, callId, participantId: nameOf(callId, posted) },
      delivery: deliveryOf(facts, { receivedAt, asSent: compressText(redact(text)) }),
    };
  });
};

/** A call of the same post, and the other ids in its summary. */
export interface PostedCall {
  readonly callId: string;
  readonly ucid?: string | undefined;
  readonly sourceCallId?: string | undefined;
}

type ParticipantIds = Pick<ParticipantFacts, 'ucid' | 'sourceCallId'>;

/**
 * The call that a participant belongs to: the one of its post that one of its ids names, or else the only one of its
 * post. A participant that came without its summary names the call by its UCID. The order of
 * the list makes no difference.
 */
export const callOfParticipant = (
  { ucid, sourceCallId }: ParticipantIds,
  calls: readonly PostedCall[],
): string | undefined => {
  const onlyCall = (matches: (call: PostedCall) => boolean): string | undefined => {
    const found = new Set(calls.filter(matches).map(({ callId }) => callId));
    return found.size === 1 ? [...found][0] : undefined;
  };
  const named = [ucid, sourceCallId]
    .filter((id) => id !== undefined)
    .map(
      (id) =>
        onlyCall(({ callId }) => callId === id) ??
        onlyCall((call) => call.ucid === id) ??
        onlyCall((call) => call.sourceCallId === id),
    )
    .find((callId) => callId !== undefined);
  return named ?? onlyCall(() => true) ?? ucid;
};

/**
 * The fields of a record without any account key. The key's own field is removed; a key inside another value (a
 * comment, the query of a recording's URL) is redacted. Hardly any record has such a value, so all names and values are
 * first checked as one text.
 */
export const redactRecord = (record: JsonObject, redact: (text: string) => string): Fields => {
  const fields: (readonly [string, Json])[] = [];
  let all = '';
  for (const [key, value] of Object.entries(record)) {
    if (isKeyField(key)) continue;
    fields.push([key, value]);
    all += `${key}\n${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  }
  if (redact(all) === all) return fields;
  const uniqueName = uniqueNames();
  return fields.map(([key, value]) => [uniqueName(redact(key)), redactValue(value, redact)]);
};

const redactValue = (value: Json, redact: (text: string) => string): Json => {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, redact));
  const uniqueName = uniqueNames();
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      uniqueName(redact(key)),
      isKeyField(key) ? redactedText : redactValue(entry, redact),
    ]),
  );
};
