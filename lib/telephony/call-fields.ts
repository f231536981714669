import { keysOf } from '../core/collections.ts';
import type { Json } from '../core/json.ts';
import { addDays, secondsFrom } from '../core/time.ts';
import {
  chain,
  duration,
  type Fields,
  id,
  idChain,
  key,
  sender,
  text,
  textChain,
  time,
  urls,
  word,
  words,
} from './field-reader.ts';
import type { PostedFields } from './posted-fields.ts';
import { nonBlank } from './posted-fields.ts';
import * as vocabularies from './vocabularies.ts';

/**
 * The fields of a call summary in the sender's spelling: how each is read, the fact that it becomes, and its documented
 * maximum length in characters. Real values exceed these lengths. Any field may come as text or as a number, and any may
 * be missing. The spelling of a key varies from post to post; `foldKeys` maps it to this one.
 */
export const callFields = {
  AgentID: chain('agentIds', 255),
  AgentName: textChain('agentNames', 255),
  AgentPhoneNumber: text('agentPhoneNumber', 20),
  AgentStatus: words('agentStatuses', vocabularies.outcomes, 50),
  AgentUniqueID: idChain('agentUniqueIds', 20),
  Apikey: sender(250),
  AudioFile: urls('recordings', 500),
  CallDuration: duration('callDurationSeconds'),
  CallerConfAudioFile: urls('conferenceRecordings', 500),
  CallerID: text('customerNumber', 255),
  CampaignName: text('campaignName', 255),
  CampaignStatus: word('campaignStatus', vocabularies.campaignStatuses, 20),
  Comments: textChain('comments'),
  ConfDuration: duration('conferenceSeconds'),
  CustomerStatus: words('customerStatuses', vocabularies.outcomes, 50),
  DialStatus: words('dialStatuses', vocabularies.outcomes, 100),
  DialedNumber: text('dialledNumber', 20),
  dId: text('did', 30),
  Disposition: textChain('dispositions', 100),
  Duration: duration('durationSeconds'),
  EndTime: time('endedAt'),
  FallBackRule: chain('fallbackSteps', 255),
  HangupBy: word('hangupBy', vocabularies.hangupParties, 100),
  Location: text('location', 255),
  monitorUCID: key('callId', 20),
  PhoneName: text('phoneName', 20),
  Skill: text('skillName', 255),
  StartTime: time('startedAt'),
  Status: word('status', vocabularies.callStatuses),
  TimeToAnswer: duration('timeToAnswerSeconds'),
  TransferType: words('transferTypes', vocabularies.transferTypes, 30),
  TransferredTo: chain('transferredTo', 30),
  Type: word('type', vocabularies.callTypes, 20),
  UserName: sender(50),
  UUI: text('uui', 50),
  DataUniqueId: id('dataUniqueId'),
  HoldDuration: duration('holdSeconds'),
  WrapUpDuration: duration('wrapUpSeconds'),
  CallID: id('sourceCallId'),
  UCID: id('ucid'),
} as const satisfies Fields;

/** A documented field, in the sender's spelling. */
export type WireCallField = keyof typeof callFields;

/** Every documented field. */
export const wireCallFields = keysOf(callFields);

/** The fields of a participant record, as above. Neither a length nor which of them are required is documented. */
export const participantFields = {
  AgentName: text('agentName'),
  Audio: urls('recordings'),
  CallID: id('sourceCallId'),
  DID: text('did'),
  DialStatus: word('dialStatus', vocabularies.outcomes),
  EndTime: time('endedAt'),
  ExitStatus: text('exitStatus'),
  ParticipantNumber: text('participantNumber'),
  PickupTime: time('pickedUpAt'),
  StartTime: time('startedAt'),
  UCID: id('ucid'),
} as const satisfies Fields;

/** A documented field, in the sender's spelling. */
export type WireParticipantField = keyof typeof participantFields;

/** Every documented field. */
export const wireParticipantFields = keysOf(participantFields);

/**
 * Fields of the call report that a callback has under another name, by lower-case spelling. CallID there is
 * the id that callbacks send as monitorUCID. Fields that differ in letter case only need no entry.
 */
const callbackNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    callid: 'monitorUCID',
    callaudio: 'AudioFile',
    customerdialstatus: 'CustomerStatus',
    agentdialstatus: 'AgentStatus',
    conferenceduration: 'ConfDuration',
    duration: 'CallDuration',
    talktime: 'Duration',
  }),
);

/** Fields that people fill in. In the report a blank in them may be a plus sign. */
const plusFields = new Set(['agentname', 'campaignname', 'comments', 'disposition', 'location', 'skill']);

/** The fields of a record of the call report as a callback would send them. */
export const asCallback = (fields: PostedFields): PostedFields => {
  const times = datedTimes(fields);
  const isReplaced = (name: string) => times.size > 0 && timeFields.has(name);

  return [
    ...fields
      .filter(([name]) => !isReplaced(name.toLowerCase()))
      .map(([name, value]) => {
        const lower = name.toLowerCase();
        return [callbackNames.get(lower) ?? name, plusFields.has(lower) ? withBlanks(value) : value] as const;
      }),
    ...times,
  ];
};

const timeFields = new Set(['calldate', 'starttime', 'endtime']);

/**
 * Start and end with their date. The report has the date of a call beside times of day, and an end past midnight is
 * smaller than the start. None if these fields have another form: they then stay as they are.
 */
const datedTimes = (fields: PostedFields): ReadonlyMap<string, string> => {
  const [date = '', start = '', end = ''] = [...timeFields].map((name) => {
    const value = fields.find(([field]) => field.toLowerCase() === name)?.[1];
    return typeof value === 'string' ? nonBlank(value) : undefined;
  });
  if (!datePattern.test(date) || !timePattern.test(start) || !(end === '' || timePattern.test(end))) return new Map();

  const started = [['StartTime', `${date} ${start}`]] as const;
  if (end === '') return new Map(started);
  return new Map([...started, ['EndTime', `${isPastMidnight(start, end) ? addDays(date, 1) : date} ${end}`]]);
};

const halfADay = 12 * 3600;

/**
 * An end may also precede its start by a moment, or when clocks go back. Read as past midnight, such a call would last for
 * most of a day, while one that passed midnight is short.
 */
const isPastMidnight = (start: string, end: string): boolean =>
  (secondsFrom(end) ?? 0) + 2 * halfADay - (secondsFrom(start) ?? 0) < halfADay;

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const timePattern = /^\d{2}:\d{2}:\d{2}$/;

/** A text with a blank in it was not encoded, so its plus signs are what somebody wrote. */
const withBlanks = (value: Json): Json =>
  typeof value !== 'string' || /\s/.test(value) ? value : value.replaceAll(/(?<=\S)\+(?=\S)/g, ' ');
