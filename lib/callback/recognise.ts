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

const hasAny = (keys: ReadonlySet<string>, names: readonly string[]): boolean => names.some((name) => keys.has(name));

/**
 * What a record tells of: a call, or somebody's part in one (AdvancedCallBacks). No field is documented as required, so
 * a call summary is known by saying of something how it came out. An object that names itself an event is none, unless
 * it has the fields that only summaries have.
 */
export const kindOf = (record: JsonObject): 'call' | 'participant' | undefined => {
  const keys = new Set(Object.keys(record).map((key) => key.toLowerCase()));
  const isMonitored = keys.has('monitorucid');
  if (!isMonitored && hasAny(keys, participation)) return 'participant';
  if (hasAny(keys, eventNames)) return isMonitored && keys.has('status') ? 'call' : undefined;
  return isMonitored || (hasAny(keys, outcomes) && hasAny(keys, subjects)) ? 'call' : undefined;
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
  const calls: JsonObject[] = [];
  const participants: JsonObject[] = [];
  const misunderstood: Misunderstood[] = [];

  for (const record of records) {
    const kind = isJsonObject(record) ? kindOf(record) : undefined;
    if (!isJsonObject(record)) misunderstood.push({ reason: 'not-an-object', value: record });
    else if (kind === undefined) misunderstood.push({ reason: 'not-a-call-summary', value: record });
    else (kind === 'call' ? calls : participants).push(record);
  }
  return { calls, participants, misunderstood };
};
