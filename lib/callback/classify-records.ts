import { isJsonObject, type Json, type JsonObject } from '../core/parse-json.ts';
import { nonBlank } from '../core/text.ts';
import { callStatuses, lookUpWord } from '../telephony/vocabularies.ts';
import type { RejectionReason } from './rejections.ts';

/** What nobody can say before a call is over. */
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

/** What a summary has that a screen pop with the call's id has not: its key among it, and a status of any word. */
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

/** Whom or what it is about. */
const subjectFields = ['ucid', 'callid', 'datauniqueid', 'callerid', 'agentid', 'did', 'dialednumber', 'phonename'];

const participationFields = ['participantnumber', 'exitstatus', 'pickuptime'];

/** Practice: the same address receives the vendor's screen pops and subscription events, which name themselves. */
const eventNames = ['event', 'eventtype', 'event_type', 'eventname'];

/** What names of fields are a sign of, whatever their letter case. */
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

/** The other way round, so that each field of a record is looked at once. */
const signsByName: ReadonlyMap<string, readonly Sign[]> = new Map(
  signs
    .flatMap((sign) => namesBySign[sign])
    .map((name) => [name, signs.filter((sign) => namesBySign[sign].includes(name))]),
);

/** Events have a status too, but not one of these. */
const isCallStatus = (status: Json | undefined): boolean =>
  typeof status === 'string' && lookUpWord(callStatuses, status).word !== 'unknown';

/**
 * What a record tells of: a call, or somebody's part in one (AdvancedCallBacks). No field is documented as required, so
 * a call summary is known by saying of something how it came out. An object that names itself an event is none, unless
 * it also tells how long the call was and whether it was answered.
 */
export const kindOf = (record: JsonObject): 'call' | 'participant' | undefined => {
  const shown = new Set<Sign>();
  let status: Json | undefined;
  let monitored: Json | undefined;
  for (const key of Object.keys(record)) {
    const name = key.toLowerCase();
    if (name === 'status') status = record[key];
    if (name === 'monitorucid') monitored = record[key];
    for (const sign of signsByName.get(name) ?? []) shown.add(sign);
  }
  const isMonitored = typeof monitored === 'string' && nonBlank(monitored) !== undefined;
  const isCall = isCallSummary(shown, isCallStatus(status), isMonitored);

  if (shown.has('participation') && !(isMonitored && isCall)) return 'participant';
  return isCall ? 'call' : undefined;
};

const isCallSummary = (shown: ReadonlySet<Sign>, isAnswered: boolean, isMonitored: boolean): boolean => {
  if (shown.has('event')) return isAnswered && shown.has('length');
  if (isMonitored) return shown.has('summary');
  return (isAnswered || shown.has('outcome')) && shown.has('subject');
};

/** A record of a post that was not understood, while others of it may have been. */
export interface Unrecognised {
  readonly reason: RejectionReason;
  readonly value: Json;
}

/** The records of a post by what they are. */
export interface ClassifiedRecords {
  readonly calls: readonly JsonObject[];
  readonly participants: readonly JsonObject[];
  readonly unrecognised: readonly Unrecognised[];
}

/** Sorts the records of a post: by specification summaries come first and participants follow, but nothing hangs on it. */
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
