import { isJsonObject, type Json, type JsonObject } from '../json/parse-json.ts';
import type { RefusalReason } from './refusal.ts';

/** What only the record of a call that is over can say. */
const outcomes = [
  'status',
  'callduration',
  'duration',
  'endtime',
  'hangupby',
  'agentstatus',
  'customerstatus',
  'dialstatus',
];

/** Whom or what it is about. */
const subjects = ['ucid', 'callid', 'datauniqueid', 'callerid', 'agentid', 'did', 'dialednumber', 'phonename'];

const participation = ['participantnumber', 'exitstatus', 'pickuptime'];

/** Practice: the same address receives the vendor's screen pops and subscription events, which name themselves. */
const eventNames = ['event', 'eventtype', 'event_type', 'eventname'];

const keysOf = (value: JsonObject): ReadonlySet<string> => new Set(Object.keys(value).map((key) => key.toLowerCase()));

const hasAny = (keys: ReadonlySet<string>, names: readonly string[]): boolean => names.some((name) => keys.has(name));

/** Whether a record tells of somebody's part in a call (AdvancedCallBacks). */
export const isParticipant = (value: JsonObject): boolean => {
  const keys = keysOf(value);
  return !keys.has('monitorucid') && hasAny(keys, participation);
};

/**
 * Whether an object is a call summary. No field is documented as required, so it is known by saying of something how it
 * came out. An object that names itself an event is none, unless it has the fields that only summaries have.
 */
export const isCallSummary = (value: JsonObject): boolean => {
  const keys = keysOf(value);
  if (isParticipant(value)) return false;
  if (hasAny(keys, eventNames)) return keys.has('monitorucid') && keys.has('status');
  return keys.has('monitorucid') || (hasAny(keys, outcomes) && hasAny(keys, subjects));
};

/** A record of a post that was not understood, while others of it may have been. */
export interface Misunderstood {
  readonly reason: RefusalReason;
  readonly value: Json;
}

/** The records of a post by what they are. */
export interface Recognised {
  readonly calls: readonly JsonObject[];
  readonly participants: readonly JsonObject[];
  readonly misunderstood: readonly Misunderstood[];
}

/** Sorts the records of a post: by specification summaries come first and participants follow, but nothing hangs on it. */
export const recognise = (records: readonly Json[]): Recognised => {
  const objects = records.filter(isJsonObject);
  return {
    calls: objects.filter(isCallSummary),
    participants: objects.filter(isParticipant),
    misunderstood: records.flatMap((value): readonly Misunderstood[] => {
      if (!isJsonObject(value)) return [{ reason: 'not-an-object', value }];
      return isCallSummary(value) || isParticipant(value) ? [] : [{ reason: 'not-a-call-summary', value }];
    }),
  };
};
