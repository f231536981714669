import { callStatuses } from '../call-summary/vocabularies.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/parse-json.ts';
import { nonBlank } from '../text/blank.ts';
import { understood } from '../text/vocabulary.ts';
import type { RefusalReason } from './refusal.ts';

/** What nobody can say before a call is over. */
const outcomes = [
  'callduration',
  'duration',
  'endtime',
  'hangupby',
  'disposition',
  'audiofile',
  'timetoanswer',
  'customerstatus',
  'dialstatus',
];

/** What a summary has that a screen pop with the call's id has not: its key among it, and a status of any word. */
const summaryFields = [
  ...outcomes,
  'status',
  'agentstatus',
  'campaignstatus',
  'starttime',
  'transfertype',
  'fallbackrule',
  'confduration',
  'callerconfaudiofile',
  'apikey',
];

/** Whom or what it is about. */
const subjects = ['ucid', 'callid', 'datauniqueid', 'callerid', 'agentid', 'did', 'dialednumber', 'phonename'];

const participation = ['participantnumber', 'exitstatus', 'pickuptime'];

/** Practice: the same address receives the vendor's screen pops and subscription events, which name themselves. */
const eventNames = ['event', 'eventtype', 'event_type', 'eventname'];

const hasAny = (values: ReadonlyMap<string, Json>, names: readonly string[]): boolean =>
  names.some((name) => values.has(name));

/** Events have a status too, but not one of these. */
const isOutcome = (status: Json | undefined): boolean =>
  typeof status === 'string' && understood(callStatuses, status).word !== 'unknown';

/**
 * What a record tells of: a call, or somebody's part in one (AdvancedCallBacks). No field is documented as required, so
 * a call summary is known by saying of something how it came out. An object that names itself an event is none, unless
 * it also tells how long the call was and whether it was answered.
 */
export const kindOf = (record: JsonObject): 'call' | 'participant' | undefined => {
  const values = new Map(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]));
  const named = values.get('monitorucid');
  const isMonitored = typeof named === 'string' && nonBlank(named) !== undefined;
  const isCall = tellsOfCall(values, isMonitored);

  if (hasAny(values, participation) && !(isMonitored && isCall)) return 'participant';
  return isCall ? 'call' : undefined;
};

const tellsOfCall = (values: ReadonlyMap<string, Json>, isMonitored: boolean): boolean => {
  const isAnswered = isOutcome(values.get('status'));
  if (hasAny(values, eventNames)) return isAnswered && values.has('callduration');
  if (isMonitored) return hasAny(values, summaryFields);
  return (isAnswered || hasAny(values, outcomes)) && hasAny(values, subjects);
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
