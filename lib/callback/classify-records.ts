import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { nonBlank } from '../core/text.ts';
import { callStatuses } from '../telephony/vocabularies.ts';
import { lookUpWord } from '../telephony/vocabulary.ts';
import type { RejectionReason } from './rejections.ts';

/** Fields that have a value only after a call. */
const outcomeFields = [
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

/**
 * Fields that a summary has and a screen pop with the call's id lacks, such as the account key or a status of any word.
 */
const summaryFields = [
  ...outcomeFields,
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

/** Fields that identify a call or a party to it. */
const subjectFields = ['ucid', 'callid', 'datauniqueid', 'callerid', 'agentid', 'did', 'dialednumber', 'phonename'];

const participationFields = ['participantnumber', 'exitstatus', 'pickuptime'];

/** Practice: the same address receives the vendor's screen pops and subscription events, which name themselves. */
const eventNames = ['event', 'eventtype', 'event_type', 'eventname'];

/** What the name of a field indicates, whatever its letter case. */
const signs = ['outcome', 'summary', 'subject', 'participation', 'event', 'length'] as const;
type Sign = (typeof signs)[number];

const namesBySign: Readonly<Record<Sign, readonly string[]>> = {
  outcome: outcomeFields,
  summary: summaryFields,
  subject: subjectFields,
  participation: participationFields,
  event: eventNames,
  length: ['callduration'],
};

/** The inverse, so that each field of a record is looked up once. */
const signsByName: ReadonlyMap<string, readonly Sign[]> = new Map(
  signs
    .flatMap((sign) => namesBySign[sign])
    .map((name) => [name, signs.filter((sign) => namesBySign[sign].includes(name))]),
);

/** The vendor's events have a status too, but with other words. */
const isCallStatus = (status: Json | undefined): boolean =>
  typeof status === 'string' && lookUpWord(callStatuses, status).word !== 'unknown';

/**
 * Whether a record is a call summary or a participant of a call (AdvancedCallBacks); undefined if it is neither. No field
 * is documented as required. With the call's id (monitorUCID), any field of a summary is enough. Without it, a summary
 * must state an outcome and identify a call or a party to it. An object that names itself an event is no summary, unless
 * it states both the call's duration and its status.
 */
export const kindOf = (record: JsonObject): 'call' | 'participant' | undefined => {
  const found = new Set<Sign>();
  let status: Json | undefined;
  let monitored: Json | undefined;
  for (const key of Object.keys(record)) {
    const name = key.toLowerCase();
    if (name === 'status') status = record[key];
    if (name === 'monitorucid') monitored = record[key];
    for (const sign of signsByName.get(name) ?? []) found.add(sign);
  }
  const isMonitored = typeof monitored === 'string' && nonBlank(monitored) !== undefined;
  const isCall = isCallSummary(found, isCallStatus(status), isMonitored);

  if (found.has('participation') && !(isMonitored && isCall)) return 'participant';
  return isCall ? 'call' : undefined;
};

const isCallSummary = (found: ReadonlySet<Sign>, hasCallStatus: boolean, isMonitored: boolean): boolean => {
  if (found.has('event')) return hasCallStatus && found.has('length');
  if (isMonitored) return found.has('summary');
  return (hasCallStatus || found.has('outcome')) && found.has('subject');
};

/** A record that is neither a call nor a participant, and the reason. */
export interface Unrecognised {
  readonly reason: RejectionReason;
  readonly value: Json;
}

/** The records of a post by kind. */
export interface ClassifiedRecords {
  readonly calls: readonly JsonObject[];
  readonly participants: readonly JsonObject[];
  readonly unrecognised: readonly Unrecognised[];
}

/** Classifies the records of a post. By specification summaries come before participants, but any order is accepted. */
export const classifyRecords = (records: readonly Json[]): ClassifiedRecords => {
  const calls: JsonObject[] = [];
  const participants: JsonObject[] = [];
  const unrecognised: Unrecognised[] = [];

  for (const record of records) {
    const kind = isJsonObject(record) ? kindOf(record) : undefined;
    if (!isJsonObject(record)) unrecognised.push({ reason: 'not-an-object', value: record });
    else if (kind === undefined) unrecognised.push({ reason: 'not-a-call-summary', value: record });
    else (kind === 'call' ? calls : participants).push(record);
  }
  return { calls, participants, unrecognised };
};
