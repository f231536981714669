import type { AccountIndex } from '../accounts/account-index.ts';
import { type Account, isForwarded } from '../accounts/accounts.ts';
import { redactedText } from '../accounts/redact-secrets.ts';
import type { RecordKey } from '../calls/call-record.ts';
import { identityOf, participantNames } from '../calls/identify-records.ts';
import { type Delivery, deliveryOf, type RecordFacts } from '../calls/merge-deliveries.ts';
import {
  callSpellings,
  normaliseCall,
  normaliseParticipant,
  participantSpellings,
  type ReadingRules,
} from '../calls/normalise-facts.ts';
import type { ParticipantFacts } from '../calls/schema.ts';
import { type Posting, postingOf } from '../calls/stored-delivery.ts';
import { compressText } from '../core/encoding.ts';
import { fieldsOf, isJsonObject, type JsonObject, parseJsonWithoutBadParts } from '../core/json.ts';
import { jsonParts } from '../core/json-text.ts';
import { withNotes } from '../telephony/field-kinds.ts';
import { fieldTexts, type PostedFields } from '../telephony/posted-fields.ts';
import type { ClassifiedRecords, PostedRecord, Unrecognised } from './classify-records.ts';

export interface KeyedDelivery {
  readonly key: RecordKey;
  readonly delivery: Delivery;
}

export interface NormalisedRecords {
  readonly deliveries: readonly KeyedDelivery[];
  readonly unrecognised: readonly Unrecognised[];
}

export interface RecordContext {
  readonly account: Account;
  readonly receivedAt: string;
  readonly redact: (text: string) => string;
  readonly posted?: PostedContent;
}

interface PostedContent {
  readonly text: string;
  readonly keyField: string | undefined;
  /** Which masks of a redacted text hide the account's keys; without this, those of its fields named like keys do. */
  readonly ownMasks?: AccountIndex['ownMasks'];
}

export const normaliseRecords = (classified: ClassifiedRecords, context: RecordContext): NormalisedRecords => {
  const { account, receivedAt, redact, posted } = context;
  const call = (callId: string) => ({ account: account.userName, callId });
  const sentDelivery = (sent: string, key: RecordKey, facts: RecordFacts, text: string): SentDelivery => ({
    key,
    delivery: deliveryOf(facts, { receivedAt, asSent: compressText(text), country: account.country }),
    sent,
  });
  const nameOf = participantNames();

  const calls = classified.calls.map((record) => {
    const { text, fields } = redactRecord(record, redact);
    const { callId, facts } = readCall(fields, account);
    const { ucid, sourceCallId } = facts;
    return { callId, ucid, sourceCallId, ...sentDelivery(record.text, { kind: 'call', ...call(callId) }, facts, text) };
  });
  const participants = classified.participants.map((record): SentDelivery | Unrecognised => {
    const { text, fields } = redactRecord(record, redact);
    const { posted: fieldsOfParticipant, facts } = readParticipant(fields, account);
    const callId = callOfParticipant(facts, calls);
    if (callId === undefined) return { reason: 'participant-without-call', text };
    const participantId = nameOf(callId, fieldsOfParticipant);
    return sentDelivery(record.text, { kind: 'participant', ...call(callId), participantId }, facts, text);
  });

  const deliveries = [...calls, ...participants.filter((placed) => 'key' in placed)];
  const postedIn = posted !== undefined && isForwarded(account) ? postsOf(deliveries, posted) : undefined;
  return {
    deliveries: deliveries.map(({ key, delivery, sent }) => {
      const posting =
        postedIn && postingOf({ postedIn: postedIn(delivery), keysAt: posted?.ownMasks?.(sent, account) });
      return { key, delivery: { ...delivery, posting } };
    }),
    unrecognised: [...classified.unrecognised, ...participants.filter((unplaced) => 'reason' in unplaced)],
  };
};

interface SentDelivery extends KeyedDelivery {
  readonly sent: string;
}

/** The longest list that is stored as one post: each of its deliveries names all of them. */
const maxPostedTogether = 20;

/**
 * Says how a delivery was posted, unless its record was alone in the form field `data`. A list about one call is one post. In
 * any other list, such as one with a record that is quarantined, each record is stored as the only one of a list.
 */
const postsOf = (
  deliveries: readonly SentDelivery[],
  { text, keyField }: PostedContent,
): ((delivery: Delivery) => Posting['postedIn']) => {
  const isList = text.trimStart().startsWith('[');
  if (!isList && keyField === undefined) return () => undefined;
  const whole = isList ? listedTogether(deliveries, text) : undefined;
  return ({ id }) => ({ ...(whole ?? { ids: [id], around: isList ? ['[', ']'] : ['', ''] }), keyField });
};

const listedTogether = (deliveries: readonly SentDelivery[], text: string): Posting['postedIn'] => {
  const records = jsonParts(text).map((part) => part.text);
  const calls = new Set(deliveries.map(({ key }) => key.callId));
  if (records.length !== deliveries.length || records.length > maxPostedTogether || calls.size > 1) return undefined;

  const idOf = new Map(deliveries.map(({ sent, delivery }) => [sent, delivery.id]));
  // A record that was wrapped or mended is spelt differently in the text.
  if (!records.every((record) => idOf.has(record))) return undefined;
  const around: string[] = [];
  let end = 0;
  for (const record of records) {
    const start = text.indexOf(record, end);
    around.push(text.slice(end, start));
    end = start + record.length;
  }
  return { ids: records.flatMap((record) => idOf.get(record) ?? []), around: [...around, text.slice(end)] };
};

export const readCall = (fields: PostedFields, rules: ReadingRules) => {
  const posted = fieldTexts(fields, callSpellings);
  const facts = normaliseCall(posted, rules);
  const { callId, notes, isIdentified } = identityOf(posted);
  return { callId, isIdentified, facts: withNotes([...(facts.notes ?? []), ...notes], facts) };
};

export const readParticipant = (fields: PostedFields, rules: ReadingRules) => {
  const posted = fieldTexts(fields, participantSpellings);
  return { posted, facts: normaliseParticipant(posted, rules) };
};

export interface PostedCall {
  readonly callId: string;
  readonly ucid?: string | undefined;
  readonly sourceCallId?: string | undefined;
}

type ParticipantIds = Pick<ParticipantFacts, 'ucid' | 'sourceCallId'>;

/** The call of the post that one of its ids names, else its only call, else its own UCID. Order makes no difference. */
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

interface RedactedRecord {
  readonly text: string;
  readonly fields: PostedFields;
}

/** How nearly every record spells its key. */
const keyField = /"(api[_-]?key)"(\s*:\s*)"([^"\\]*)"/i;

/** Redacts every key in a record: in its own field, a comment, the query of a recording's URL, and the name of a field. */
export const redactRecord = (
  { value, text: sent }: PostedRecord<JsonObject>,
  redact: (text: string) => string,
): RedactedRecord => {
  const [field = '', name = '', colon, key = ''] = keyField.exec(sent) ?? [];
  if (key.trim() !== '' && value[name] === key) {
    // Where nothing else is redacted, the other fields are as they were parsed.
    const others = sent.replace(field, '"":""');
    if (redact(others) === others)
      return { text: sent.replace(field, `"${name}"${colon}"${redactedText}"`), fields: fieldsOf(value, sent) };
  }
  const text = redact(sent);
  const read = text === sent ? value : parseJsonWithoutBadParts(text);
  return { text, fields: isJsonObject(read) ? fieldsOf(read, text) : [] };
};
