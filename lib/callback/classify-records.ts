import { keysOf } from '../core/collections.ts';
import { isJsonObject, isLikeJson, type Json, type JsonObject } from '../core/json.ts';
import { callFields, wireCallFields, wireParticipantFields } from '../telephony/call-fields.ts';
import type { Indication } from '../telephony/field-kinds.ts';
import { idOf, isRoundedId, nonBlank } from '../telephony/posted-fields.ts';
import { callStatuses, lookUpWord } from '../telephony/vocabularies.ts';
import type { RejectionReason } from './reply.ts';

const lowerCase = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

const spellingsThat = (shows: Indication): readonly string[] =>
  lowerCase(Object.values(callFields).flatMap((field) => ([field.shows].flat().includes(shows) ? field.spelling : [])));

const callNames = lowerCase(wireCallFields);
const participantNames = lowerCase(wireParticipantFields);
const senderNames = ['apikey', 'username'];

/** What a field indicates by its name, whatever the letter case. */
const namesByIndicator = {
  outcome: spellingsThat('outcome'),
  /** Makes a record with the call's id a summary. A screen pop has the id too, but none of these fields. */
  summary: [...spellingsThat('outcome'), ...spellingsThat('summary')],
  /** A call, or a party to it. */
  subject: spellingsThat('subject'),
  /** In it screen pops and subscription events name themselves. A call's own `Event` has its last step. */
  event: ['event', 'eventtype', 'event_type', 'eventname'],
  id: spellingsThat('id'),
  /** Has a value only once a call has ended. No event has one. */
  end: spellingsThat('end'),
  duration: ['callduration'],
  onlyOfCall: callNames.filter((name) => !participantNames.includes(name) && !senderNames.includes(name)),
  ofParticipant: participantNames,
  onlyOfParticipant: participantNames.filter((name) => !callNames.includes(name)),
} satisfies Readonly<Record<string, readonly string[]>>;
type Indicator = keyof typeof namesByIndicator;

const indicatorsByName: ReadonlyMap<string, readonly { readonly indicator: Indicator }[]> = Map.groupBy(
  keysOf(namesByIndicator).flatMap((indicator) => namesByIndicator[indicator].map((name) => ({ name, indicator }))),
  ({ name }) => name,
);

/** For these a blank field counts as none. */
const needsValue: ReadonlySet<Indicator> = new Set<Indicator>(['event', 'id', 'end']);

const hasValue = (indicator: Indicator, value: Json): boolean => {
  if (typeof value !== 'string') return value !== null;
  return indicator === 'id' ? isId(value) : nonBlank(value) !== undefined;
};

/** Whether a text is or was an id: a rounded one names nobody, but a call had it. */
const isId = (text: string): boolean => idOf(text) !== undefined || isRoundedId(text);

const lookUpFields = (record: JsonObject) => {
  const found = new Set<Indicator>();
  let status: Json | undefined;
  let monitored: Json | undefined;
  for (const [key, value] of Object.entries(record)) {
    const name = key.toLowerCase();
    if (name === 'status') status = value;
    if (name === 'monitorucid') monitored = value;
    for (const { indicator } of indicatorsByName.get(name) ?? [])
      if (!needsValue.has(indicator) || hasValue(indicator, value)) found.add(indicator);
  }
  return { found, status, namesCall: typeof monitored === 'string' && isId(monitored) };
};

export const namesCall = (record: JsonObject): boolean => lookUpFields(record).namesCall;

export const namesEvent = (record: JsonObject): boolean => lookUpFields(record).found.has('event');

/** The vendor's events have a status too, but with other words. */
const isCallStatus = (status: Json | undefined): boolean =>
  typeof status === 'string' && lookUpWord(callStatuses, status).word !== 'unknown';

/**
 * Whether a record is a call summary. No field is documented as required. With the call's id (monitorUCID), any field of a
 * summary is enough. Without it, a summary must state an outcome and identify a call or a party to it. An object that names
 * itself an event, or is part of one, is a summary only if it names its call and states how that ended, or has both the
 * call's duration and its status.
 */
const isCallSummary = ({ found, status, namesCall }: ReturnType<typeof lookUpFields>): boolean => {
  if (found.has('event'))
    return (found.has('id') && found.has('end')) || (found.has('duration') && isCallStatus(status));
  if (namesCall) return found.has('summary');
  return found.has('subject') && (found.has('outcome') || isCallStatus(status));
};

interface Evidence {
  readonly kind: 'call' | 'participant' | undefined;
  /** Whether it is a summary and has a field that only summaries have. */
  readonly isOnlyCall: boolean;
  /** Whether all of its documented fields are those of a participant. */
  readonly canBeParticipant: boolean;
}

const noEvidence: Evidence = { kind: undefined, isOnlyCall: false, canBeParticipant: false };

/** A field that only participants of a call have (AdvancedCallBacks) makes a participant, unless a summary names its call. */
const evidenceOf = (record: JsonObject, isInEvent = false): Evidence => {
  const fields = lookUpFields(record);
  const { found, namesCall } = fields;
  if (isInEvent) found.add('event');
  const isCall = isCallSummary(fields);
  const isParticipant = found.has('onlyOfParticipant') && !(namesCall && isCall);
  const callOrNothing = isCall ? 'call' : undefined;

  return {
    kind: isParticipant ? 'participant' : callOrNothing,
    isOnlyCall: isCall && found.has('onlyOfCall'),
    canBeParticipant: found.has('ofParticipant') && !found.has('onlyOfCall') && !found.has('event'),
  };
};

export const kindOf = (record: JsonObject, isInEvent?: boolean): Evidence['kind'] => evidenceOf(record, isInEvent).kind;

export interface PostedRecord<Value extends Json = Json> {
  readonly value: Value;
  readonly text: string;
  readonly isInEvent?: true | undefined;
  /** Its fields are not read: they are more than a record may have. */
  readonly hasTooManyFields?: true;
}

export interface Unrecognised {
  readonly reason: RejectionReason;
  readonly text: string;
}

export interface ClassifiedRecords {
  readonly calls: readonly PostedRecord<JsonObject>[];
  readonly participants: readonly PostedRecord<JsonObject>[];
  readonly unrecognised: readonly Unrecognised[];
}

/** Whether a value states, at any depth, how a call ended beside a party to it. Broken JSON may do so if it has such a field. */
const mayHoldCall = (value: Json): boolean => {
  if (typeof value === 'string')
    return isLikeJson(value) && namesByIndicator.end.some((name) => value.toLowerCase().includes(`"${name}`));
  if (value === null || typeof value === 'boolean') return false;
  if (!isJsonObject(value)) return value.some(mayHoldCall);
  const { found } = lookUpFields(value);
  return (found.has('end') && found.has('subject')) || Object.values(value).some(mayHoldCall);
};

const evidenceIn = ({ value, isInEvent, hasTooManyFields }: PostedRecord): Evidence =>
  isJsonObject(value) && !hasTooManyFields ? evidenceOf(value, isInEvent) : noEvidence;

/** Why a record is neither a call nor a participant. */
const reasonOf = ({ value, hasTooManyFields }: PostedRecord): RejectionReason => {
  if (!isJsonObject(value)) return 'not-an-object';
  if (hasTooManyFields) return 'too-many-fields';
  return mayHoldCall(value) ? 'call-not-named' : 'not-a-call-summary';
};

/** Takes any order, though summaries come first by specification. Beside a summary, what can be a participant is one. */
export const classifyRecords = (records: readonly PostedRecord[]): ClassifiedRecords => {
  const calls: PostedRecord<JsonObject>[] = [];
  const participants: PostedRecord<JsonObject>[] = [];
  const unrecognised: Unrecognised[] = [];
  const all = records.map((record) => ({ record, evidence: evidenceIn(record) }));
  const hasSummary = all.some(({ evidence }) => evidence.isOnlyCall);

  for (const { record, evidence } of all) {
    const { value, text } = record;
    const kind = hasSummary && evidence.canBeParticipant ? 'participant' : evidence.kind;
    if (kind === undefined || !isJsonObject(value)) unrecognised.push({ reason: reasonOf(record), text });
    else (kind === 'call' ? calls : participants).push({ value, text });
  }
  return { calls, participants, unrecognised };
};
